//! Words typed in a hurry. Dates are set right wherever they stand, as far as no other word is that near;
//! a command's own words only where the clause means nothing as it is typed.

use crate::lex::{Kind, Token};

/// A word of a date that was mistyped.
pub fn date_word(typed: &str) -> Option<&'static str> {
    const DATES: [&str; 10] = [
        "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday", "tomorrow", "today",
        "tonight",
    ];
    const KNOWN: [(&str, &str); 6] = [
        ("tommorow", "tomorrow"),
        ("tomrrow", "tomorrow"),
        ("2moro", "tomorrow"),
        ("tmw", "tomorrow"),
        ("wensday", "wednesday"),
        ("saterday", "saturday"),
    ];
    if let Some((_, meant)) = KNOWN.iter().find(|(known, _)| *known == typed) {
        return Some(meant);
    }
    if typed.len() < 4 || typed == "toady" {
        return None;
    }
    DATES.iter().copied().find(|date| slip(typed, date))
}

/// Whether a word is another one with two letters swapped, one missing or one doubled. Not the last one
/// missing and none replaced: Frida and sundaes are no days.
fn slip(typed: &str, meant: &str) -> bool {
    let (a, b) = (typed.as_bytes(), meant.as_bytes());
    let same = a.iter().zip(b).take_while(|(x, y)| x == y).count();
    let (Some(rest_a), Some(rest_b)) = (a.get(same..), b.get(same..)) else { return false };
    let swapped =
        matches!((rest_a, rest_b), ([x, y, tail @ ..], [v, w, end @ ..]) if x == w && y == v && tail == end);
    let missing = !rest_a.is_empty() && rest_b.get(1..) == Some(rest_a);
    let doubled = same > 0 && rest_a.get(1..) == Some(rest_b) && rest_a[0] == a[same - 1];
    swapped || missing || doubled
}

/// A clause with its command's words set right, when one of them was mistyped.
pub fn respelt(tokens: &[Token]) -> Option<Vec<Token>> {
    const VERBS: &[&str] = &[
        "add", "create", "show", "list", "complete", "finish", "mark", "delete", "remove", "rename", "move",
        "reschedule", "postpone", "undo", "redo", "reopen", "remind", "change", "search", "clear", "check",
        "what's", "what", "which", "completed", "finished",
    ];
    const WORDS: &[&str] = &[
        "all", "todos", "tasks", "list", "done", "have", "everything", "completed", "overdue", "show",
        "priority", "urgent",
    ];
    const KNOWN: [(&str, &str); 12] = [
        ("wats", "what's"),
        ("wat", "what"),
        ("undu", "undo"),
        ("delate", "delete"),
        ("resheduel", "reschedule"),
        ("ad", "add"),
        ("al", "all"),
        ("mt", "my"),
        ("em", "them"),
        ("compleet", "complete"),
        ("hav", "have"),
        ("mov", "move"),
    ];
    let mut changed = false;
    let mut all = tokens.to_vec();
    for (at, token) in all.iter_mut().enumerate().filter(|(_, token)| token.kind == Kind::Word) {
        let typed = token.lower.as_str();
        let near = |words: &[&'static str]| {
            let fits =
                |w: &&&'static str| slip(typed, w) || w.len() > 3 && w.strip_suffix('e') == Some(typed);
            // Short words are words of their own: "one", "how".
            let wrong = typed.len() > 3 && !words.contains(&typed);
            words.iter().filter(|_| wrong).find(fits).copied()
        };
        let known = KNOWN.iter().find(|(known, _)| *known == typed).map(|(_, meant)| *meant);
        let meant = known.or_else(|| near(if at == 0 { VERBS } else { WORDS }));
        if let Some(meant) = meant.filter(|meant| *meant != typed) {
            token.lower = meant.to_owned();
            token.text = meant.to_owned();
            changed = true;
        }
    }
    changed.then_some(all)
}
