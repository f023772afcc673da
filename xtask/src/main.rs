//! Every chore of the project: set-up, build, serve, test, tidy.
fn main() {}
