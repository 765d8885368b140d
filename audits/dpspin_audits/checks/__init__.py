"""The checks: each reads what its arguments hold and gives one `Check`, pass or finding, with its strength."""
