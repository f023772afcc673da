//! `satchel trip chat`: a conversation that belongs to an itinerary (S4-02, S4-32), with the limits of S4-33.

use std::io::{self, IsTerminal};
use std::path::Path;

use anyhow::{Context as _, anyhow, bail};
use api::wire::SessionState;
use llm::dollars;
use serde_json::{Value, json};
use terminal::{FileLog, Kept, Subject, Todos, plain, write};

use super::{conversations_of, found};
use crate::chat::{Conversation, Spending, Talk, cast, micro_usd, talk};

/// The most one conversation and a month may cost where nobody says, in millionths of a US dollar.
const LIMIT: u64 = 2_000_000;
const MONTH_LIMIT: u64 = 50_000_000;

#[derive(clap::Args)]
pub struct Chat {
    /// The itinerary, by its title or id; one that is not there is made
    #[arg(value_name = "ITINERARY")]
    itinerary: String,
    #[command(flatten)]
    pub talk: Talk,
    /// Begin a new conversation about it; those before it stay
    #[arg(long)]
    new: bool,
    /// The most that all conversations about the itinerary may cost together, in US dollars
    #[arg(long, value_name = "DOLLARS", value_parser = micro_usd, default_value = "10")]
    itinerary_limit: u64,
}

/// How a conversation about an itinerary goes on.
#[derive(Debug, PartialEq, Eq)]
struct Begin {
    /// With the last one there is.
    resume: bool,
    /// There is one, and nothing was said in it for so long that a new one begins.
    is_expired: bool,
    /// What all others about the itinerary cost.
    elsewhere: u64,
}

impl Begin {
    fn of(kept: &[Kept], is_new: bool, now_ms: i64) -> Self {
        let state =
            kept.last().and_then(|last| last.last_ms).map(|last_ms| SessionState::at(last_ms, now_ms));
        let is_expired = !is_new && state == Some(SessionState::Expired);
        let resume = !is_new && state.is_some() && !is_expired;
        let others = if resume { kept.split_last().map_or(kept, |(_, others)| others) } else { kept };
        let elsewhere = others.iter().fold(0_u64, |sum, one| sum.saturating_add(one.micro_usd));
        Self { resume, is_expired, elsewhere }
    }
}

/// Talks until the input ends. True when every answer was complete.
///
/// # Errors
/// When several itineraries could be meant, or the folder, the model or the conversation cannot be used.
pub async fn chat(options: Chat, data: &Path) -> anyhow::Result<bool> {
    let Chat { itinerary, talk: options, new, itinerary_limit } = options;
    let todos = Todos::open(data).await?;
    let there = found(&todos, &itinerary).await?;
    let kept = match &there {
        Some(subject) => FileLog::all_in(&conversations_of(data, subject))?,
        None => Vec::new(),
    };
    let begin = Begin::of(&kept, new, local::now_ms());
    let limits = Spending {
        conversation: Some(
            options.limit.unwrap_or(LIMIT).min(itinerary_limit.saturating_sub(begin.elsewhere)),
        ),
        month: Some(options.month_limit.unwrap_or(MONTH_LIMIT)),
    };
    // Before anything is made: a model that is not there makes no itinerary.
    let cast = cast(&options, limits, data).await?;
    let subject = match there {
        Some(subject) => subject,
        None => made(&todos, &itinerary).await?,
    };
    if begin.is_expired {
        write("(nothing was said about it for 30 days: a new conversation begins)\n");
    }
    if llm::is_near_limit(Some(itinerary_limit), begin.elsewhere) {
        let (spent, limit) = (dollars(begin.elsewhere), dollars(itinerary_limit));
        write(&format!(
            "! {spent} of this itinerary’s limit of {limit} is spent in other conversations about it.\n"
        ));
    }
    if io::stdin().is_terminal() && io::stdout().is_terminal() {
        let how = if begin.resume { ", where it was left" } else { "" };
        write(&format!("About “{}”{how}.\n", plain(&subject.title)));
    }
    let conversation = Conversation {
        folder: conversations_of(data, &subject),
        resume: begin.resume,
        subject: Some(subject),
    };
    talk(options, cast, todos, conversation).await
}

/// A new itinerary that is called so.
async fn made(todos: &Todos, title: &str) -> anyhow::Result<Subject> {
    let answer = todos.by_hand("itinerary_create", json!({ "title": title })).await;
    let answer = answer.map_err(|why| anyhow!(why)).context("cannot make the itinerary")?;
    let text = |name: &str| answer.get(name).and_then(Value::as_str).unwrap_or_default();
    let subject = found(todos, text("itineraryId")).await?;
    let Some(subject) = subject else { bail!("the itinerary was made and is not there: {answer}") };
    write(&format!("{}\n", plain(text("summary"))));
    Ok(subject)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_conversation_goes_on_for_thirty_days_and_the_others_count() {
        const DAY: i64 = 24 * 60 * 60 * 1_000;
        let kept = |days: i64, micro_usd| Kept { last_ms: Some(days * DAY), micro_usd };
        let all = [kept(1, 300), kept(10, 50)];
        let begin = |resume, is_expired, elsewhere| Begin { resume, is_expired, elsewhere };
        for (kept, is_new, day, expected) in [
            (&all[..0], false, 1, begin(false, false, 0)),
            (&all, false, 10, begin(true, false, 300)),
            (&all, false, 39, begin(true, false, 300)),
            (&all, false, 40, begin(false, true, 350)),
            (&all, true, 10, begin(false, false, 350)),
            (&all, true, 40, begin(false, false, 350)),
            // One in which nothing can be read is none.
            (&[Kept { last_ms: None, micro_usd: 0 }], false, 1, begin(false, false, 0)),
        ] {
            assert_eq!(Begin::of(kept, is_new, day * DAY), expected, "day {day}");
        }
    }
}
