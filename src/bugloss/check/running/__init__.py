"""A check from the files to the findings: search, settings, selection of rules, baseline, fixes."""
