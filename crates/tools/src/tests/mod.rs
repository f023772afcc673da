//! What the assembled server does, as rows and as properties.
