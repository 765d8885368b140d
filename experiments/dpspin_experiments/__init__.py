"""The paper's evaluation; it may import everything, nothing imports it."""
