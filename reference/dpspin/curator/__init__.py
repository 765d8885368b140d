"""The curator's side: the only code that sees protected records and their exact sketch."""
