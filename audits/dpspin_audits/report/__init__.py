"""From evidence to a page: `model` computes every value of the report, the templates print them."""
