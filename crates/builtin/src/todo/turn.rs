//! A turn carried out, clause by clause, up to its answer or the calls that it waits for.

use crate::conversation::Language;
use crate::talk;
use crate::text::unmarked;
use crate::todo::attrs::Lexicon;
use crate::todo::find::same;
use crate::todo::intent::{Clause, Intent};
use crate::todo::plan::{End, Halt, Run, Step, Wants};
use crate::todo::{afterthought, carrying, cues, guessing, making, suggesting, wondering};

impl Run<'_> {
    /// Carries out the clauses of a turn.
    pub fn carry_out(mut self, clauses: &[Clause]) -> End {
        self.known.open_turn();
        let mut at = 0;
        let mut ahead = self.look_ahead(clauses).err();
        while let Some(clause) = clauses.get(at) {
            let step = match ahead.take() {
                Some(halt) => Err(halt),
                None => self.clause(clause, at + 1 == clauses.len()),
            };
            // Better a part that is told than a run that is cut off in the middle.
            let mut from = at + 1;
            let step = match step {
                Err(Halt::Calls(_)) if self.is_spent() => {
                    from = at;
                    Err(Halt::Fail("That is more than I do at a time.".to_owned()))
                }
                step => step,
            };
            let step = match step {
                Err(Halt::Missed(text)) => match guessing::guess(&mut self, &clause.text, true) {
                    Ok(true) => Ok(0),
                    Ok(false) => match guessing::nearest(&mut self, &clause.intent) {
                        Ok(()) => Err(self.rather(clause, text, clauses.len() == 1)),
                        Err(halt) => Err(halt),
                    },
                    Err(halt) => Err(halt),
                },
                step => step,
            };
            match step {
                Ok(swallowed) => {
                    at += 1 + swallowed;
                    if at < clauses.len() {
                        // Not given yet, so it is English.
                        let so_far = unmarked(&self.said.join("\n\n"));
                        self.known.told(&so_far, Language::English);
                    }
                }
                // What does not hang on a to-do that is not there is done all the same.
                Err(Halt::Missed(text)) if afterthought::independent(&clauses[from..]) => {
                    self.run.said.push(text);
                    at = from;
                }
                Err(Halt::Calls(calls)) => return End::Calls(calls),
                Err(Halt::Ask { text, wants }) => {
                    self.run.said.push(text);
                    // What is asked stands between the wishes: none of the others is lost.
                    let left: Vec<String> = clauses[at + 1..]
                        .iter()
                        .map(|c| format!("“{}”", crate::text::escape(&c.text)))
                        .collect();
                    if !left.is_empty() {
                        self.run.said.push(format!("After your answer I go on with {}.", left.join(" and ")));
                    }
                    return End::Answer { text: self.said.join("\n\n"), asked: Some((at, wants)) };
                }
                Err(Halt::Fail(text) | Halt::Missed(text)) => {
                    self.run.said.push(text);
                    let left: Vec<String> = clauses[from..]
                        .iter()
                        .map(|c| format!("“{}”", crate::text::escape(&c.text)))
                        .collect();
                    if !left.is_empty() {
                        self.run
                            .said
                            .push(format!("I stopped there and did not go on with {}.", left.join(" and ")));
                    }
                    break;
                }
            }
        }
        if self.said.is_empty() {
            let unknown = talk::unknown(self.skills);
            self.run.said.push(unknown);
        }
        End::Answer { text: self.said.join("\n\n"), asked: None }
    }

    /// No to-do has that name: the words may be one themselves ("change the filter every 3 months").
    fn rather(&self, clause: &Clause, text: String, alone: bool) -> Halt {
        let lexicon =
            Lexicon { now: self.now.unwrap_or(dates::calendar::SOME_DAY), lists: self.known.lists() };
        match suggesting::rather(&clause.text, &clause.intent, &lexicon).filter(|draft| {
            alone && self.now.is_some() && !self.known.alive().any(|todo| same(&todo.title, &draft.title))
        }) {
            Some(draft) => {
                let offer = making::offer(&draft, self.now);
                let wants = Box::new(Wants::Confirm(Intent::Add(vec![draft])));
                Halt::Ask { text: format!("{text}\n\n{offer}"), wants }
            }
            None => Halt::Fail(text),
        }
    }

    /// Carries out one clause; how many of the following ones its title took in.
    fn clause(&mut self, clause: &Clause, last: bool) -> Step<usize> {
        if guessing::open(&clause.intent, &clause.text) && guessing::guess(self, &clause.text, false)? {
            return Ok(0);
        }
        // What was not understood may have changed what follows it.
        if clause.intent == Intent::Unknown && self.said.is_empty() && !last {
            if cues::tells(&clause.text) {
                self.run
                    .said
                    .push(format!("I found no to-do that {} is about.", crate::text::quoted(&clause.text)));
                return Ok(0);
            }
            return Err(Halt::Fail(format!("I did not understand {}.", crate::text::quoted(&clause.text))));
        }
        if clause.intent == Intent::Unknown && !self.said.is_empty() {
            self.run.said.push(format!("I did not understand {}.", crate::text::quoted(&clause.text)));
            return Ok(0);
        }
        if clause.intent == Intent::Unknown && wondering::unknown(self, &clause.text)? {
            return Ok(0);
        }
        carrying::act(self, &clause.intent)
    }
}
