//! The first screen, which `index.html` draws before the program is there: what was typed into its field goes on in the
//! app's, and the page is kept so that the next first screen looks as this person left it.

use leptos::prelude::*;
use leptos::task::spawn_local;
use ui_kit::language::{self, Language};
use wasm_bindgen::JsCast;
use web::page;
use web_sys::HtmlTextAreaElement;

use crate::clock;
use crate::log::Conversation;
use crate::settings::{Settings, Theme};

/// Its field, as long as it is there.
const FIELD: &str = "#shell #message";

/// The app's own field.
const APPS_FIELD: &str = "body > .app #message";

/// What the names of the worker's caches begin with, before the address of the app.
const CACHES: &str = "satchel";

/// How `index.html` opens its root element.
const ROOT: &str = "<html lang=\"en\"";

/// How long the page has been in use before anything is written for the next time, in milliseconds.
const IN_USE_MS: u64 = 1_000;

/// What was typed before the program was there.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Typed {
    /// The words, without the line that Enter began below them.
    pub text: String,
    /// Enter was the last key: a field without a program takes it as a new line, and nothing was sent.
    pub was_to_be_sent: bool,
}

impl Typed {
    /// Reads the first screen's field.
    #[must_use]
    pub fn read() -> Self {
        field(FIELD).map(|field| Self::of(&field.value(), caret(&field))).unwrap_or_default()
    }

    /// What a field with this text and this caret, in UTF-16 units, says.
    fn of(value: &str, caret: u32) -> Self {
        let words = value.trim_end_matches('\n');
        let at_end = usize::try_from(caret).is_ok_and(|caret| caret == value.encode_utf16().count());
        let was_to_be_sent = at_end && words.len() < value.len() && !words.trim().is_empty();
        let text = if was_to_be_sent { words } else { value };
        Self { text: text.to_owned(), was_to_be_sent }
    }
}

/// Takes the first screen away, once the app stands beside it with what was typed: who was typing types on at the same place.
pub fn hand_over(text: &str) {
    if let (Some(from), Some(to)) = (field(FIELD), field(APPS_FIELD))
        && page::focused().is_some_and(|focused| focused == **from)
    {
        let (start, end) = (from.selection_start().ok().flatten(), from.selection_end().ok().flatten());
        // Before the other goes: a keyboard on the screen stays.
        let _ = to.focus();
        // The framework writes it a moment later; the caret needs it now.
        to.set_value(text);
        if let (Some(start), Some(end)) = (start, end) {
            let _ = to.set_selection_range(start, end);
        }
    }
    take_away();
}

/// Takes the first screen away, for a screen that stands in `index.html` as well.
pub fn take_away() {
    if let Some(shell) = page::by_id("shell") {
        shell.remove();
    }
}

/// Shows a screen that stands in `index.html`, hidden.
pub fn show(id: &str) {
    if let Some(element) = page::by_id(id) {
        let _ = element.remove_attribute("hidden");
    }
}

/// Keeps the page for the next first screen as this person has it: in the theme they chose, without a welcome where a
/// conversation will stand, and without its words where they read another language. It is drawn before any program could ask for that, so the copy that the worker keeps says it.
pub fn looks_like_this_next_time(settings: RwSignal<Settings>, conversations: RwSignal<Vec<Conversation>>) {
    let wanted = ui_kit::memo(move |_| {
        let theme = settings.with(|settings| settings.theme);
        root(theme, conversations.with(|all| !all.is_empty()), language::wanted())
    });
    ui_kit::effect(move |_| {
        let root = wanted.get();
        spawn_local(async move {
            clock::sleep(IN_USE_MS).await;
            // Changed again meanwhile: the next one writes it.
            if wanted.try_get_untracked().as_ref() == Some(&root) {
                // Without it the first screen is as the system has it.
                let _ = web::kept::change(&caches(), &page::home(), |page| with_root(page, &root)).await;
            }
        });
    });
}

/// What the names of this app's caches begin with; `www/sw.js` makes them.
pub fn caches() -> String {
    format!("{CACHES} {} ", page::home())
}

/// The root element's tag, as the first screen's styles read it.
fn root(theme: Theme, goes_on: bool, language: Language) -> String {
    let theme = match theme {
        Theme::System => String::new(),
        Theme::Light | Theme::Dark => format!(" data-theme=\"{}\"", theme.word()),
    };
    let goes_on = if goes_on { " data-goes-on" } else { "" };
    let language = match language {
        Language::English => String::new(),
        other => format!(" data-language=\"{}\"", other.tag()),
    };
    format!("{ROOT}{theme}{goes_on}{language}>")
}

/// The page with this root element; none where it has it, or is no page of ours.
fn with_root(page: &str, root: &str) -> Option<String> {
    let start = page.find(ROOT)?;
    let end = start + page[start..].find('>')? + 1;
    (&page[start..end] != root).then(|| format!("{}{root}{}", &page[..start], &page[end..]))
}

fn field(selector: &str) -> Option<HtmlTextAreaElement> {
    page::first(selector)?.dyn_into().ok()
}

fn caret(field: &HtmlTextAreaElement) -> u32 {
    field.selection_end().ok().flatten().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use ui_kit::language::Language;

    use super::{Typed, root, with_root};
    use crate::settings::Theme;

    #[test]
    fn the_kept_page_is_as_the_person_has_it() {
        let page = "<!doctype html>\n<html lang=\"en\">\n<head></head></html>";
        let dark = with_root(page, &root(Theme::Dark, true, Language::English)).unwrap();
        assert_eq!(
            dark,
            "<!doctype html>\n<html lang=\"en\" data-theme=\"dark\" data-goes-on>\n<head></head></html>"
        );
        assert_eq!(with_root(&dark, &root(Theme::Dark, true, Language::English)), None);
        assert_eq!(with_root(&dark, &root(Theme::System, false, Language::English)).as_deref(), Some(page));
        let german = with_root(&dark, &root(Theme::System, false, Language::German)).unwrap();
        assert!(german.contains("<html lang=\"en\" data-language=\"de\">"), "{german}");
        assert_eq!(with_root("<html>", &root(Theme::Dark, true, Language::English)), None);
    }

    #[test]
    fn enter_as_the_last_key_was_meant_to_send() {
        let typed = |text: &str, was_to_be_sent| Typed { text: text.to_owned(), was_to_be_sent };
        // What stands in the field, where the caret is, what goes on.
        let rows = [
            ("", 0, typed("", false)),
            ("Add milk", 8, typed("Add milk", false)),
            ("Add milk\n", 9, typed("Add milk", true)),
            ("Add milk\n\n", 10, typed("Add milk", true)),
            ("\n", 1, typed("\n", false)),
            ("Add milk\nand tea", 16, typed("Add milk\nand tea", false)),
            // Gone back into the words since.
            ("Add milk\n", 3, typed("Add milk\n", false)),
            ("Grüße 🧺\n", 9, typed("Grüße 🧺", true)),
        ];
        for (value, caret, expected) in rows {
            assert_eq!(Typed::of(value, caret), expected, "{value:?} at {caret}");
        }
    }
}
