//! Names of what is kept on an origin and spoken of there. Several apps may live on one, in folders beside each other: each has
//! names of its own.
//!
//! In the code all names begin with `satchel`, as those of the app Satchel do wherever it has ever run. Another app's begin with
//! `satchel_` and its own name: `satchel.settings` of the app `notes` is `satchel_notes.settings`.

use std::cell::Cell;

/// What the app Satchel's names begin with, and all names in the code.
const SATCHEL: &str = "satchel";

thread_local! {
    static BEGINNING: Cell<&'static str> = const { Cell::new(SATCHEL) };
}

/// This page, or this worker, is of the app of that name from here on. Said before anything is opened.
pub fn belong_to(app: &str) {
    // Once for the life of the page.
    BEGINNING.set(beginning_for(app).leak());
}

/// A name as this page's app has it on the origin. What is no name of ours stays as it is.
#[must_use]
pub fn of(name: &str) -> String {
    match rest_of(name, SATCHEL) {
        Some(rest) => [BEGINNING.get(), rest].concat(),
        None => name.to_owned(),
    }
}

/// Whether a name on the origin is one of this page's app.
#[must_use]
pub fn is_ours(name: &str) -> bool {
    rest_of(name, BEGINNING.get()).is_some()
}

/// What an app's names begin with.
fn beginning_for(app: &str) -> String {
    if app == SATCHEL { SATCHEL.to_owned() } else { [SATCHEL, "_", app].concat() }
}

/// Whether an app may be called so: lowercase letters, digits and `_` alone. A storage bucket's name takes no other, and with those
/// no app's names begin as another's go on.
#[must_use]
pub const fn is_plain(app: &str) -> bool {
    let bytes = app.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        if !matches!(bytes[at], b'a'..=b'z' | b'0'..=b'9' | b'_') {
            return false;
        }
        at += 1;
    }
    at > 0 && at <= 40
}

/// What comes after the beginning of a name, unless that goes on as another app's does.
fn rest_of<'n>(name: &'n str, beginning: &str) -> Option<&'n str> {
    name.strip_prefix(beginning).filter(|rest| matches!(rest.bytes().next(), None | Some(b'.' | b'-' | b' ')))
}

#[cfg(test)]
mod tests {
    use super::{belong_to, is_ours, is_plain, of};

    #[test]
    fn each_app_has_names_of_its_own_and_satchel_those_it_always_had() {
        for name in ["satchel", "satchel.settings", "satchel-keys", "satchel-grant-https://a.test"] {
            assert_eq!((of(name), is_ours(name)), (name.to_owned(), true));
        }
        belong_to("notes");
        assert_eq!(of("satchel"), "satchel_notes");
        assert_eq!(of("satchel.draft.1"), "satchel_notes.draft.1");
        // One that was made of it already, and what is not ours.
        assert_eq!(of("satchel_notes-alive-1"), "satchel_notes-alive-1");
        assert_eq!(of("satchels"), "satchels");
        assert!(is_ours("satchel_notes") && is_ours("satchel_notes-keys"));
        for other in ["satchel", "satchel.settings", "satchel_notes_too.settings", "satchel_notes2"] {
            assert!(!is_ours(other), "{other}");
        }
        belong_to("satchel");
        assert!(!is_ours("satchel_notes.settings"));
    }

    #[test]
    fn an_app_is_called_what_every_storage_takes() {
        for (app, is_fine) in [
            ("notes", true),
            ("my_notes2", true),
            ("my-notes", false),
            ("Notes", false),
            ("日記", false),
            ("", false),
        ] {
            assert_eq!(is_plain(app), is_fine, "{app}");
        }
    }
}
