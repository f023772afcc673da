//! What is shown when the page itself breaks. A panic ends the program, so the words and the way out
//! stand in `index.html` already; all that is left to do is to show them.
use web::page;

/// Shows the crash screen at a panic, and says on the console what it was.
pub fn show_instead_of_a_dead_page() {
    std::panic::set_hook(Box::new(|panic| {
        web_sys::console::error_1(&panic.to_string().into());
        show("crash");
        crate::controller::mark_broken();
    }));
}

/// Shows a screen that stands in `index.html`, hidden.
pub fn show(id: &str) {
    if let Some(element) = page::by_id(id) {
        let _ = element.remove_attribute("hidden");
    }
}
