//! The words of the to-dos in the page, in English.

use ui_kit::locale::number;

use crate::model::{Group, Priority, View};

/// Their name.
pub const TODOS: &str = "To-dos";
/// One of them.
pub const TODO: &str = "To-do";
/// The line in which one is added.
pub const ADD_TODO: &str = "Add a to-do";
/// Adds it.
pub const ADD: &str = ui_kit::words::ADD;
/// It is on its way.
pub const ADDING: &str = "Adding…";
/// It was refused.
pub const NOT_ADDED: &str = "Not added";
/// Nothing answered: it may be in the list or not.
pub const PERHAPS_ADDED: &str = "Perhaps added; trying again adds it once";
/// What waits to be added.
pub const NOT_ADDED_YET: &str = "Not in the list yet";
/// Drops what was typed.
pub const DISCARD: &str = "Discard";
/// Opens the field of the date.
pub const ADD_DATE: &str = "Due date";
/// Opens a to-do in its place.
pub const EDIT: &str = "Edit";
/// A to-do's title.
pub const TITLE: &str = "Title";
/// There is none.
pub const TITLE_MISSING: &str = "A to-do needs a title.";
/// Whoever leaves a form is asked.
pub const DROP_CHANGES: &str = "Discard what you changed?";
/// They stay.
pub const KEEP_EDITING: &str = "Keep editing";
/// Leaves a form without its changes.
pub const CANCEL: &str = ui_kit::words::CANCEL;
/// Keeps what a form says.
pub const SAVE: &str = "Save";
/// Does what did not work once more.
pub const TRY_AGAIN: &str = ui_kit::words::TRY_AGAIN;
/// When it is due.
pub const DUE: &str = "Due";
/// At what time.
pub const TIME: &str = "Time";
/// How much it presses.
pub const PRIORITY: &str = "Priority";
/// Its tags.
pub const TAGS: &str = "Tags";
/// The list it is in.
pub const LIST: &str = "List";
/// The rule by which it comes back.
pub const REPEAT: &str = "Repeat";
/// It comes back.
pub const REPEATS: &str = "Repeats";
/// When to remind of it.
pub const REMIND: &str = "Reminder";
/// Reminders that need no more words, each with its name.
pub const COMMON_REMINDERS: [(&str, &str); 6] = [
    ("PT0S", "When it is due"),
    ("-PT10M", "10 minutes before"),
    ("-PT30M", "30 minutes before"),
    ("-PT1H", "1 hour before"),
    ("-PT2H", "2 hours before"),
    ("-P1D", "1 day before"),
];
/// All that remind now.
pub const REMINDERS: &str = "Reminders";
/// Before what is reminded of, where it is only heard.
pub const REMINDER_LEAD: &str = "Reminder: ";
/// It is done.
pub const DONE: &str = "Done";
/// Again in a while.
pub const IN_TEN_MINUTES: &str = "In 10 min";
/// Again later.
pub const IN_AN_HOUR: &str = "In 1 hour";
/// Not again.
pub const PUT_AWAY: &str = "Put away";
/// None of them again.
pub const PUT_ALL_AWAY: &str = "Put all away";
/// What notifications are for.
pub const ALLOW_HINT: &str = "Reminders are shown here while this page is open. With notifications you see them in other tabs and programs, too.";
/// The browser asks.
pub const ALLOW: &str = "Allow notifications";
/// It does not.
pub const NOT_NOW: &str = "Not now";
/// Nobody is reminded.
pub const NO_REMINDER: &str = "None";
/// A reminder at a time of its own.
pub const REMIND_AT: &str = "At a time…";
/// The field of that time.
pub const REMIND_WHEN: &str = "Remind at";
/// When reminders come.
pub const REMIND_HINT: &str =
    "It comes while this page is open in a tab. What was missed is shown when you open it again.";
/// More about it.
pub const NOTES: &str = "Notes";
/// Shows notes as they are read.
pub const PREVIEW: &str = "Preview";
/// The same for who hears it.
pub const SHOW_NOTES: &str = "Preview the notes";
/// Shows notes as they are written, for who hears it.
pub const WRITE_NOTES: &str = "Edit the notes";
/// What became of a to-do.
pub const PAST: &str = "History";
/// Nothing is known of that.
pub const NO_PAST: &str = "No change of it is in the history.";
/// It is being read.
pub const LOADING: &str = ui_kit::words::LOADING;
/// It is of another shape than it is read as.
pub const PAST_UNREADABLE: &str = "The history could not be read.";
/// More of it.
pub const MORE_PAST: &str = "Show more";
/// A change was taken back.
pub const UNDONE: &str = ui_kit::words::UNDONE;
/// Takes a change back.
pub const UNDO: &str = ui_kit::words::UNDO;
/// Does it again.
pub const REDO: &str = "Redo";
/// Changes of an earlier page are in the form.
pub const CHANGES_CAME_BACK: &str = "What you had changed is here again. It is not saved yet.";
/// Due today.
pub const TODAY: &str = "Today";
/// Due on the day after.
pub const TOMORROW: &str = "Tomorrow";
/// Due on Saturday.
pub const WEEKEND: &str = "Weekend";
/// Due on Monday.
pub const NEXT_WEEK: &str = "Next week";
/// Due on no day.
pub const NO_DAY: &str = "No date";
/// It does not come back.
pub const NEVER: &str = "Never";
/// Rules that need no more words, each with its name.
pub const COMMON_RULES: [(&str, &str); 5] = [
    ("FREQ=DAILY", "Every day"),
    ("FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR", "Every weekday"),
    ("FREQ=WEEKLY", "Every week"),
    ("FREQ=MONTHLY", "Every month"),
    ("FREQ=YEARLY", "Every year"),
];
/// Any other rule.
pub const OTHER_RULE: &str = "Other…";
/// The field of a rule in words.
pub const RULE_IN_WORDS: &str = "In words";
/// What may be said there.
pub const RULE_EXAMPLE: &str = "every other Tuesday";
/// It is no rule.
pub const RULE_UNREAD: &str = "That is not a repetition I know. Try “every 2 weeks” or “every first Monday”.";
/// Every so many days, weeks, …
pub const EVERY: &str = "Every";
/// Days, weeks, …
pub const UNIT: &str = "Unit";
/// What a rule counts in.
pub const UNITS: [&str; 4] = ["days", "weeks", "months", "years"];
/// The last day of a rule.
pub const UNTIL: &str = "Until";
/// On which days of the week.
pub const ON_DAYS: &str = "On";
/// The days of the week, Monday first.
pub const WEEKDAYS: [&str; 7] = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];
/// The field of one more tag.
pub const ADD_TAG: &str = "Add a tag";
/// What is done stands in the order in which it was done.
pub const DONE_STAYS: &str = "Done to-dos stay in the order in which they were done.";
/// Nothing is put there by hand.
pub const NOT_THERE: &str = "Nothing can be moved there: open it and change its date.";
/// It repeats, which needs a date.
pub const REPEATS_ON_DAYS: &str = "It repeats, and needs a date for that. End the repetition first.";
/// What stands beside it has another date or priority.
pub const SORTED_FIRST: &str =
    "To-dos are sorted by date and priority first. Drag it, or change its date, to move it further.";
/// Picks several.
pub const PICK: &str = "Select";
/// There are too many.
pub const MOST_PICKED: &str = "100 to-dos can be changed at once, and are selected.";
/// What is done with all that are picked.
pub const WITH_PICKED: &str = "With the selected to-dos";
/// They are done.
pub const COMPLETE: &str = "Done";
/// They go to another list.
pub const MOVE_TO: &str = "Move to list";
/// They get a tag.
pub const TAG_ALL: &str = "Add tag";
/// They are thrown away.
pub const DELETE: &str = "Delete";
/// They are not.
pub const KEEP: &str = "Keep";
/// Nothing is picked any more.
pub const PICK_NONE: &str = "Select none";
/// Finds in the list.
pub const FIND: &str = "Find in the list";
/// The same on a button.
pub const FIND_SHORT: &str = "Find";
/// To-dos of any list.
pub const ALL_LISTS: &str = "All lists";
/// To-dos with any tags.
pub const ALL_TAGS: &str = "All tags";
/// Shows everything again.
pub const SHOW_ALL: &str = "Show all";
/// No to-do fits.
pub const NONE_FOUND: &str = "No to-do fits that.";

/// Nothing is in the groups that are shown.
pub const NONE_HERE: &str = "Nothing here.";
/// What of the list can be shown.
pub const VIEWS: &str = "Views of the list";
/// The seven days.
pub const PLAN_WEEK: &str = "Plan the week";
/// The month.
pub const PLAN_MONTH: &str = "Plan the month";

/// What a view is called.
#[must_use]
pub fn view_name(view: View) -> &'static str {
    match view {
        View::All => TODOS,
        View::Today => "Today",
        View::Upcoming => "Upcoming",
        View::NoDate => "No date",
        View::Done => "Done",
    }
}

/// How many are picked.
#[must_use]
pub fn picked(count: usize) -> String {
    format!("{} selected", number(count))
}

/// Whether they are to be thrown away.
#[must_use]
pub fn delete_picked(titles: &[String], count: usize) -> String {
    let more = count.saturating_sub(titles.len());
    let named = titles.iter().map(|title| format!("“{title}”")).collect::<Vec<_>>().join(", ");
    match (count, more) {
        (1, _) => format!("Delete {named}?"),
        (_, 0) => format!("Delete {} to-dos? {named}.", number(count)),
        _ => format!("Delete {} to-dos? {named} and {} more.", number(count), number(more)),
    }
}

/// How many to-dos fit.
#[must_use]
pub fn found_of(shown: usize, all: usize) -> String {
    format!("{} of {}", number(shown), number(all))
}

/// The parts of a to-do.
pub const SUBTASKS: &str = "Subtasks";
/// The field of one more part.
pub const ADD_SUBTASK: &str = "Add a subtask";
/// What a typed line is understood as.
pub const UNDERSTOOD: &str = "Understood as";
/// Several lines make one to-do.
pub const AS_ONE: &str = "As one";

/// Puts a part before the one before it.
pub const MOVE_UP: &str = "Move up";
/// Puts a part behind the one behind it.
pub const MOVE_DOWN: &str = "Move down";
/// Makes a part one of the one before it.
pub const MOVE_IN: &str = "Make it a part of the one above";
/// Takes a part out of what it is a part of.
pub const MOVE_OUT: &str = "Move out";

/// A tag that can be taken off.
#[must_use]
pub fn take_tag_off(tag: &str) -> String {
    format!("Take the tag {tag} off")
}

/// What was understood can be left in the title.
#[must_use]
pub fn keep_in_title(shown: &str) -> String {
    format!("{shown}: leave it in the title")
}

/// So long before, which no line has room for.
pub const BEFORE_DUE: &str = "Before it is due";

/// A reminder, as the tools have it, in few words: for a row and for what changed.
#[must_use]
pub fn reminder(remind: &str, now: &str) -> String {
    match COMMON_REMINDERS.iter().find(|(known, _)| *known == remind) {
        Some((_, name)) => (*name).to_owned(),
        None if remind.starts_with('-') => BEFORE_DUE.to_owned(),
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
    format!("{}, from {begins}", rule.unwrap_or_default())
}

/// A priority by the tools' word.
#[must_use]
pub fn priority_word(word: &str) -> String {
    Priority::ALL.into_iter().find(|priority| priority.word() == word).map(priority_of).unwrap_or_default()
}

/// Several lines were pasted.
#[must_use]
pub fn several(count: usize) -> String {
    format!("That is {} lines. Is each of them a to-do?", number(count))
}

/// Adds each line.
#[must_use]
pub fn add_several(count: usize) -> String {
    format!("Add {} to-dos", number(count))
}

/// There are more than are shown.
#[must_use]
pub fn and_more(count: usize) -> String {
    format!("and {} more", number(count))
}

/// The to-do that it is a part of.
pub const PART_OF: &str = "Part of";
/// A link names a to-do that there is not.
pub const NOT_HERE: &str = "That to-do is not on this device any more.";
/// Puts a to-do's address on the clipboard.
pub const COPY_LINK: &str = "Copy link";
/// It is there.
pub const LINK_COPIED: &str = "Link copied.";
/// It cannot be put there.
pub const NOT_COPIED: &str = "The browser did not let it be copied.";
/// A to-do whose title is not known here.
pub const ONE_TODO: &str = "a to-do";
/// The same, beside another one.
pub const ANOTHER_TODO: &str = "another to-do";
/// The list that needs no naming.
pub const DEFAULT_LIST: &str = "Inbox";
/// There are none.
pub const NO_TODOS: &str = "Nothing to do";
/// How there come to be some.
pub const NO_TODOS_HINT: &str = "Add something above, or just say it in the chat.";
/// They are being read.
pub const LOADING_TODOS: &str = "Loading your to-dos";
/// They could not be read.
pub const LIST_UNREADABLE: &str = "The list of to-dos could not be read.";
/// Something that another app shared.
pub const SHARE_TITLE: &str = "Keep this as a to-do?";

// Commands.

/// Begins a to-do.
pub const NEW_TODO: &str = "New to-do";
/// Goes to the list.
pub const GO_TODOS: &str = "Go to the to-dos";
/// Goes on in the list.
pub const NEXT_TODO: &str = "Next to-do";
/// Goes back in the list.
pub const PREVIOUS_TODO: &str = "Previous to-do";
/// Checks or reopens.
pub const TOGGLE_TODO: &str = "Check or reopen the to-do";
/// Opens a to-do in its place.
pub const EDIT_TODO: &str = "Edit the to-do";
/// Picks a to-do beside others.
pub const PICK_TODO: &str = "Pick the to-do, to change several at once";
/// Throws a to-do away.
pub const DELETE_TODO: &str = "Delete the to-do";

// For the browser's own agent.

/// What the line is to it.
pub const QUICK_ADD_TOOL: &str = "Adds one to-do to the person's list.";
/// What its field is.
pub const QUICK_ADD_TITLE: &str = "What there is to do, in one line.";

/// How many to-dos are open.
#[must_use]
pub fn open_count(open: usize) -> String {
    match open {
        0 => String::new(),
        open => format!("{} open", number(open)),
    }
}

/// A group's name.
#[must_use]
pub fn group_name(group: Group) -> &'static str {
    match group {
        Group::Overdue => "Overdue",
        Group::Today => "Today",
        Group::Upcoming => "Upcoming",
        Group::NoDate => "No date",
        Group::Done => "Done",
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
        Priority::None => "None",
        Priority::Low => "Low",
        Priority::Medium => "Medium",
        Priority::High => "High",
        Priority::Urgent => "Urgent",
    }
}

/// A priority beside other things that are said of a to-do.
#[must_use]
pub fn priority_of(priority: Priority) -> String {
    format!("{} priority", priority_name(priority))
}

/// That a to-do is a part of another one, whose title may not be known here.
#[must_use]
pub fn part_of(whole: Option<&str>) -> String {
    whole.map_or_else(|| format!("part of {ANOTHER_TODO}"), |title| format!("part of “{title}”"))
}

/// What else a change was about.
#[must_use]
pub fn with_others(count: usize) -> String {
    match count {
        1 => "One other to-do changed with it, and goes back with it.".to_owned(),
        _ => format!("{} others changed with it, and go back with it.", number(count)),
    }
}

/// The box of a to-do.
#[must_use]
pub fn mark_done(title: &str) -> String {
    format!("Done: {title}")
}

/// The bin of a to-do.
#[must_use]
pub fn delete_named(title: &str) -> String {
    format!("Delete {title}")
}

/// A tool at work.
#[must_use]
pub fn doing(tool: &str) -> Option<&'static str> {
    Some(match tool {
        "todo_create" => ADDING,
        "todo_list" | "todo_get" => "Looking at your to-dos…",
        "todo_update" => "Changing…",
        "todo_complete" => "Checking off…",
        "todo_reopen" => "Reopening…",
        "todo_delete" | "todo_clear_completed" => "Deleting…",
        _ => return None,
    })
}

/// A list that was read.
#[must_use]
pub fn looked_at(shown: usize, total: u64) -> String {
    match (shown, total) {
        (_, 0) => "Looked at your to-dos: none found".to_owned(),
        (_, 1) => "Looked at your to-dos: 1 found".to_owned(),
        (shown, total) if (shown as u64) < total => {
            format!("Looked at your to-dos: {total} found, {shown} read")
        }
        (_, total) => format!("Looked at your to-dos: {total} found"),
    }
}

/// A to-do that can be made of what was typed.
#[must_use]
pub fn add_named(title: &str) -> String {
    format!("Add to-do “{title}”")
}

/// A to-do in the palette.
#[must_use]
pub fn todo_named(title: &str) -> String {
    format!("To-do: {title}")
}

/// An open to-do in the palette, to be checked off.
#[must_use]
pub fn check_named(title: &str) -> String {
    format!("Check off “{title}”")
}

/// A done to-do in the palette.
#[must_use]
pub fn reopen_named(title: &str) -> String {
    format!("Reopen “{title}”")
}
