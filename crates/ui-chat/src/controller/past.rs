//! What a person looks at of runs that are over: their logs, what they said of the answers, what it all comes to.

use std::rc::Rc;

use agent::{Entry, Metrics, Rating, Tally};
use futures::future::LocalBoxFuture;
use leptos::prelude::*;
use protocol::{Failure, RunId};

use super::Controller;
use crate::model::SessionModel;
use crate::privacy::RedactingModel;
use crate::settings::Choice;

impl Controller {
    /// The log of a conversation.
    ///
    /// # Errors
    /// When the device cannot be read.
    pub fn entries_of(self, id: &str) -> LocalBoxFuture<'_, Result<Vec<Entry>, Failure>> {
        Box::pin(async move { self.inner.get_value().store.entries(id, 0).await })
    }

    /// A model port of its own for what is no conversation, asked as the settings say and seeing what the person lets models see; and
    /// the name of the model, none where that is the built-in one.
    #[must_use]
    pub fn model_apart(self) -> (Rc<dyn agent::Model>, Option<String>) {
        let inner = self.inner.get_value();
        let model = Rc::new(SessionModel::new(Rc::clone(&inner.model)));
        let settings = model.settings();
        let name = (settings.model != Choice::BuiltIn).then(|| settings.model_name());
        (Rc::new(RedactingModel::new(model, inner.privacy)), name)
    }

    /// What the person said of a run's answer in the conversation on the screen.
    #[must_use]
    pub fn rating(self, run: &RunId) -> Option<Rating> {
        let current = self.current.get();
        self.conversations.with(|all| all.iter().find(|one| one.id == current)?.ratings.get(run).copied())
    }

    /// Keeps what the person says of a run's answer in the conversation on the screen; saying the same again takes it
    /// back.
    pub fn rate(self, run: RunId, rating: Rating) {
        let current = self.current.get_untracked();
        // Whichever branch it is said in: it is about the same answer. A second press may come before the first one is written.
        self.change_branches(&current, move |conversation| {
            if conversation.ratings.get(&run) == Some(&rating) {
                conversation.ratings.remove(&run);
            } else {
                conversation.ratings.insert(run.clone(), rating);
            }
        });
    }

    /// What the conversations of this device come to since a time (Unix milliseconds). Runs from files are somebody
    /// else's, or counted already.
    ///
    /// # Errors
    /// When the device cannot be read.
    pub fn metrics(self, since_ms: i64) -> LocalBoxFuture<'static, Result<Metrics, Failure>> {
        Box::pin(async move {
            let store = self.inner.with_value(|inner| std::rc::Rc::clone(&inner.store));
            let mut tally = Tally::default();
            for conversation in self.conversations.get_untracked() {
                // Nothing can have begun after what happened last.
                if conversation.record.is_none() && conversation.updated_ms >= since_ms {
                    // What a branch has copies of counts where it happened.
                    let log = store.entries(&conversation.id, conversation.own_from()).await?;
                    tally.add(log, &conversation.ratings, since_ms);
                }
            }
            Ok(tally.metrics())
        })
    }
}
