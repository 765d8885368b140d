"""The paper's claims beside what was measured: figures, tables, one page."""
