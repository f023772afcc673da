//! Satchel's worker: the tools of the assistants that ship with the app.

pub use worker::{TRANSPORT_VERSION, forget, handle, open_port, picture, warm};

worker::app!(
    "satchel",
    "Satchel",
    [todo::Todos, memory::Memories, photo::Later { load: || worker::had(photo_tools()) }]
);

// Whoever has no photos never needs them.
worker::part!(photos, photo_tools, photo::PhotoTools, { photo::PhotoTools::here() });
