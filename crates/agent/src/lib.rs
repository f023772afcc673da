//! The agent as a pure step machine, and the driver that runs it through ports.
