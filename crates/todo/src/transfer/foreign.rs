//! What the readers of other programs' files share: ids, what has no place here, and the words that say so.

use std::collections::BTreeMap;

use dates::due::Due;
use dates::iso::{day_at_start, day_text, read_day, read_moment, two};
use jiff::civil::{Date, DateTime, Time};
use serde_json::Value;
use store::Moment;

use super::{Draft, Drafts, made_up};
use crate::change::counted;
use crate::text::{MAX_LIST, MAX_NOTES};

/// A file of another program as it is read.
#[derive(Default)]
pub(super) struct Reading {
    found: Drafts,
    /// How often the file said the same, of which ids are made: of what is done, and of what is open.
    said: BTreeMap<String, [usize; 2]>,
    /// What was left out: the words for one and for several, and how many.
    left_out: Vec<(&'static str, &'static str, usize)>,
    in_words: usize,
    moved: usize,
}

impl Reading {
    /// An id made of what a file says of a to-do: the same the next time. What it says twice is two to-dos.
    pub fn id(&mut self, said: &str) -> String {
        self.id_of(said, false)
    }

    /// The same where what is done must stay the one that it was when the file has grown: what is done is numbered first, wherever it
    /// stands. All that is done is [`Reading::expect`]ed before.
    pub fn id_of(&mut self, said: &str, is_done: bool) -> String {
        let counts = self.said.entry(said.to_owned()).or_default();
        let count = &mut counts[usize::from(!is_done)];
        *count += 1;
        made_up(&format!("{count} {said}"))
    }

    /// A to-do that is done, of which the file says this, is to come: those that are open are numbered after it.
    pub fn expect(&mut self, said: &str) {
        self.said.entry(said.to_owned()).or_default()[1] += 1;
    }

    /// Takes a to-do.
    pub fn push(&mut self, draft: Draft) {
        self.found.drafts.push(draft);
    }

    /// The to-dos so far.
    pub fn drafts(&mut self) -> &mut Vec<Draft> {
        &mut self.found.drafts
    }

    /// Refuses what begins at a line.
    pub fn reject(&mut self, line: usize, why: &str) {
        self.found.rejected.push((line, why.to_owned()));
    }

    /// Says something of the whole file.
    pub fn note(&mut self, note: Option<String>) {
        self.found.notes.extend(note);
    }

    /// Counts what has no place here: `leave_out(2, "link was", "links were")`.
    pub fn leave_out(&mut self, count: usize, one: &'static str, many: &'static str) {
        match self.left_out.iter_mut().find(|(known, ..)| *known == one) {
            Some((.., before)) => *before += count,
            None => self.left_out.push((one, many, count)),
        }
    }

    /// Keeps in the notes, where a person reads it, what only its own program understands ("every other day").
    pub fn words(&mut self, draft: &mut Draft, said: &str) {
        if !said.is_empty() {
            draft.note(said);
            self.in_words += 1;
        }
    }

    /// Takes the items of a checklist, and whether each is done, as parts of their to-do.
    pub fn parts(&mut self, line: usize, parent: &str, list: &str, items: &[(&str, bool)]) {
        let said = |title: &str| format!("{parent}\n{title}");
        items.iter().filter(|(_, is_done)| *is_done).for_each(|(title, _)| self.expect(&said(title)));
        for (title, is_done) in items {
            let mut draft = Draft::named_here(line, &self.id_of(&said(title), *is_done), title);
            draft.in_list(list);
            draft.say("parent", parent);
            if *is_done {
                draft.done(None);
            }
            self.push(draft);
        }
    }

    /// Says when a to-do is planned and by when it must be done, of which one is its date here.
    pub fn plan(&mut self, draft: &mut Draft, date: &str, deadline: &str) {
        let (date, deadline) = if date.is_empty() { (deadline, "") } else { (date, deadline) };
        if date.parse::<Due>().is_ok() {
            draft.say("due", date);
        } else {
            self.words(draft, date);
        }
        if !deadline.is_empty() {
            draft.note(&format!("Deadline: {deadline}"));
        }
    }

    /// What a person's clock shows at a moment in UTC, by today's distance from it: no zone database is linked (ADR 0011).
    pub fn local(&mut self, utc: DateTime, here: &Moment) -> Option<DateTime> {
        self.moved += 1;
        dates::calendar::minutes_later(utc, i64::from(here.offset_s.div_euclid(60)))
    }

    /// All of it, with what was left out said.
    pub fn finish(mut self) -> Drafts {
        self.found.notes.extend(said_in_words(self.in_words));
        self.found.notes.extend(said_moved(self.moved));
        let left_out = self.left_out.iter().filter(|(.., count)| *count > 0);
        let notes = left_out.map(|(one, many, count)| format!("{} left out.", counted(*count, one, many)));
        self.found.notes.extend(notes);
        self.found
    }
}

impl Draft {
    /// A to-do that has no id of ours in its file.
    pub(super) fn named_here(line: usize, id: &str, title: &str) -> Self {
        let mut draft = Self { line, is_named_here: true, ..Self::default() };
        draft.say("id", id);
        draft.say("title", title);
        draft
    }

    /// When it is due, as far as it is said.
    pub(super) fn due(&self) -> Option<Due> {
        self.given.get("due")?.as_str()?.parse().ok()
    }

    /// Says the list. A name that is too long is no reason to leave out all that is in it: it is cut.
    pub(super) fn in_list(&mut self, name: &str) {
        self.say("list", &name.chars().take(MAX_LIST).collect::<String>());
    }

    /// Adds a line to the notes.
    pub(super) fn note(&mut self, more: &str) {
        let notes = self.given.get("notes").and_then(Value::as_str).unwrap_or_default();
        // Notes that are too long are refused. To add more and more to them would take a time that grows with the square.
        if notes.len() > MAX_NOTES * 4 {
            return;
        }
        let notes = if notes.is_empty() { more.to_owned() } else { format!("{notes}\n{more}") };
        self.say("notes", &notes);
    }

    /// Adds a tag, which is one word here: others have several in one.
    pub(super) fn tag(&mut self, said: &str) {
        let words = said.split(|letter: char| letter.is_whitespace() || matches!(letter, ',' | '#'));
        let tag = words.filter(|word| !word.is_empty()).collect::<Vec<_>>().join("-");
        if tag.is_empty() {
            return;
        }
        if let Value::Array(tags) = self.given.entry("tags").or_insert_with(|| Value::Array(Vec::new())) {
            tags.push(tag.into());
        }
    }

    /// Says that it is done, and since when, where that is known. That it is open is not said: who has done it here since the
    /// file was written does not want it back.
    pub(super) fn done(&mut self, at: Option<String>) {
        self.say("status", "done");
        self.say("completed", &at.unwrap_or_default());
    }
}

/// What is said of dates that only their own program understands.
pub(super) fn said_in_words(count: usize) -> Option<String> {
    let dates = counted(count, "date is in words and stands", "dates are in words and stand");
    (count > 0).then(|| format!("{dates} in the notes now."))
}

/// What is said of times in UTC.
pub(super) fn said_moved(count: usize) -> Option<String> {
    let times = counted(count, "time in UTC was", "times in UTC were");
    (count > 0).then(|| {
        format!(
            "{times} converted to your local time as it is today: across a change to or from summer time that is an hour off."
        )
    })
}

/// What another program's word for a priority is here, by a table of its words. Nothing where the table does not have it.
pub(super) fn priority(table: &[(&str, &'static str)], said: &str) -> &'static str {
    table.iter().find(|(word, _)| word.eq_ignore_ascii_case(said)).map_or("", |(_, ours)| ours)
}

/// A moment in UTC: `2026-11-22T10:00:00.000Z`; also with `+0100` or `+01:00` in place of the Z, or nothing.
pub(super) fn instant(text: &str) -> Option<DateTime> {
    let moment = read_moment(text.get(..19)?)?;
    let zone = text.get(19..)?.trim_start_matches(|letter: char| letter == '.' || letter.is_ascii_digit());
    let digits = zone.get(1..).unwrap_or_default().replace(':', "");
    let minutes = match zone.as_bytes().first() {
        None | Some(b'Z') => 0,
        Some(sign @ (b'+' | b'-')) => {
            let away = i64::from(two(digits.as_bytes(), 0)?) * 60 + i64::from(two(digits.as_bytes(), 2)?);
            if *sign == b'+' { -away } else { away }
        }
        Some(_) => return None,
    };
    dates::calendar::minutes_later(moment, minutes)
}

/// A moment as a to-do has it: `2026-11-22T10:00:00Z`.
pub(super) fn stamp(text: &str) -> Option<String> {
    let at = instant(text)?;
    let day = day_text(at.date());
    Some(format!("{day}T{:02}:{:02}:{:02}Z", at.hour(), at.minute(), at.second()))
}

/// A time of day: `9:30:00 AM`, `09:30`, `21.30`.
pub(super) fn clock(text: &str) -> Option<Time> {
    let lower = text.to_lowercase();
    let mut numbers = lower.split(|letter: char| !letter.is_ascii_digit()).filter(|part| !part.is_empty());
    let hour: i8 = numbers.next()?.parse().ok()?;
    let minute: i8 = numbers.next().unwrap_or("0").parse().ok()?;
    let hour = match (hour, lower.contains('a'), lower.contains('p')) {
        (12, true, _) => 0,
        (1..12, _, true) => hour + 12,
        _ => hour,
    };
    Time::new(hour, minute, 0, 0).ok()
}

/// Whether dates with slashes have the month first, by the whole file: a number above 12 is a day. None where nothing decides,
/// or one date says this and another that.
pub(super) fn is_month_first<'a>(dates: impl Iterator<Item = &'a str>) -> Option<bool> {
    let (mut is_first, mut is_second) = (false, false);
    for date in dates {
        let mut numbers = date.split('/').map(|part| part.trim().parse::<u8>().unwrap_or_default());
        let (one, other) = (numbers.next().unwrap_or_default(), numbers.next().unwrap_or_default());
        is_second |= one > 12 && other <= 12;
        is_first |= other > 12 && one <= 12;
    }
    (is_first != is_second).then_some(is_first)
}

/// A date in digits of any country, and whether it can be read in two ways: `11/22/2026`, `22/11/2026`, `22.11.2026`,
/// `22-11-2026`, `2026-11-22`, `2026/11/22`. What stands after a space (a time that nobody said) is not read.
pub(super) fn date(text: &str, is_month_first: bool, today: Date) -> Option<(Date, bool)> {
    let word = text.split_whitespace().next()?;
    if let Some(day) = read_day(word).or_else(|| day_at_start(word, b'/')).filter(|_| word.len() == 10) {
        return Some((day, false));
    }
    // Where hyphens are not those of ISO 8601 the day is first, as it is with dots.
    let (day_first, month_first) = dates::days::written(&word.replace('-', "."), today)?;
    Some((month_first.filter(|_| is_month_first).unwrap_or(day_first), month_first.is_some()))
}
