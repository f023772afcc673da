//! A reminder as it was said, what the tools take for it, and what a person reads of it.

use dates::calendar::days_later;
use dates::due::Due;
use dates::remind::{MORNING, Remind, spoken};
use dates::when::When;
use jiff::civil::{DateTime, Time};

use crate::text::quoted;
use crate::todo::rows::Todo;

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
    /// It is cancelled: the reminder of what has one, else what was called so, which is the to-do.
    Cancelled,
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
                let at = |day| {
                    Some(match When::new(day, said.time).due(now).parse::<Due>().ok()? {
                        Due::Day(day) => day.to_datetime(MORNING),
                        Due::At(time) => time,
                    })
                };
                if let Some(day) = said.date {
                    return at(Some(day)).map(Remind::At);
                }
                // Of a day that is over nobody wants to be reminded. What is on the day on which it is due moves with it.
                let on_its_day = due.and_then(|due| at(Some(due.date()))).filter(|moment| *moment > now);
                on_its_day.map(|moment| Remind::of(moment, due)).or_else(|| at(None).map(Remind::At))
            }
            Self::Never | Self::Cancelled => None,
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
            format!("I will remind you: {said}. If this page is not open then, you see it when you open it.")
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
