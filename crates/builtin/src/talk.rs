//! What the model says for itself, whatever it can talk about: greetings, help, what is remembered, undo, the time.

use dates::iso::day_words;
use dates::names::weekday_name;
use jiff::civil::DateTime;

use crate::lex::{exactly, lex, trim_signs};
use crate::phrases::{Talk, plain, small_talk};
use crate::run::{Caller, Run, Step};
use crate::skill::{Asked, Reading, Skill, Sureness, Words};
use crate::{app, history, memories};

/// Answers to what is said around commands that are the same whatever there is to talk about.
pub const THANKS: &str = "You're welcome.";
/// To a "no" where nothing was asked.
pub const NOTHING: &str = "All right, I did nothing.";

/// What asks for the day or the time.
pub const CLOCK: &[&str] = &[
    "what's the date|time", "what is the date|time", "what's the date today", "what is the date today",
    "what's today's date", "what is today's date", "what day is it", "what day is it today",
    "what day is today", "what time is it",
];

/// What the model can do, with examples that work.
pub fn help(skills: &[&dyn Skill]) -> String {
    let things = Words::of(skills).things;
    let (mut lines, mut back, mut several) = (String::new(), String::new(), String::new());
    for help in skills.iter().map(|skill| skill.help()) {
        lines.push_str(&help.lines);
        lines.push('\n');
        if back.is_empty() && !help.back.is_empty() {
            back = format!(", “{}”", help.back);
        }
        if several.is_empty() && !help.several.is_empty() {
            several = format!("\n\nYou can say several things at once: “{}”.", help.several);
        }
    }
    format!(
        "I'm the built-in model: no network, no account. I keep your {things} by plain English commands:\n\n{lines}- **Remember**: “remember that I'm vegetarian”, “what do you remember about me?”, “forget that I'm vegetarian”\n- **Undo**: “undo”, “undo the last 3”{back}, “redo”{several}"
    )
}

/// For what it does not understand.
pub fn unknown(skills: &[&dyn Skill]) -> String {
    let things = Words::of(skills).things;
    let examples: Vec<String> = skills.iter().map(|skill| skill.help().examples.into_owned()).collect();
    let such_as =
        if examples.is_empty() { String::new() } else { format!(", such as {}", examples.join(", ")) };
    format!(
        "I'm the built-in model: I can only keep {things} by plain commands{such_as}. Say “help” for more, or choose another model in settings for anything else."
    )
}

/// To a greeting.
pub fn hello(skills: &[&dyn Skill]) -> String {
    let begin = skills.first().map(|skill| skill.help().begin).unwrap_or_default();
    format!("Hello! {begin}“help” shows what I understand.")
}

/// To a "yes" where nothing was asked.
pub fn yes(skills: &[&dyn Skill]) -> String {
    let words = Words::of(skills);
    let add = skills.first().map(|skill| skill.help().first).unwrap_or_default();
    let such_as = if skills.is_empty() {
        String::new()
    } else {
        format!(", for example “{add}” or “{}”", words.show)
    };
    format!("I have no open question. Tell me what to do{such_as}.")
}

/// The time.
pub fn clock(now: Option<DateTime>) -> String {
    match now {
        Some(now) => format!(
            "It is {}, {}, {:02}:{:02}.",
            weekday_name(now.weekday()),
            day_words(now.date()),
            now.hour(),
            now.minute()
        ),
        None => "I was not told what time it is.".to_owned(),
    }
}

/// Where the history cannot be looked into.
const NO_HISTORY: &str = "I cannot look into the history here.";

/// What a message asks for that is no skill's.
enum Own {
    Talk(Talk),
    Memory(memories::Memory),
    App(app::Topic),
    Step(history::Ask),
    History,
    Clock,
}

fn read(said: &str, words: &Words) -> Option<Own> {
    let all = lex(said);
    let question = all.last().is_some_and(|t| t.sign("?"));
    let polite = trim_signs(plain(&all));
    small_talk(&all, &words.nouns)
        .map(Own::Talk)
        .or_else(|| memories::asked(polite).map(Own::Memory))
        .or_else(|| app::topic(&all, question, &words.nouns).map(Own::App))
        .or_else(|| history::steps(polite).map(Own::Step))
        .or_else(|| exactly(polite, history::ASKED).then_some(Own::History))
        .or_else(|| exactly(polite, CLOCK).then_some(Own::Clock))
}

/// The core's own reading of the last message.
pub fn reading<'r>(asked: Asked<'r>) -> Reading<'r> {
    let own = read(&asked.turn.said, &Words::of(asked.skills));
    let sureness = if own.is_some() { Sureness::Reads } else { Sureness::Guesses };
    Reading {
        sureness,
        carry_out: Box::new(move |mut run| {
            let step = act(&mut run, own);
            run.ended(step)
        }),
    }
}

fn act(run: &mut Run, own: Option<Own>) -> Step<()> {
    let things = run.words.things.clone();
    let text = match own {
        Some(Own::Memory(memory)) => return memories::act(run, &memory, &things),
        Some(Own::Step(ask)) => return history::act(run, ask),
        Some(Own::History) => return history::tell(run, NO_HISTORY, ""),
        Some(Own::Talk(talk)) => match talk {
            Talk::Hello => hello(run.skills),
            Talk::Thanks => THANKS.to_owned(),
            Talk::Yes => yes(run.skills),
            Talk::No => NOTHING.to_owned(),
            Talk::Help => help(run.skills),
        },
        Some(Own::App(topic)) => app::answer(topic, &things),
        Some(Own::Clock) => clock(run.now),
        None => unknown(run.skills),
    };
    run.say(text);
    Ok(())
}
