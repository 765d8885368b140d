"""`dpspin verify`: texts against plans of strangers, and release bundles against what they must be derived from."""
