"""Jira and Confluence: their connectors, and what both share."""
