//! What a person types while a call waits for them: yes, no, or something else to do instead.

use agent::{Disposition, Questions};
use leptos::prelude::*;
use protocol::CallId;

use super::Controller;
use crate::i18n;

/// What was typed, as an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// The calls that wait were allowed or declined by it: it says no more than that.
    Given,
    /// They were declined, because it says something else: it is to be said when the run has ended.
    Instead,
    /// Yes, to what is not on the screen yet: nothing was allowed.
    Unseen,
    /// Nothing waits for an answer.
    NotAsked,
}

impl Controller {
    /// Takes what was typed as the answer to the calls that wait.
    pub fn answer(self, said: &str) -> Answer {
        let Some(session) = self.session().filter(|_| self.asked.get_untracked()) else {
            return Answer::NotAsked;
        };
        let waiting: Vec<CallId> =
            session.state.borrow().awaiting().map(|record| record.call.id.clone()).collect();
        if let Some(questions) = self.asked_in_words() {
            if let ([call], Some(reply)) = (waiting.as_slice(), questions.typed(said)) {
                self.reply(call.clone(), reply);
                return Answer::Given;
            }
            // Something else: the questions are declined, and it is said when the run has ended.
            waiting.into_iter().for_each(|call| self.deny(call));
            return Answer::Instead;
        }
        let allowed = allows(said);
        // What is allowed is what is seen, and its card may still be on its way.
        let is_seen = |call| self.seen.with_value(|seen| seen.contains(call));
        if allowed == Some(true) && !waiting.iter().all(is_seen) {
            return Answer::Unseen;
        }
        for call in waiting {
            match allowed {
                Some(true) => self.approve(call),
                Some(false) | None => self.deny(call),
            }
        }
        if allowed.is_some() { Answer::Given } else { Answer::Instead }
    }
}

impl Controller {
    /// The card of a call that waits is on the screen, until what draws it is gone: ids of calls come again.
    pub fn note_seen(self, call: CallId) {
        let seen = self.seen;
        seen.update_value(|seen| seen.push(call.clone()));
        on_cleanup(move || {
            let _ = seen.try_update_value(|seen| {
                let at = seen.iter().position(|one| *one == call);
                at.map(|at| seen.swap_remove(at))
            });
        });
    }

    /// The questions that wait, where the model asks something.
    fn asked_in_words(self) -> Option<Questions> {
        let session = self.session()?;
        let state = session.state.borrow();
        let asking = state.awaiting().find(|record| record.plan == Disposition::Question)?;
        Questions::saved(&asking.call.arguments).ok()
    }
}

/// Whether these words, and nothing beside them, say yes or no.
fn allows(said: &str) -> Option<bool> {
    let words: String = said.chars().map(|letter| if letter == '’' { '\'' } else { letter }).collect();
    let words = words.trim().trim_end_matches(['.', '!', ',']).to_lowercase().replace(", ", " ");
    let polite = i18n::PLEASE_WORDS;
    let words =
        polite.iter().find_map(|please| words.strip_prefix(please)?.strip_prefix(' ')).unwrap_or(&words);
    let words =
        polite.iter().find_map(|please| words.strip_suffix(please)?.strip_suffix(' ')).unwrap_or(words);
    let words = words.trim_end_matches(',');
    match () {
        () if i18n::YES_WORDS.contains(&words) => Some(true),
        () if i18n::NO_WORDS.contains(&words) => Some(false),
        () => None,
    }
}

#[cfg(test)]
mod tests {
    use super::allows;

    #[test]
    fn only_a_plain_yes_allows() {
        for said in [
            "yes", "Yes!", " y ", "OK.", "yes, please", "go ahead", "Please do it", "Ja.", "ja, bitte",
            "Ja, klar", "Mach’s!", "Bestätigen",
        ] {
            assert_eq!(allows(said), Some(true), "{said}");
        }
        for said in [
            "no", "No.", "don’t", "don't", "no, please", "no, thanks", "Nein, danke", "cancel", "Nein!",
            "nö", "Bitte nicht", "Lass es bitte.", "ABBRECHEN",
        ] {
            assert_eq!(allows(said), Some(false), "{said}");
        }
        for said in [
            "", "yes but only the milk", "no, the other one", "yesterday", "okapi", "what would that do?",
            "ja, aber nur die Milch", "jagen", "bitte",
        ] {
            assert_eq!(allows(said), None, "{said}");
        }
    }
}
