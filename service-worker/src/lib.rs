//! Satchel's worker: the tools of the assistants that ship with the app.

pub use worker::{TRANSPORT_VERSION, forget, handle, open_port, picture, warm};

worker::app!("satchel", "Satchel", [todo::Todos, memory::Memories]);
