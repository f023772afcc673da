//! To-dos: their grammar, and the calls it takes.
//!
//! A message becomes clauses (`parse`), a clause an `intent`; `plan` carries them out against
//! what the conversation knows (`known`), stopping at each call whose result is not there yet; `answer`
//! puts real results into words. It knows no to-do store and no tool but by name and JSON.
//!
//! What is read first:
//!
//! 1. `lex` spells `shorthand` out. Before a line is cut into clauses, `safeguards`, `courtesy` and `moving` say it in
//!    plainer words; before a clause is read, `joined`, `followed` and `tails` do. Courtesies at an end are known to
//!    `closing` as phrases, to `tails` by the small words that they are made of.
//! 2. A clause: what is not about the list (`memories`, `app`, `limits`, `beyond`); what is to stop or to be taken away
//!    (`taking`, in any words, leaves to `fields` and `editing` what they read as a whole); subtasks, questions,
//!    changes; new to-dos; what is told (`statements`, `participles`). For plans the phrases of `planning` come before
//!    `plan_questions`, which knows only the words of such questions and takes them in any order.
//! 3. The message, in `apart`, where its clauses left something unread: states told of several things (`states`), cuts
//!    at other places, and questions over the whole of it (`wondering`, with `noticing`, `recalling`, `before_after`).
//! 4. What nothing read, `guessing` holds against the to-dos there are (`cues`, `linking`).
//!
//! Some readings are carried out where they are read; `taking_off` does so for `taking`, `ticking_off` for `states`,
//! `agenda` tells what `plan_questions` asks for.

mod acts;
mod adding;
mod afterthought;
mod agenda;
mod amounts;
mod answer;
mod apart;
mod asking;
mod attrs;
mod before_after;
mod beyond;
mod carrying;
mod closing;
mod correcting;
mod courtesy;
mod cue_words;
mod cues;
mod deeds;
mod doubted;
mod editing;
mod evening;
mod extras;
mod fields;
mod filter;
mod find;
mod finished;
mod followed;
mod groups;
mod guessing;
mod headed;
mod hours;
mod intent;
mod joined;
mod known;
mod limits;
mod linking;
mod listing;
mod making;
mod marking;
mod moving;
mod noticing;
mod openings;
mod parse;
mod participles;
mod parting;
mod plan;
mod plan_questions;
mod plan_words;
mod planning;
mod questions;
mod quick;
mod readings;
mod recall_words;
mod recalling;
mod reminder;
mod reminding;
mod renaming;
mod replaced;
mod reports;
mod resolve;
mod retract;
mod rhythms;
mod rows;
mod safeguards;
mod several;
mod shown;
mod spreading;
mod state_words;
mod statements;
mod states;
mod subtasks;
mod suggesting;
mod tails;
mod taken_words;
mod taking;
mod taking_off;
mod target;
mod ticking_off;
mod turn;
mod undoing;
mod unneeded;
mod urgency;
mod verbless;
mod wholes;
mod wishes;
mod wondering;

pub use quick::{Days, QuickAdd, days, quick_add, rule_of};

use crate::todo::plan::{End, Run, Wants};
use dates::calendar::SOME_DAY;
use jiff::civil::{DateTime, date};

use crate::conversation::Turn;
use crate::german::finished;
use crate::run;
use crate::skill::{Asked, Help, Reading, Skill, Sureness, Words};
use crate::todo::attrs::Lexicon;
use crate::todo::correcting::Before;
use crate::todo::intent::{Clause, Intent};
use crate::todo::known::Known;
use crate::todo::wishes::{added, wish, wrote};

/// The skill for to-dos.
pub static TODO_SKILL: Todo = Todo(());

/// The grammar of to-dos.
#[derive(Debug)]
pub struct Todo(());

impl Skill for Todo {
    fn domain(&self) -> &'static str {
        rows::DOMAIN
    }

    fn words(&self) -> Words {
        Words {
            thing: "to-do".into(),
            things: "to-dos".into(),
            show: "show my todos".into(),
            nouns: "todo|todos|to-do|to-dos|task|tasks|list".into(),
            list_tool: "todo_list".into(),
        }
    }

    fn help(&self) -> Help {
        Help {
            lines: answer::HELP.into(),
            examples: "“add buy milk tomorrow”, “show overdue” or “complete the first one”".into(),
            begin: "Tell me what to add, or ask “what's due today?”. ".into(),
            first: "add buy milk".into(),
            back: "bring the milk back".into(),
            several: "complete the report, delete the milk and show me what's left".into(),
        }
    }

    fn read<'r>(&'r self, asked: Asked<'r>) -> Option<Reading<'r>> {
        let talk = Talk { asked };
        let clauses = talk.clauses(asked.past, asked.turn, BACK);
        let is_read = clauses.iter().any(|clause| clause.intent != Intent::Unknown);
        Some(Reading {
            sureness: if is_read { Sureness::Reads } else { Sureness::Guesses },
            carry_out: Box::new(move |run| {
                // Without the time, words that mean another day on another day mean nothing.
                if asked.now.is_none() && dated(&asked.turn.said) {
                    return run::End::Answer(NO_TIME.to_owned());
                }
                match talk.run(asked.past, asked.turn, run).carry_out(&clauses) {
                    End::Calls(calls) => run::End::Calls(calls),
                    End::Answer { text, .. } => run::End::Answer(text),
                }
            }),
        })
    }
}

/// Where nobody told what day it is.
const NO_TIME: &str =
    "I was not told what day it is, so I cannot work with “today” or “friday”. Give the date as 2026-11-30.";

/// What is the same for all turns of a request.
struct Talk<'r> {
    asked: Asked<'r>,
}

impl<'r> Talk<'r> {
    fn known(&self, past: &[Turn]) -> Known {
        let mut known = Known::at(self.asked.now);
        past.iter().for_each(|turn| known.absorb_turn(turn));
        known
    }

    fn lexicon(&self, known: &Known) -> Lexicon {
        Lexicon { now: self.asked.now.unwrap_or(SOME_DAY), lists: known.lists() }
    }

    fn run(&self, past: &[Turn], turn: &Turn, run: run::Run<'r>) -> Run<'r> {
        Run {
            run,
            known: self.known(past),
            question: turn.said.trim_end().strip_suffix('?').unwrap_or_default().to_owned(),
            looked: None,
            fresh: Default::default(),
            unseen: 0,
            pages: Vec::new(),
        }
    }

    /// The commands of a turn. Words that answer the question the turn before ended with are read into
    /// the command that asked it; words that set right what it did become commands that do so.
    ///
    /// A turn may hang on the one before, and that on the one before it; `back` says how far that is followed.
    fn clauses(&self, past: &[Turn], turn: &Turn, back: usize) -> Vec<Clause> {
        let known = self.known(past);
        let lexicon = self.lexicon(&known);
        let mut own = apart::parse(&turn.said, &lexicon);
        let Some((last, before)) = past.split_last() else { return own };
        match own.as_mut_slice() {
            // A to-do that came with its subtasks goes with them, and one wish that took many calls is taken back whole.
            [Clause { intent: Intent::Undo(count @ 1), .. }] => *count = wish(last),
            // After anything but an addition "bring it back" means what was just done.
            [Clause { intent, .. }]
                if *intent == Intent::UndoOf { tools: retract::GONE, title: None }
                    && wrote(last) > 0
                    && !added(last) =>
            {
                *intent = Intent::Undo(wish(last));
            }
            _ => {}
        }
        let Some(meant) = own.first().map(|c| &c.intent) else { return own };
        let Some(back) = back.checked_sub(1) else { return own };
        // "What about yesterday?" goes on with the question before it.
        let goes_on = |only: &Clause| matches!(only.intent, Intent::Point(_)) || listing::goes_on(&turn.said);
        if let [only] = own.as_slice()
            && goes_on(only)
            && let Some(asked) = self.clauses(before, last, back).last()
            && let Some(intent) = listing::asked_again(&asked.intent, &only.intent, &turn.said, &lexicon)
        {
            return vec![Clause { text: turn.said.clone(), intent }];
        }
        // "sure, make it urgent" answers too, as far as a yes was asked for.
        let yes = own.len() == 1 && correcting::agrees(&turn.said);
        let loose = own.iter().all(|c| fragment(c, &turn.said));
        if !loose && !yes {
            return own;
        }
        if wrote(last) == 0 && !last.answer.contains('?') {
            return own;
        }
        let clauses = self.clauses(before, last, back);
        if last.answer.contains('?')
            && let Some((at, wants)) = self.question(before, last, &clauses)
            && (loose || matches!(*wants, Wants::Confirm(_)))
            && let Some(intent) = questions::fill(&clauses[at].intent, &wants, &turn.said, &lexicon, meant)
        {
            let filled = Clause { text: clauses[at].text.clone(), intent };
            return std::iter::once(filled).chain(clauses[at + 1..].iter().cloned()).collect();
        }
        if !loose {
            return own;
        }
        let Some(done) = clauses.iter().rev().find(|c| intent::changes_todos(&c.intent)) else {
            return own;
        };
        let before = Before {
            intent: &done.intent,
            wrote: wrote(last),
            touched: known.touched(),
            were: known.before(wrote(last)),
            shown: known.shown().concat(),
        };
        let clause = |intent| Clause { text: turn.said.clone(), intent };
        correcting::correct(&turn.said, &before, meant, &lexicon)
            .map_or(own, |intents| intents.into_iter().map(clause).collect())
    }

    /// The question a turn ended with, found by carrying that turn out again.
    fn question(&self, before: &[Turn], turn: &Turn, clauses: &[Clause]) -> Option<(usize, Box<Wants>)> {
        let run = run::Run::of(&self.asked, turn, TODO_SKILL.words());
        match self.run(before, turn, run).carry_out(clauses) {
            // The question must be the one the person read: another model may have answered that turn.
            End::Answer { text, asked: Some(asked) } if finished(&text, turn.language) == turn.answer => {
                Some(asked)
            }
            _ => None,
        }
    }
}

/// Whether a clause can be the answer to a question, or hang on the turn before.
fn fragment(clause: &Clause, said: &str) -> bool {
    match &clause.intent {
        Intent::Unknown
        | Intent::Suggest(_)
        | Intent::Point(_)
        | Intent::Period(_)
        | Intent::Yes
        | Intent::No
        | Intent::Hands
        | Intent::Thanks => true,
        // "all", "the one due today": what is to be listed, or which ones were meant.
        Intent::List { .. } => {
            let said = said.to_lowercase();
            ["all", "everything", "the one", "the ones", "both"].iter().any(|word| said.starts_with(word))
                && !said.contains("todo")
        }
        _ => false,
    }
}

/// How many turns back an answer to an answer is followed.
const BACK: usize = 12;

/// Whether words mean something else on another day.
fn dated(said: &str) -> bool {
    let read = |now: DateTime| parse::parse(said, &Lexicon { now, lists: Default::default() });
    read(SOME_DAY) != read(date(2001, 8, 15).at(9, 30, 0, 0))
}
