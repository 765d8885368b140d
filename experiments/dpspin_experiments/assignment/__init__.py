"""From texts to the exact sketch in batches, and how good an assignment is."""
