//! The to-do domain: its model and one file per tool.
