//! When to remind of a to-do: "remind me an hour before", "with a reminder the day before", "remind me at 9", "remove the reminder from
//! the dentist".

use dates::days::length;
use dates::remind::MORNING;
use dates::when::{When, when};
use jiff::civil::{DateTime, Time};

use crate::lex::{Token, after, longest, starts, trim_signs};
use crate::todo::attrs::Lexicon;
use crate::todo::intent::{Intent, Patch, Target};
use crate::todo::reminder::Reminder;
use crate::todo::target::target;

/// What a person reads who wants to be reminded and says nothing to be reminded of.
pub const HOW: &str = "I can remind you at a time, or so long before a to-do is due: say “remind me at five to call mum”, or “remind me an \
     hour before the dentist”. It comes while this page is open in a tab; what was missed is shown when you open it again.";

/// So many minutes before something is "beforehand".
const BEFOREHAND: i64 = 30;

/// When evenings are.
const EVENING: Time = Time::constant(18, 0, 0, 0);

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
        "remove|clear|cancel|drop|delete the|its|my|a reminder|alarm|alert",
        "turn|switch|take off the|its|my reminder|alarm|alert",
        "remove|clear|cancel reminder|reminders|alarms",
        "no reminder",
    ];
    if let Some(aim) = after(tokens, &["cancel the reminder for"]).filter(|aim| !aim.is_empty()) {
        return Some(change(target(aim, lexicon), Reminder::Cancelled));
    }
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
    let about = after(rest, &["of|about|for|on"]);
    let ends = about.and_then(|rest| {
        let whole = |at: &usize| {
            // "remind me about lunch early" is something new: how long before is said here.
            let (from, _) = before(&rest[*at..]);
            from > 0 && ahead(&rest[*at..]).is_some_and(|(n, _)| at + n == rest.len())
        };
        let at = (1..rest.len()).find(whole)?;
        // "on friday" is when, and not what.
        when(&rest[..at], lexicon.now).is_none().then_some((&rest[..at], ahead(&rest[at..])?.1))
    });
    if let Some((aim, said)) = ends {
        return Some(change(target(aim, lexicon), said));
    }
    let rest = about.unwrap_or(rest);
    let (n, said) = before(rest);
    let aim =
        after(&rest[n..], &["before", "ahead of", "prior to"]).filter(|aim| n > 0 && !aim.is_empty())?;
    when(aim, lexicon.now).is_none().then(|| change(target(aim, lexicon), said))
}
