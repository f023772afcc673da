//! A change of what is remembered as a line: what was there before, what is there after. Pure.

use ui_kit::{Difference, DomainChange, Kind, Line};

use super::model::Memory;
use crate::i18n;

/// It is remembered now.
const REMEMBERED: Kind = Kind {
    sign: "added",
    name: i18n::memory_remembered,
    done: i18n::remembered_things,
    would: i18n::would_remember,
};

/// It is remembered otherwise.
const CORRECTED: Kind = Kind {
    sign: "changed",
    name: i18n::memory_corrected,
    done: i18n::corrected_things,
    would: i18n::would_correct,
};

/// It is not remembered any more.
const FORGOTTEN: Kind = Kind {
    sign: "deleted",
    name: i18n::memory_forgotten,
    done: i18n::forgot_things,
    would: i18n::would_forget,
};

/// The line. None where neither side is something that is remembered.
#[must_use]
pub fn line(change: &DomainChange) -> Option<Line> {
    let plain = |kind, memory: &Memory| Line::plain(kind, &memory.text);
    match change.sides::<Memory>() {
        (None, None) => None,
        (None, Some(memory)) => Some(plain(REMEMBERED, &memory)),
        (Some(memory), None) => Some(plain(FORGOTTEN, &memory)),
        (Some(before), Some(after)) => {
            let place = |memory: &Memory| if memory.pinned { i18n::first() } else { i18n::nothing() };
            let from =
                |memory: &Memory| if memory.is_untrusted() { i18n::a_file() } else { i18n::yourself() };
            let kind = |memory: &Memory| crate::memory::words::memory_kind(memory.kind);
            let of = |name, word: &dyn Fn(&Memory) -> &'static str| {
                Difference::between(name, word(&before).to_owned(), word(&after).to_owned())
            };
            let differences = [
                Difference::between(i18n::memory_text_name(), before.text.clone(), after.text.clone()),
                of(i18n::memory_kind(), &kind),
                of(i18n::order(), &place),
                of(i18n::memory_from(), &from),
            ];
            let differences = differences.into_iter().flatten().collect();
            Some(Line { differences, ..plain(CORRECTED, &after) })
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use ui_kit::{Difference, Line, outcome};

    use super::{CORRECTED, FORGOTTEN, REMEMBERED, line};

    fn lines(before: Value, after: Value) -> Vec<Line> {
        let result = json!({"changes": [{"before": before, "after": after}]});
        outcome(&result).unwrap().changes.iter().filter_map(line).collect()
    }

    #[test]
    fn what_is_remembered_has_its_lines_too() {
        let memory = |text: &str, kind: &str| json!({"id": "m", "text": text, "kind": kind});
        assert_eq!(lines(Value::Null, memory("Tea", "fact")), [Line::plain(REMEMBERED, "Tea")]);
        assert_eq!(lines(memory("Tea", "fact"), Value::Null), [Line::plain(FORGOTTEN, "Tea")]);
        let found = lines(memory("Coffee", "fact"), memory("Tea", "preference"));
        let difference = |name: &'static str, before: &str, after: &str| Difference {
            name: name.into(),
            before: before.into(),
            after: after.into(),
        };
        assert_eq!(found[0].kind, CORRECTED);
        assert_eq!(
            found[0].differences,
            [difference("Words", "Coffee", "Tea"), difference("Kind", "About me", "Preference")]
        );
    }
}
