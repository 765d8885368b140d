"""From the shipped kernel to machine-checked statements about it."""
