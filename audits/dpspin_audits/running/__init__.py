"""What one release of a subject comes to, here or in an interpreter of its own, where what it does besides is seen."""
