//! The assembled tool server: domains, registry and database; replay by key, preview, undo.
