//! The worker: web requests to the tool server and back.
