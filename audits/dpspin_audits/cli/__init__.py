"""The command line: a thin shell that reads files, keeps the clock and prints."""
