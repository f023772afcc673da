//! The words of `locales/en` become functions.

fn main() {
    catalogue::build();
}
