//! What hangs on a to-do's title: a date, a repetition, a priority, tags, a list. Peeled off the
//! ends of the words; what stays is the title.
//!
//! Inside a title nothing is taken but `#tags`, `!marks`, and a date that a preposition follows
//! ("call mum tomorrow about the party"), so that "Read USA Today weekly digest" keeps its words.

use crate::todo::urgency::{level, reported, urgency};
use crate::verbs::{DOING, moved_to};
use std::collections::BTreeSet;
use std::ops::Range;

use dates::beginnings::{self, begun};
use dates::calendar::{ToSpan, later_day};
use dates::clock::{Clock, clock, part_of_day, within};
use dates::days::{in_digits, length};
use dates::iso::day_text;
use dates::names::weekday;
use dates::repeat::{Repeat, repeat};
use dates::when::{When, when, when_due};
use jiff::civil::{Date, DateTime, Time};

use crate::lex::{Kind, Token, capitalised, longest, starts, text_of, trim_signs};
use crate::todo::hours::timed;

/// What reading words needs to know: the time, and the lists seen in the conversation.
#[derive(Clone, Debug)]
pub struct Lexicon {
    /// Now, where the person is.
    pub now: DateTime,
    /// Names of lists, as the to-dos spell them.
    pub lists: BTreeSet<String>,
}

/// What was peeled off.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Attrs {
    /// A date or time.
    pub when: Option<When>,
    /// A repetition.
    pub repeat: Option<Repeat>,
    /// A priority by the tools' word.
    pub priority: Option<&'static str>,
    /// Tags, in order.
    pub tags: Vec<String>,
    /// A list's name.
    pub list: Option<String>,
}

/// One attribute.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Attr {
    When(When),
    Repeat(Repeat),
    Priority(&'static str),
    Tags(Vec<String>),
    /// `None` is "my to-do list": every to-do is on it.
    List(Option<String>),
}

impl Attrs {
    /// Whether nothing was found.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Takes one more; false where there is another one of its kind already, whose place it cannot have.
    fn take(&mut self, attr: Attr) -> bool {
        match attr {
            Attr::When(said) => {
                let known = self.when.get_or_insert(said);
                let other_day = said.date.is_some() && known.date.is_some_and(|day| Some(day) != said.date);
                let other_time =
                    said.time.is_some() && known.time.is_some_and(|time| Some(time) != said.time);
                if other_day || other_time {
                    return false;
                }
                if known.date.is_none() {
                    (known.date, known.other) = (said.date, said.other);
                }
                if known.time.is_none() {
                    (known.time, known.guessed) = (said.time, said.guessed);
                }
            }
            Attr::Repeat(said) => {
                if self.repeat.as_ref().is_some_and(|known| *known != said) {
                    return false;
                }
                self.repeat = Some(said);
            }
            Attr::Priority(said) => self.priority = self.priority.or(Some(said)),
            Attr::Tags(said) => {
                for tag in said {
                    if !self.tags.contains(&tag) {
                        self.tags.push(tag);
                    }
                }
            }
            Attr::List(said) => {
                if said.is_some() && self.list.is_some() && self.list != said {
                    return false;
                }
                self.list = self.list.take().or(said);
            }
        }
        true
    }

    /// The due value these say; a repetition without a date begins on its first day.
    pub fn due(&self, now: DateTime) -> Option<String> {
        let Some(repeat) = &self.repeat else {
            return self.when.map(|when| when.due(now));
        };
        Some(When::new(Some(self.begin(repeat, now)), self.clock(repeat)).due(now))
    }

    /// A repetition's time of day; "every evening … at 9" says which half.
    fn clock(&self, repeat: &Repeat) -> Option<Time> {
        match (self.when.and_then(|when| when.time), repeat.time) {
            (Some(said), Some(part)) => Some(within(part, Clock { time: said, sure: said.hour() > 12 }).0),
            (said, part) => said.or(part),
        }
    }

    /// The day a repetition begins on.
    fn begin(&self, repeat: &Repeat, now: DateTime) -> Date {
        let time = self.clock(repeat);
        self.when.and_then(|w| w.date).unwrap_or_else(|| repeat.first_at(time, now))
    }

    /// The rule these say, as it is from the day on which it begins.
    pub fn rule(&self, now: Option<DateTime>) -> Option<String> {
        let repeat = self.repeat.as_ref()?;
        let begin = now.map_or(repeat.first, |now| self.begin(repeat, now));
        Some(repeat.rule_from(begin))
    }

    /// Fills what is unsaid here from there.
    pub fn or(&mut self, other: &Self) {
        self.when = self.when.or(other.when);
        self.repeat = self.repeat.take().or_else(|| other.repeat.clone());
        self.priority = self.priority.or(other.priority);
        self.list = self.list.take().or_else(|| other.list.clone());
        self.take(Attr::Tags(other.tags.clone()));
    }
}

/// Takes the attributes off the words: marks anywhere, the rest at the end and at the start.
pub fn peel(tokens: &[Token], lexicon: &Lexicon) -> (Vec<Token>, Attrs) {
    peel_beside(tokens, lexicon, &Attrs::default())
}

/// The same beside what is known already: another date stays in the title, whose it then is ("remind me tomorrow to
/// book a table for friday").
pub fn peel_beside(tokens: &[Token], lexicon: &Lexicon, known: &Attrs) -> (Vec<Token>, Attrs) {
    if let Some(timed) = timed(tokens, lexicon, known) {
        return timed;
    }
    let mut rest = tokens.to_vec();
    let mut attrs = Attrs { when: known.when, repeat: known.repeat.clone(), ..Attrs::default() };
    marks(&mut rest, &mut attrs);
    if let Some((range, attr)) = foremost(&rest, lexicon)
        && attrs.take(attr)
    {
        rest.drain(range);
    }
    ends(&mut rest, &mut attrs, lexicon);
    fronts(&mut rest, &mut attrs, lexicon);
    if let Some((range, attr)) = inside(&rest, lexicon)
        && attrs.take(attr)
    {
        rest.drain(range);
    }
    (rest, attrs)
}

/// Of two days the one within, where the one at the end belongs to what is done: "buy tickets tomorrow for saturday",
/// but not "draft it tomorrow for the talk, due monday".
fn foremost(rest: &[Token], lexicon: &Lexicon) -> Option<(Range<usize>, Attr)> {
    let (from, Attr::When(last)) = at_end(rest, lexicon)? else { return None };
    let due = rest[from].of("due by before until till no");
    let (range, attr) = inside(rest, lexicon)?;
    let Attr::When(first) = &attr else { return None };
    let two = first.date.is_some() && last.date.is_some() && first.date != last.date;
    (two && !due && range.end <= from).then_some((range, attr))
}

/// The same at the end only: for words that name a to-do which exists.
pub fn peel_end(tokens: &[Token], lexicon: &Lexicon) -> (Vec<Token>, Attrs) {
    let mut rest = tokens.to_vec();
    let mut attrs = Attrs::default();
    ends(&mut rest, &mut attrs, lexicon);
    (rest, attrs)
}

fn ends(rest: &mut Vec<Token>, attrs: &mut Attrs, lexicon: &Lexicon) {
    while let Some((from, attr)) = at_end(rest, lexicon)
        && attrs.take(attr)
    {
        rest.truncate(from);
        while rest.last().is_some_and(|t| t.kind == Kind::Sign && !t.sign(")") || t.of("and with - – — &"))
        {
            rest.pop();
        }
    }
}

/// What the words say when they are attributes and nothing else.
pub fn peel_whole(tokens: &[Token], lexicon: &Lexicon) -> Option<Attrs> {
    let (left, attrs) = peel(tokens, lexicon);
    (trim_signs(&left).is_empty() && !attrs.is_empty()).then_some(attrs)
}

/// The same at the front only.
pub fn peel_front(tokens: &[Token], lexicon: &Lexicon) -> (Vec<Token>, Attrs) {
    let mut rest = tokens.to_vec();
    let mut attrs = Attrs::default();
    fronts(&mut rest, &mut attrs, lexicon);
    (rest, attrs)
}

fn fronts(rest: &mut Vec<Token>, attrs: &mut Attrs, lexicon: &Lexicon) {
    while let Some((n, attr)) = at_start(rest, lexicon)
        && attrs.take(attr)
    {
        rest.drain(..n);
        while rest.first().is_some_and(|t| t.kind == Kind::Sign && !t.sign("(") || t.of("- – —")) {
            rest.remove(0);
        }
    }
}

/// `@Groceries`, as other lists of to-dos have it.
pub fn names_a_list(token: &Token) -> bool {
    let name = token.text.strip_prefix('@');
    token.kind == Kind::Word
        && token.lower.starts_with('@')
        && name.is_some_and(|name| name.starts_with(char::is_alphanumeric))
}

/// `#tag`, `!high`, `p1` anywhere.
fn marks(rest: &mut Vec<Token>, attrs: &mut Attrs) {
    rest.retain(|token| {
        let found = match token.kind {
            Kind::Tag => Some(Attr::Tags(vec![token.lower.clone()])),
            Kind::Word => mark(&token.lower).map(Attr::Priority),
            Kind::Quoted | Kind::Sign => None,
        };
        let keep = found.is_none();
        if let Some(attr) = found {
            attrs.take(attr);
        }
        keep
    });
}

/// A kind of what hangs on a title.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum What<'a> {
    /// A date or time.
    When,
    /// A repetition.
    Repeat,
    /// A priority.
    Priority,
    /// A list's name.
    List,
    /// This tag.
    Tag(&'a str),
}

/// Where words say something of this kind that would be taken off the title; none where there is none.
pub fn place_of(tokens: &[Token], what: &What<'_>, lexicon: &Lexicon) -> Option<Range<usize>> {
    let (_, attrs) = peel(tokens, lexicon);
    let is_there = match what {
        What::When => attrs.when.is_some(),
        What::Repeat => attrs.repeat.is_some(),
        What::Priority => attrs.priority.is_some(),
        What::List => attrs.list.is_some(),
        What::Tag(tag) => attrs.tags.iter().any(|known| known == tag),
    };
    (0..tokens.len()).filter(|_| is_there).find_map(|at| {
        let token = &tokens[at];
        let marked = match what {
            What::Tag(tag) => token.kind == Kind::Tag && token.lower == *tag,
            What::Priority => token.kind == Kind::Word && mark(&token.lower).is_some(),
            What::When | What::Repeat | What::List => false,
        };
        if marked {
            return Some(at..at + 1);
        }
        let (n, attr) = attr_at(tokens, at, lexicon)?;
        let meant = match (attr, what) {
            (Attr::When(_), What::When)
            | (Attr::Repeat(_), What::Repeat)
            | (Attr::Priority(_), What::Priority)
            | (Attr::List(_), What::List) => true,
            (Attr::Tags(tags), What::Tag(tag)) => tags.iter().any(|known| known == tag),
            _ => false,
        };
        meant.then_some(at..at + n)
    })
}

/// A mark that stands for a priority by itself.
pub fn mark(word: &str) -> Option<&'static str> {
    match word {
        "!!!" | "p1" | "!1" => Some("urgent"),
        "!!" | "p2" | "!2" => Some("high"),
        "p3" | "!3" => Some("medium"),
        "p4" | "!4" => Some("low"),
        _ => word.strip_prefix('!').and_then(level),
    }
}

fn at_end(rest: &[Token], lexicon: &Lexicon) -> Option<(usize, Attr)> {
    if let [.., token] = rest
        && names_a_list(token)
        && clock(std::slice::from_ref(token)).is_none()
    {
        return Some((rest.len() - 1, Attr::List(Some(list_name(&token.text[1..], lexicon)))));
    }
    let from = rest.len().saturating_sub(12);
    (from..rest.len()).find_map(|at| {
        let (n, attr) = attr_at(rest, at, lexicon)?;
        // "from friday to sunday" and "between monday and friday" are stretches of days, and stay in the title.
        let ends = at > 1 && rest[at - 1].of("to until till through and");
        let stretch = ends && {
            let begins: &[&str] = if rest[at - 1].is("and") { &["between"] } else { &["from", "between"] };
            let from = (0..at - 1).rev().take(5).find(|from| rest[*from].any(begins));
            let from = from.map(|from| from + usize::from(rest[from].is("between")));
            from.is_some_and(|from| when(&rest[from..], lexicon.now).is_some_and(|(n, _)| from + n == at - 1))
        };
        (at + n == rest.len() && !stretch && !moved_to(&rest[..at])).then_some((at, attr))
    })
}

fn at_start(rest: &[Token], lexicon: &Lexicon) -> Option<(usize, Attr)> {
    let (n, attr) = attr_at(rest, 0, lexicon)?;
    let next = rest.get(n)?;
    let first = &rest[0];
    let set_off = next.kind == Kind::Sign || next.of("- – —");
    // "Monday report" is a title, "on monday report" is not; "today" and "tomorrow" open a sentence freely.
    let free = match &attr {
        Attr::When(_) => {
            n > 1
                || first.of("today tomorrow tonight tmrw")
                || next.kind == Kind::Quoted
                || in_digits(&first.lower, lexicon.now)
        }
        Attr::Repeat(_) => n > 1,
        Attr::List(_) => n > 1,
        Attr::Priority(_) => first.of("with priority") || rest.get(1).is_some_and(|t| t.is("priority")),
        Attr::Tags(_) => false,
    };
    (set_off || free).then_some((n, attr))
}

/// A date within, when a preposition after it shows that it belongs to no noun.
fn inside(rest: &[Token], lexicon: &Lexicon) -> Option<(Range<usize>, Attr)> {
    const GOES_ON: &str = "about with for to from in because regarding re via so if or at before after near";
    (1..rest.len()).find_map(|at| {
        let (n, attr) = attr_at(rest, at, lexicon)?;
        let dated = matches!(attr, Attr::When(_) | Attr::Repeat(_));
        let next = rest.get(at + n)?;
        // "Meet Anna tomorrow and take notes", but "USA Today and" is a name.
        let said = n > 1 || rest[at].text.starts_with(char::is_lowercase);
        let and_does = next.is("and") && said && rest.get(at + n + 1).is_some_and(|t| t.any(DOING));
        // A lone "3/4" within is an amount.
        let amount = n == 1 && matches!(&attr, Attr::When(When { other: Some(_), .. }));
        // "tomorrow between 2 and 4" keeps the hours in the title.
        let hours = next.is("between")
            && n > 0
            && rest.get(at + n + 1).is_some_and(|t| t.lower.starts_with(|c: char| c.is_ascii_digit()));
        let stretch = next.of("to") && when(&rest[at + n + 1..], lexicon.now).is_some();
        let goes_on = !amount
            && !stretch
            && !in_name(rest, at, n)
            && (next.of(GOES_ON) || next.sign("(") || and_does || hours);
        (dated && goes_on).then_some((at..at + n, attr))
    })
}

/// After these a day is what is spoken of, not when it is to be done.
const NOUN_FOLLOWS: &[&str] = &[
    "the", "a", "an", "my", "of", "our", "his", "her", "their", "its", "about", "regarding", "or", "between",
    "than", "since", "versus", "vs", "called", "named",
];
/// Days that have a name of their own with these before them.
const NAMED_DAYS: &[&str] =
    &["black", "good", "easter", "cyber", "ash", "palm", "shrove", "taco", "casual", "super"];

/// Whether a date is part of the name of a film, a book or a song: "watch The Day After Tomorrow".
fn in_name(tokens: &[Token], at: usize, n: usize) -> bool {
    const WORKS: &[&str] = &["read", "reread", "watch", "rewatch", "see", "play", "stream", "hear"];
    let capital = |t: &Token| t.text.starts_with(char::is_uppercase);
    let works = tokens[0].any(WORKS) || starts(tokens, "listen to").is_some();
    let date = &tokens[at..at + n];
    // A weekday has its capital anyway.
    let after = at > 1 && capital(&tokens[at - 1]) && weekday(&tokens[at].lower).is_none();
    let beside = after || tokens.get(at + n).is_some_and(|t| t.of("with in"));
    works && date.iter().all(capital) && (beside || n > 1)
}

/// Whether a lone "3/4" is a share or a place in a row and no date: "1/2", "part 3/4".
fn share(tokens: &[Token], at: usize) -> bool {
    const COUNTED: &[&str] = &[
        "part", "step", "page", "pages", "chapter", "phase", "round", "section", "version", "volume", "vol",
        "lesson", "episode", "season", "score", "level", "unit", "question", "sheet", "ratio", "half", "leg",
    ];
    let word = &tokens[at];
    word.lower.contains('/') && (word.of("1/2 1/3 2/3 1/4") || at > 0 && tokens[at - 1].any(COUNTED))
}

/// An attribute that begins at this place; how many tokens.
fn attr_at(tokens: &[Token], at: usize, lexicon: &Lexicon) -> Option<(usize, Attr)> {
    let rest = &tokens[at..];
    let first = rest.first()?;
    if first.kind == Kind::Quoted {
        return None;
    }
    if let Some((mut n, mut found)) = repeat(rest, lexicon.now) {
        // "every sunday night"
        if let Some(part) = rest.get(n).and_then(|t| part_of_day(&t.lower))
            && found.time.is_none()
            && weekday(&rest[n - 1].lower).is_some()
        {
            found.time = Some(part);
            n += 1;
        }
        // "every tuesday at 8": the time is the repetition's; "every evening at 8" says which half too.
        if let Some((k, When { date: None, time: Some(time), .. })) = when(&rest[n..], lexicon.now) {
            let said = (0..k).find_map(|at| clock(&rest[n + at..]).map(|(_, clock)| clock));
            found.guessed = found.time.is_none() && said.is_some_and(|said| !said.sure);
            found.time = Some(match (found.time, said) {
                (Some(part), Some(said)) => within(part, said).0,
                _ => time,
            });
            n += k;
        }
        // "every sunday, starting in December"
        if let Some((k, begun)) = begun(rest, n, &found, lexicon.now) {
            found = begun;
            n += k;
        }
        if let Some(k) = starts(&rest[n..], "until|till")
            && let Some((j, When { date: Some(day), other: None, .. })) = when(&rest[n + k..], lexicon.now)
        {
            found.rule.push_str(&format!(";UNTIL={}", day_text(day).replace('-', "")));
            n += k + j;
        } else if let Some((k, last)) = beginnings::until_month(&rest[n..], lexicon.now) {
            found.rule.push_str(&format!(";UNTIL={}", day_text(last).replace('-', "")));
            n += k;
        } else if let Some((j, span)) = starts(&rest[n..], "for").and_then(|k| length(&rest[n + k..]))
            && later_day(found.first, span) > later_day(found.first, 1.days())
        {
            // "every day for a week"
            found.lasts = Some(span);
            n += 1 + j;
        }
        return Some((n, Attr::Repeat(found)));
    }
    if let Some((n, found)) = priority(rest, at).filter(|_| !reported(&tokens[..at])) {
        return Some((n, Attr::Priority(found)));
    }
    let set_off = at == 0 || tokens[at - 1].kind == Kind::Sign || tokens[at - 1].of("- – — and");
    if let Some((n, found)) = urgency(rest).filter(|_| set_off) {
        return Some((n, Attr::Priority(found)));
    }
    if let Some((n, found)) = tags(rest) {
        return Some((n, Attr::Tags(found)));
    }
    if let Some((n, found)) = when_due(rest, lexicon.now) {
        // "in the sun", "the news of today", "high noon": nouns, not dates.
        let noun = at > 0
            && (tokens[at - 1].any(NOUN_FOLLOWS)
                || weekday(&first.lower).is_some() && tokens[at - 1].any(NAMED_DAYS)
                || in_name(tokens, at, n) && at + n == tokens.len());
        let lone = n == 1 && first.of("noon midday midnight lunchtime sun sat");
        let part = n == 1 && share(tokens, at);
        // "the notes from last monday": only what was due then is late.
        let past = found.date.is_some_and(|day| day < lexicon.now.date())
            && (1..n).any(|i| rest[i - 1].is("last") && weekday(&rest[i].lower).is_some());
        if !(noun || lone || part || past && !first.is("due")) {
            return Some((n, Attr::When(found)));
        }
    }
    list(rest, lexicon).map(|(n, found)| (n, Attr::List(found)))
}

fn priority(rest: &[Token], at: usize) -> Option<(usize, &'static str)> {
    let mut lead = starts(rest, "and|with|as|at|of").unwrap_or(0);
    lead += rest.get(lead..).and_then(|r| starts(r, "a|an|the")).unwrap_or(0);
    let rest_of = rest.get(lead..)?;
    let first = rest_of.first()?;
    if let Some(found) = level(&first.lower).filter(|_| first.kind == Kind::Word)
        && rest_of.get(1).is_some_and(|t| t.of("priority prio"))
    {
        return Some((lead + 2, found));
    }
    if first.of("priority prio") {
        let colon = usize::from(rest_of.get(1).is_some_and(|t| t.sign(":") || t.of("is = to")));
        let word = rest_of.get(1 + colon)?;
        let found = level(&word.lower).or_else(|| mark(&format!("p{}", word.lower)))?;
        return Some((lead + 2 + colon, found));
    }
    // A lone adjective counts where it cannot belong to a noun: set off, or at the very end.
    let alone = rest_of.len() == 1 || rest_of.get(1).is_some_and(|t| t.kind == Kind::Sign);
    if lead == 0 && alone && first.of("urgent asap urgently") {
        return Some((1, "urgent"));
    }
    let set_off = rest.first().is_some_and(|t| t.is("as")) || at == 0;
    (alone && set_off && first.of("urgent important"))
        .then(|| (lead + 1, level(&first.lower)))
        .and_then(|(n, found)| Some((n, found?)))
}

/// "tagged home", "with the tags home and garden".
fn tags(rest: &[Token]) -> Option<(usize, Vec<String>)> {
    let n = longest(
        rest,
        &[
            "tagged", "tagged as", "tagged with", "with tag|tags", "with the tag|tags", "and tag|tags",
            "tag|tags", "labelled|labeled", "with label|labels", "with the label|labels",
        ],
    )?;
    let mut found = vec![name(rest.get(n)?)?.to_lowercase()];
    let mut at = n + 1;
    while rest.get(at).is_some_and(|t| t.sign(",") || t.of("and &")) {
        let Some(next) = rest.get(at + 1).and_then(name) else { break };
        found.push(next.to_lowercase());
        at += 2;
    }
    Some((at, found))
}

fn name(token: &Token) -> Option<&str> {
    (token.kind != Kind::Sign).then_some(token.text.as_str())
}

/// Words for "the list of everything".
pub const EVERYTHING: &[&str] =
    &["todo", "to-do", "todos", "to-dos", "task", "tasks", "to", "do", "main", "whole", "entire"];
/// Lists people have, known without having been seen; the second half only when written as a name.
const COMMON: [&str; 5] = ["groceries", "grocery", "shopping", "errands", "inbox"];
const COMMON_NAMES: [&str; 5] = ["Work", "Home", "Personal", "Private", "Family"];

/// "to my groceries list", "in Work", "to my to-do list"; how many tokens.
fn list(rest: &[Token], lexicon: &Lexicon) -> Option<(usize, Option<String>)> {
    let lead = starts(rest, "to|in|on|onto|into|under|from")?;
    let mine = rest.get(lead..).and_then(|r| starts(r, "my|the|our")).unwrap_or(0);
    let rest = rest.get(lead + mine..)?;
    let skipped = lead + mine;
    if let Some(n) = starts(rest, "list called|named|for")
        && rest.get(n).is_some_and(|t| rest[1].of("called named") || t.text.starts_with(char::is_uppercase))
    {
        return Some((skipped + n + 1, Some(list_name(&rest.get(n)?.text, lexicon))));
    }
    // Up to three words before "list"; what they say is the name.
    for n in 0..=3.min(rest.len().saturating_sub(1)) {
        if rest[..n].iter().any(|t| t.kind == Kind::Sign) {
            break;
        }
        if rest.get(n).is_none_or(|t| !t.of("list")) {
            continue;
        }
        if mine == 0 && n == 0 {
            // "in list Work", but not "to list ingredients".
            let named =
                rest.get(1).filter(|t| t.kind == Kind::Quoted || t.text.starts_with(char::is_uppercase));
            return named.map(|t| (skipped + 2, Some(list_name(&t.text, lexicon))));
        }
        let words = &rest[..n];
        if words.iter().all(|t| t.any(EVERYTHING)) {
            return Some((skipped + n + 1, None));
        }
        return Some((skipped + n + 1, Some(list_name(&text_of(words), lexicon))));
    }
    let first = rest.first()?;
    if mine > 0 && first.of("todos to-dos tasks") {
        return Some((skipped + 1, None));
    }
    let known = lexicon.lists.iter().any(|l| l.eq_ignore_ascii_case(&first.text));
    let common = COMMON.contains(&first.lower.as_str()) || COMMON_NAMES.contains(&first.text.as_str());
    ((known || common) && first.kind != Kind::Sign)
        .then(|| (skipped + 1, Some(list_name(&first.text, lexicon))))
}

/// A list's name as the conversation spells it, else with a capital.
pub fn list_name(said: &str, lexicon: &Lexicon) -> String {
    lexicon.lists.iter().find(|l| l.eq_ignore_ascii_case(said)).cloned().unwrap_or_else(|| capitalised(said))
}

/// Whether a word names a list that exists or that everyone has.
pub fn names_list(token: &Token, lexicon: &Lexicon) -> bool {
    token.kind == Kind::Word
        && (COMMON.contains(&token.lower.as_str())
            || COMMON_NAMES.contains(&token.text.as_str())
            || lexicon.lists.iter().any(|l| l.eq_ignore_ascii_case(&token.text)))
}
