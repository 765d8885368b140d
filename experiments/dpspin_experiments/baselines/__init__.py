"""What plans are compared with: references without a guarantee, and private baselines (paper section 6)."""
