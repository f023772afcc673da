//! Rows for the rule.
