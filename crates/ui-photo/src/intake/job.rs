//! What is done to one photo: it comes in, or is looked at again, wherever its original is.

use leptos::prelude::*;
use serde_json::{Value, json};
use web_sys::File;

use super::{Grouping, Inner, Intake};
use crate::folders::{Lack, id_of};
use crate::library::Original;
use crate::pool::{Looker, Refusal};
use crate::{shared, words};

/// What is still to be done to photos.
pub(super) enum Job {
    /// A file comes in.
    Take(Taken),
    /// One that is there is looked at again.
    Look { id: String, original: Original },
    /// One that is there is looked at for people.
    People { id: String, original: Original },
}

/// A file that comes in, and how it came.
pub(super) struct Taken {
    pub file: File,
    /// It may be something else that lies in a folder beside pictures.
    pub is_aside: bool,
    /// Where it waits as long as it is not in, where it was shared.
    pub shared: Option<String>,
    /// Where it stays: no copy of it is kept.
    pub left: Option<String>,
}

/// A photo that was looked at, and is not yet told.
pub(super) struct Item {
    pub row: Value,
    /// Where its file waits, where it was shared.
    pub shared: Option<String>,
}

/// Why a photo that is there could not be looked at.
enum Failure {
    /// Its file cannot be had.
    Lacks(Lack),
    /// What looks at photos could not do it.
    Refused(Refusal),
}

/// The bytes that are to be kept and the count of the files that come in.
pub(super) fn sum<'a>(jobs: impl Iterator<Item = &'a Job>) -> (f64, usize) {
    jobs.fold((0.0, 0), |(bytes, count), job| match job {
        Job::Take(Taken { file, left: None, .. }) => (bytes + file.size(), count + 1),
        Job::Take(_) => (bytes, count + 1),
        _ => (bytes, count),
    })
}

impl Intake {
    /// Does what is to be done to one photo.
    pub(super) async fn done(self, inner: &Inner, job: Job, looker: &Looker) {
        match job {
            Job::Take(taken) => self.taken(inner, taken, looker).await,
            Job::Look { id, original } => match self.asked("look", &id, &original, looker).await {
                Ok(answer) => {
                    inner.set_due(Grouping::Twins, true);
                    let seen = answer.get("seen").cloned().unwrap_or_default();
                    inner.looked.borrow_mut().push(json!({ "id": id, "seen": seen }));
                    self.progress.update(|progress| progress.done += 1);
                }
                Err(failure) => {
                    if matches!(failure, Failure::Lacks(Lack::NotAllowed)) {
                        // It waits until the person allows it again.
                        inner.looked_again.borrow_mut().remove(&id);
                    }
                    // What its file lacks is said where it is seen large.
                    self.progress.update(|progress| progress.done += 1);
                }
            },
            Job::People { id, original } => {
                // It was seen when the photo came in.
                let seen = inner.faces_of.borrow_mut().remove(&id);
                let seen = match seen {
                    Some(faces) => Ok(faces),
                    None => {
                        let answer = self.asked("people", &id, &original, looker).await;
                        answer.map(|answer| answer.get("faces").cloned().unwrap_or_default())
                    }
                };
                self.progress.update(|progress| progress.done += 1);
                match seen {
                    // Turned off or erased meanwhile: what was seen is forgotten.
                    Ok(faces) if inner.asked_for_people.borrow().contains(&id) => {
                        inner.faces.borrow_mut().push(json!({ "id": id, "faces": faces }));
                    }
                    Ok(_) => {}
                    Err(Failure::Lacks(Lack::NotAllowed)) => {
                        inner.asked_for_people.borrow_mut().remove(&id);
                    }
                    // One file that is gone is said of that photo, and is no trouble with people.
                    Err(Failure::Lacks(_)) => {}
                    Err(Failure::Refused(refusal)) => self.people_trouble.set(refusal.why),
                }
            }
        }
        self.progress.update(|progress| {
            progress.seconds = (js_sys::Date::now() - inner.began_ms.get()) / 1_000.0;
        });
    }

    async fn taken(self, inner: &Inner, taken: Taken, looker: &Looker) {
        let mut message = vec![
            ("file", taken.file.clone().into()),
            ("known", inner.known.clone().into()),
            ("aside", taken.is_aside.into()),
            ("faces", inner.is_anybody_wanted.get().into()),
        ];
        if let Some(left) = &taken.left {
            message.push(("left", left.as_str().into()));
        }
        inner.in_hand.set(inner.in_hand.get() + 1);
        let answer = looker.ask(&message).await;
        let answer = match answer {
            Ok(answer) if self.is_where_it_was(inner, &answer, taken.left.as_deref()).await => {
                Ok(json!({ "known": true }))
            }
            answer => answer,
        };
        inner.in_hand.set(inner.in_hand.get() - 1);
        match answer {
            Ok(answer) => match answer.get("item") {
                Some(item) => {
                    inner.set_due(Grouping::Twins, true);
                    inner.keep_faces(item, &answer);
                    inner.items.borrow_mut().push(Item { row: item.clone(), shared: taken.shared });
                }
                None => {
                    shared::let_go(taken.shared).await;
                    self.progress.update(|progress| {
                        let is_known = answer.get("aside").is_none();
                        *(if is_known { &mut progress.known } else { &mut progress.aside }) += 1;
                        progress.done += 1;
                    })
                }
            },
            Err(Refusal { why, is_full, .. }) => {
                self.failed(&Job::Take(taken), &why);
                if is_full {
                    self.no_room(inner, &why);
                }
            }
        }
    }

    /// Whether a file of a folder is that of a photo which can be had where it was left: the same bytes twice in a folder are one photo, and its
    /// row does not go to and fro between them.
    async fn is_where_it_was(self, inner: &Inner, answer: &Value, left: Option<&str>) -> bool {
        let (Some(hash), Some(left), Some(_)) =
            (answer.pointer("/item/hash").and_then(Value::as_str), left, answer.get("again"))
        else {
            return false;
        };
        let id = id_of(hash);
        let before = inner.left.borrow().get(&id).cloned();
        match before {
            Some(before) => before == left || self.folders.original(&before, &id).await.is_ok(),
            None => false,
        }
    }

    /// Has a worker look at the original of a photo that is there; `what` names how.
    async fn asked(
        self,
        what: &str,
        id: &str,
        original: &Original,
        looker: &Looker,
    ) -> Result<Value, Failure> {
        let asked = match original {
            Original::Kept(hash) => looker.ask(&[(what, hash.as_str().into())]).await,
            Original::Left(place) => {
                let file = self.folders.file(place).await.map_err(Failure::Lacks)?;
                looker.ask(&[(what, id.into()), ("original", file.into())]).await
            }
        };
        asked.map_err(|refusal| match refusal.is_changed {
            true => Failure::Lacks(Lack::Changed),
            false => Failure::Refused(refusal),
        })
    }

    /// No room is left: what waits to come in is not tried one by one. What came in stays.
    fn no_room(self, inner: &Inner, why: &str) {
        let is_walking = inner.walks.get() > 0;
        inner.stop();
        let mut queue = inner.queue.borrow_mut();
        let before = queue.len();
        queue.retain(|job| !matches!(job, Job::Take(_)));
        let dropped = before - queue.len();
        drop(queue);
        self.progress.update(|progress| {
            if dropped > 0 {
                progress.done += dropped;
                progress.failures += dropped;
                progress.failed.push((words::the_rest(dropped), why.to_owned()));
            }
            if is_walking {
                // How much of it was not read yet nobody knows.
                progress.lacks(words::rest_of_folder(), why);
            }
        });
    }

    /// Nothing could be done to it.
    pub(super) fn failed(self, job: &Job, why: &str) {
        self.progress.update(|progress| {
            progress.done += 1;
            if let Job::Take(Taken { file, .. }) = job {
                progress.lacks(&file.name(), why);
            }
        });
        if matches!(job, Job::People { .. }) {
            self.people_trouble.set(why.to_owned());
        }
    }
}
