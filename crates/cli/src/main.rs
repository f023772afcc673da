//! The satchel command.
fn main() {}
