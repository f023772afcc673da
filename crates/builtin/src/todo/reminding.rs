//! When to remind of a to-do: "remind me an hour before", "with a reminder the day before", "remind me at 9", "remove the reminder from
//! the dentist".

use dates::calendar::days_later;
use dates::days::length;
use dates::due::Due;
use dates::remind::{MORNING, Remind, spoken};
use dates::when::{When, when};
use jiff::civil::{DateTime, Time};

use crate::lex::{Token, after, longest, starts, trim_signs};
use crate::text::quoted;
use crate::todo::attrs::Lexicon;
use crate::todo::intent::{Intent, Patch, Target};
use crate::todo::rows::Todo;
use crate::todo::target::target;

/// What a person reads who wants to be reminded and says nothing to be reminded of.
pub const HOW: &str = "I can remind you at a time, or so long before a to-do is due: say “remind me at five to call mum”, or “remind me an \
     hour before the dentist”. The reminder comes while Satchel is open in a tab; what was missed is shown when you open it again.";

/// So many minutes before something is "beforehand".
const BEFOREHAND: i64 = 30;

/// When evenings are.
const EVENING: Time = Time::constant(18, 0, 0, 0);

/// When to remind, as it was said.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reminder {
    /// So many minutes before it is due.
    Before(i64),
    /// On the day before, at a time.
    DayBefore(Time),
    /// At a time; on the day on which it is due, where no day is said.
    At(When),
    /// Not at all.
    Never,
}

impl Reminder {
    /// As the tools take it. None for none, and where it is before what has no date.
    pub fn remind(self, due: Option<&str>, now: DateTime) -> Option<Remind> {
        let due = due.and_then(|due| due.parse::<Due>().ok());
        match self {
            Self::Before(minutes) => due.map(|_| Remind::Before(minutes)),
            Self::DayBefore(time) => {
                let moment = days_later(due?.date(), -1)?.to_datetime(time);
                Some(Remind::of(moment, due))
            }
            Self::At(said) => {
                let day = said.date.or(due.map(Due::date));
                let at = When::new(day, said.time).due(now).parse::<Due>().ok()?;
                Some(Remind::At(match at {
                    Due::Day(day) => day.to_datetime(MORNING),
                    Due::At(time) => time,
                }))
            }
            Self::Never => None,
        }
    }

    /// Whether it needs a date to be before.
    pub fn is_before(self) -> bool {
        matches!(self, Self::Before(_) | Self::DayBefore(_))
    }
}

/// A reminder of the tools in words: "a reminder 30 minutes before".
pub fn in_words(remind: &str, now: Option<DateTime>) -> String {
    remind.parse::<Remind>().map(|remind| format!("reminder {}", spoken(remind, now))).unwrap_or_default()
}

/// What is said of to-dos that were made with a reminder: when the first comes.
pub fn promised(todos: &[Todo], now: Option<DateTime>) -> Option<String> {
    let moment = |todo: &Todo| {
        let remind = todo.remind.as_deref()?.parse::<Remind>().ok()?;
        remind.moment(todo.due.as_deref().and_then(|due| due.parse().ok()))
    };
    let first = todos.iter().filter_map(moment).min()?;
    let said = dates::due::spoken(&Due::At(first).to_string(), now);
    Some(match now.is_some_and(|now| first <= now) {
        true => "That time is over, so I remind you at once.".to_owned(),
        false => {
            format!("I will remind you: {said}. If Satchel is not open then, you see it when you open it.")
        }
    })
}

/// What is said where something is to be before what has no date.
pub fn no_date(todo: &str) -> String {
    format!(
        "{} has no date yet, so I cannot tell when that is. Say when it is due, and I can remind you before.",
        quoted(todo)
    )
}

/// Words that ask to be reminded of what was said before.
const ASKS: &[&str] = &[
    "remind|notify|alert|ping|nudge me",
    "with a|an reminder|alarm|alert|notification",
    "set|add|make a|an reminder|alarm|alert|notification",
    "with reminder",
    "reminder|alarm|alert|notification",
    "and remind|notify|alert|ping|nudge me",
];

/// "an hour before", "the evening before", "beforehand"; how many tokens.
fn ahead(tokens: &[Token]) -> Option<(usize, Reminder)> {
    const AHEAD: &[&str] = &[
        "before|earlier|prior|ahead|beforehand|early",
        "in advance|time",
        "ahead of time",
        "before it|that|then|this",
        "before the event|time|date|deadline",
        "before it's|its due",
    ];
    let (from, said) = before(tokens);
    let n = longest(&tokens[from..], AHEAD)?;
    Some((from + n, said))
}

/// How long before; how many tokens. Some time before, where nothing is said.
fn before(tokens: &[Token]) -> (usize, Reminder) {
    if let Some((n, span)) = length(tokens) {
        let days = span.months.saturating_mul(30).saturating_add(span.days);
        return (n, Reminder::Before(days.saturating_mul(1_440).saturating_add(span.minutes)));
    }
    for (words, reminder) in [
        ("the|a day", Reminder::Before(1_440)),
        ("the|a week", Reminder::Before(7 * 1_440)),
        ("the|an night|evening", Reminder::DayBefore(EVENING)),
        ("the|a morning", Reminder::DayBefore(MORNING)),
    ] {
        if let Some(n) = starts(tokens, words) {
            return (n, reminder);
        }
    }
    (0, Reminder::Before(BEFOREHAND))
}

/// What is behind the words that ask, without "of it" and "for".
fn asked_for(tokens: &[Token]) -> Option<&[Token]> {
    let rest = &tokens[longest(tokens, ASKS)?..];
    let rest = &rest[starts(rest, "of|about it|this|that").unwrap_or(0)..];
    Some(&rest[starts(rest, "for").unwrap_or(0)..])
}

/// Whether these words ask to be reminded of what was just said, and nothing else: "remind me an hour before", "with a
/// reminder the day before"; and when.
pub fn reminder(tokens: &[Token]) -> Option<Reminder> {
    let tokens = trim_signs(tokens);
    let rest = asked_for(tokens)?;
    if rest.is_empty() {
        return tokens[0].of("with").then_some(Reminder::Before(0));
    }
    ahead(rest).filter(|(n, _)| *n == rest.len()).map(|(_, said)| said)
}

/// "remind me at 9": only a time, for what was said before it.
pub fn at(tokens: &[Token], now: DateTime) -> Option<When> {
    let tokens = trim_signs(tokens);
    let n = starts(tokens, "remind|notify|alert me")?;
    let n = n + starts(&tokens[n..], "of|about it|this|that").unwrap_or(0);
    let (m, said) = when(&tokens[n..], now)?;
    (n + m == tokens.len()).then_some(said)
}

/// A reminder for a to-do that is there: "remind me an hour before the dentist", "remind me about the dentist a day before", "remind me an
/// hour before" of what was just talked about, "remove the reminder from the dentist".
pub fn asked(tokens: &[Token], lexicon: &Lexicon) -> Option<Intent> {
    let tokens = trim_signs(tokens);
    let change =
        |aim: Target, said: Reminder| Intent::change(aim, Patch { remind: Some(said), ..Patch::default() });
    const OFF: &[&str] = &[
        "remove|clear|cancel|drop the|its|my|a reminder|alarm|alert",
        "turn|switch|take off the|its|my reminder|alarm|alert",
        "remove|clear|cancel reminder|reminders|alarms",
        "no reminder",
    ];
    if let Some(rest) = after(tokens, OFF) {
        return match after(rest, &["from|for|on|of"]) {
            None => rest.is_empty().then(|| change(Target::It, Reminder::Never)),
            // "Cancel the reminder of the dentist to call back" is about a to-do that is called so.
            Some(aim) => (!aim.is_empty()).then(|| change(target(aim, lexicon), Reminder::Never)),
        };
    }
    if let Some(said) = reminder(tokens).filter(|_| !tokens[0].of("with and")) {
        return Some(change(Target::It, said));
    }
    if let Some(said) = at(tokens, lexicon.now) {
        return Some(change(Target::It, Reminder::At(said)));
    }
    let n = longest(tokens, ASKS).filter(|_| tokens[0].of("remind notify alert ping nudge set add make"))?;
    let rest = &tokens[n..];
    // "remind me two days before christmas to buy a tree" is something new.
    if rest.iter().any(|token| token.of("to and")) {
        return None;
    }
    if let Some(rest) = after(rest, &["of|about|for|on"]) {
        let at = (1..rest.len()).find(|at| ahead(&rest[*at..]).is_some_and(|(n, _)| at + n == rest.len()))?;
        let (_, said) = ahead(&rest[at..])?;
        return Some(change(target(&rest[..at], lexicon), said));
    }
    let (n, said) = before(rest);
    let aim =
        after(&rest[n..], &["before", "ahead of", "prior to"]).filter(|aim| n > 0 && !aim.is_empty())?;
    when(aim, lexicon.now).is_none().then(|| change(target(aim, lexicon), said))
}
