//! What is shown when the page itself breaks. A panic ends the program, so the words and the way out
//! stand in `index.html` already; all that is left to do is to show them.

/// Shows the crash screen at a panic, and says on the console what it was.
pub fn show_instead_of_a_dead_page() {
    std::panic::set_hook(Box::new(|panic| {
        web_sys::console::error_1(&panic.to_string().into());
        show("crash");
        crate::host::mark_broken();
    }));
}

/// Takes the boot screen away.
pub fn boot_is_over() {
    let boot = web_sys::window()
        .and_then(|window| window.document())
        .and_then(|document| document.get_element_by_id("boot"));
    if let Some(boot) = boot {
        boot.remove();
    }
}

/// Shows a screen that stands in `index.html`, hidden.
pub fn show(id: &str) {
    let element = web_sys::window()
        .and_then(|window| window.document())
        .and_then(|document| document.get_element_by_id(id));
    if let Some(element) = element {
        let _ = element.remove_attribute("hidden");
    }
}
