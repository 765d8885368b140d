"""Jinja templates of reports; they print finished values and compute nothing."""
