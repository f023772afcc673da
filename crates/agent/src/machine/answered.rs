//! From a complete answer to the end of its run: it is sent back, or checked, and then it is the last word.

use protocol::{Checked, Failure, StopReason};

use super::Machine;
use crate::{Effect, Ending, EntryBody, EvidencePolicy, Phase, guards, sentences, sources};

impl Machine {
    /// The answer is there: its model has to be sure enough of it (D-08), and it is held to the results (S1-27), before it
    /// is the last word.
    pub(super) fn answered(&mut self, stop: StopReason) {
        // First, because a replay knows the limits of the record, and not whether its answers were held to the results.
        let is_unsure = guards::sureness(&self.state).is_some_and(|(said, least)| said < least);
        if is_unsure && self.may_ask_again(stop) {
            self.record(EntryBody::Doubted { message: sentences::UNSURE.to_owned() });
            return self.advance();
        }
        self.ask_for_check();
        if !self.state.awaits_check {
            self.end(Ending::Complete { stop });
        }
    }

    /// Whether an answer may still be sent back: once in a run, and not one that is cut.
    fn may_ask_again(&self, stop: StopReason) -> bool {
        let is_cut = matches!(stop, StopReason::Length | StopReason::ContentFilter);
        let run = self.state.run.as_ref();
        !is_cut && run.is_some_and(|run| !run.doubted && run.steps < self.state.config.limits.max_steps)
    }

    /// Has the answer checked, where there is one and that is wanted.
    pub(super) fn ask_for_check(&mut self) {
        let is_wanted = self.state.config.evidence != EvidencePolicy::Off;
        let text = self.state.answer().filter(|_| is_wanted).map(str::to_owned);
        let (Some(text), Some(answer)) = (text, self.state.last_response()) else { return };
        self.state.awaits_check = true;
        let sources = sources(&self.state);
        self.effects.push(Effect::Check { answer, text, sources });
    }

    /// The answer that is being checked: why its model stopped.
    fn is_being_checked(&self) -> Option<StopReason> {
        match self.state.run.as_ref()?.phase {
            Phase::Answered { stop } if self.state.awaits_check => Some(stop),
            Phase::Answered { .. } | Phase::Model | Phase::Tools | Phase::Ended => None,
        }
    }

    pub(super) fn checked(&mut self, answer: u64, found: Result<Checked, Failure>) -> bool {
        let Some(stop) = self.is_being_checked() else { return false };
        if self.state.last_response() != Some(answer) {
            return false;
        }
        match found {
            Ok(Checked { message, .. })
                if !message.is_empty()
                    && self.state.config.evidence == EvidencePolicy::Repair
                    && self.may_ask_again(stop) =>
            {
                self.state.awaits_check = false;
                self.record(EntryBody::Doubted { message });
                self.advance();
            }
            Ok(Checked { doubts, .. }) => self.end_with(Ending::Complete { stop }, doubts, ""),
            Err(_) => self.end_with(Ending::Complete { stop }, Vec::new(), sentences::NOT_CHECKED),
        }
        true
    }

    /// Ends the run from outside. An answer that is only being checked is whole: it stands, and says that it was not checked.
    pub(super) fn cut_short(&mut self, ending: Ending) {
        match self.is_being_checked() {
            Some(stop) => self.end_with(Ending::Complete { stop }, Vec::new(), sentences::NOT_CHECKED),
            None => self.end(ending),
        }
    }
}
