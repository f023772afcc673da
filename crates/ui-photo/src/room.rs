//! Whether there is room for what is to come in: asked before it does.

use web::value::{called, number, part};

/// What a photo needs beside its original, in bytes: the small picture, and the numbers of the tagging net.
const BESIDE: f64 = 60_000.0;

/// What is lacking, in bytes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Room {
    /// What all that waits needs.
    pub needed: f64,
    /// What is free.
    pub free: f64,
}

/// What so many photos with so many bytes in all need.
pub fn of_photos(bytes: f64, count: usize) -> f64 {
    bytes + BESIDE * count as f64
}

/// Whether so many bytes are more than this app may still keep; none where they fit, or the browser does not say how much that is.
pub async fn lacks(needed: f64) -> Option<Room> {
    let storage = part(&web_sys::window()?.navigator(), "storage")?;
    let told = called(&storage, "estimate", &[]).await.ok()?;
    let free = f64::max(number(&told, "quota")? - number(&told, "usage")?, 0.0);
    (needed > free).then_some(Room { needed, free })
}
