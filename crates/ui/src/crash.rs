//! What is shown when the page itself breaks. A panic ends the program, so the words and the way out
//! stand in `index.html` already; all that is left to do is to show them.
use crate::shell;

/// Shows the crash screen at a panic, and says on the console what it was.
pub fn show_instead_of_a_dead_page() {
    std::panic::set_hook(Box::new(|panic| {
        web_sys::console::error_1(&panic.to_string().into());
        shell::show("crash");
        crate::controller::mark_broken();
    }));
}
