//! The words of the to-dos in the page.

pub use ui_kit::dates::WEEKDAYS;
pub use ui_kit::dates::{today, tomorrow};
pub use ui_kit::words::{
    add, and_more, cancel, copy_link, delete, discard, history_unreadable, link_copied, loading, not_copied,
    quoted, redo, save, try_again, undo, undone,
};

use crate::model::{Group, Priority, View};

include!(concat!(env!("OUT_DIR"), "/todos.rs"));

/// What something is called.
type Word = ui_kit::language::Word;

/// Reminders that need no more words, each with its name.
pub const COMMON_REMINDERS: [(&str, Word); 6] = [
    ("PT0S", when_due),
    ("-PT10M", ten_minutes_before),
    ("-PT30M", half_an_hour_before),
    ("-PT1H", an_hour_before),
    ("-PT2H", two_hours_before),
    ("-P1D", a_day_before),
];
/// Rules that need no more words, each with its name.
pub const COMMON_RULES: [(&str, Word); 5] = [
    ("FREQ=DAILY", every_day),
    ("FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR", every_weekday),
    ("FREQ=WEEKLY", every_week),
    ("FREQ=MONTHLY", every_month),
    ("FREQ=YEARLY", every_year),
];
/// What a rule counts in.
pub const UNITS: [Word; 4] = [days, weeks, months, years];

/// What a view is called.
#[must_use]
pub fn view_name(view: View) -> &'static str {
    match view {
        View::All => todos(),
        View::Today => today(),
        View::Upcoming => upcoming(),
        View::NoDate => without_date(),
        View::Done => done(),
    }
}

/// Whether those that are picked are to be thrown away.
#[must_use]
pub fn delete_picked(titles: &[String], count: usize) -> String {
    delete_these(count, &all_quoted(titles), count.saturating_sub(titles.len()))
}

/// Titles beside each other.
#[must_use]
pub fn all_quoted(titles: &[String]) -> String {
    titles.iter().map(|title| quoted(title)).collect::<Vec<_>>().join(", ")
}

/// A reminder, as the tools have it, in few words: for a row and for what changed.
#[must_use]
pub fn reminder(remind: &str, now: &str) -> String {
    match COMMON_REMINDERS.iter().find(|(known, _)| *known == remind) {
        Some((_, name)) => name().to_owned(),
        None if remind.starts_with('-') => before_due().to_owned(),
        None => ui_kit::dates::due_label(remind, now),
    }
}

/// A rule in words and the day on which it begins.
#[must_use]
pub fn repeats_from(rule: &str, begins: &str) -> String {
    let mut letters = rule.chars();
    let rule = letters
        .next()
        .map(|first| [first.to_ascii_uppercase()].into_iter().chain(letters).collect::<String>());
    rule_from(&rule.unwrap_or_default(), begins)
}

/// A priority by the tools' word.
#[must_use]
pub fn priority_word(word: &str) -> String {
    Priority::ALL.into_iter().find(|priority| priority.word() == word).map(priority_of).unwrap_or_default()
}

/// A group's name.
#[must_use]
pub fn group_name(group: Group) -> &'static str {
    match group {
        Group::Overdue => overdue(),
        Group::Today => today(),
        Group::Upcoming => upcoming(),
        Group::NoDate => without_date(),
        Group::Done => done(),
    }
}

/// A group's word in `data-group`.
#[must_use]
pub fn group_word(group: Group) -> &'static str {
    match group {
        Group::Overdue => "overdue",
        Group::Today => "today",
        Group::Upcoming => "upcoming",
        Group::NoDate => "no-date",
        Group::Done => "done",
    }
}

/// A priority's name.
#[must_use]
pub fn priority_name(priority: Priority) -> &'static str {
    match priority {
        Priority::None => none(),
        Priority::Low => low(),
        Priority::Medium => medium(),
        Priority::High => high(),
        Priority::Urgent => urgent(),
    }
}

/// A priority beside other things that are said of a to-do.
#[must_use]
pub fn priority_of(priority: Priority) -> String {
    of_priority(priority.word())
}

/// That a to-do is a part of another one, whose title may not be known here.
#[must_use]
pub fn part_of(whole: Option<&str>) -> String {
    whole.map_or_else(|| part_of_another().to_owned(), part_of_named)
}

/// A tool at work.
#[must_use]
pub fn doing(tool: &str) -> Option<&'static str> {
    Some(match tool {
        "todo_create" => adding(),
        "todo_list" | "todo_get" => looking(),
        "todo_update" => changing(),
        "todo_complete" => checking_off(),
        "todo_reopen" => reopening(),
        "todo_delete" | "todo_clear_completed" => deleting(),
        _ => return None,
    })
}

/// A list that was read.
#[must_use]
pub fn looked_at(shown: usize, total: u64) -> String {
    match usize::try_from(total).unwrap_or(usize::MAX) {
        0 => looked_at_none().to_owned(),
        total @ 2.. if shown < total => looked_at_some(total, shown),
        total => looked_at_all(total),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_counted_is_said_as_one_or_as_many() {
        let titles = |titles: &[&str]| titles.iter().map(|title| (*title).to_owned()).collect::<Vec<_>>();
        for (named, count, question) in [
            (titles(&["Milk"]), 1, "Delete “Milk”?"),
            (titles(&["Milk", "Tea"]), 2, "Delete 2 to-dos? “Milk”, “Tea”."),
            (titles(&["Milk", "Tea"]), 5, "Delete 5 to-dos? “Milk”, “Tea” and 3 more."),
        ] {
            assert_eq!(delete_picked(&named, count), question);
        }
        for (shown, total, said) in [
            (0, 0, "Looked at your to-dos: none found"),
            (0, 1, "Looked at your to-dos: 1 found"),
            (20, 20, "Looked at your to-dos: 20 found"),
            (20, 1200, "Looked at your to-dos: 1200 found, 20 read"),
        ] {
            assert_eq!(looked_at(shown, total), said);
        }
        assert_eq!([open_count(0), open_count(7)], ["", "7 open"]);
        assert_eq!(with_others(1), "One other to-do changed with it, and goes back with it.");
        assert_eq!(with_others(2), "2 others changed with it, and go back with it.");
        ui_kit::words::call(ui_kit::words::Names { app: "A", one: "to-do", many: "to-dos" });
        assert_eq!([completed_things(1), completed_things(3)], ["Completed", "Completed 3 to-dos"]);
        assert_eq!([would_complete(1), would_complete(3)], ["complete 1 to-do", "complete 3 to-dos"]);
    }

    #[test]
    fn a_rule_begins_with_a_capital() {
        assert_eq!(repeats_from("every week", "Tomorrow"), "Every week, from Tomorrow");
    }
}
