"""Evidence for machines and for paper: SARIF, JUnit, CSV, the registry of deployments, Markdown, PDF; comparisons."""
