//! Which process has each owner, as requests see it: here and open, elsewhere, or with nobody yet. Opens what comes here, closes what
//! goes.

use std::sync::Arc;
use std::time::Duration;

use futures::future::{join_all, pending};
use tokio::sync::watch;

use crate::cluster::{Cluster, Holder};
use crate::engine::Engine;
use crate::owner::Common;

/// How long it is until an owner who could not be opened is tried again, where they are still here.
const AGAIN: Duration = Duration::from_millis(500);

/// Where an owner is asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Way {
    /// Here, by this token.
    Here(u64),
    /// At the process of this id and address.
    There { id: String, address: String },
}

struct Gate {
    name: String,
    holder: watch::Receiver<Holder>,
    /// The token by which they are open here.
    open: watch::Sender<Option<u64>>,
}

/// The owners of a [`Cluster`], by their places.
pub(crate) struct Gates {
    pub cluster: Arc<dyn Cluster>,
    gates: Vec<Gate>,
}

impl Gates {
    pub(crate) fn new(cluster: Arc<dyn Cluster>, owners: &[String]) -> Self {
        let gate = |name: &String| Gate {
            name: name.clone(),
            holder: cluster.holder(name),
            open: watch::Sender::new(None),
        };
        let gates = owners.iter().map(gate).collect();
        Self { cluster, gates }
    }

    /// Opens and closes owners as they come and go, for as long as it is polled.
    pub(crate) async fn follow(&self, engine: &Engine, common: &Common) {
        join_all(self.gates.iter().enumerate().map(|(place, gate)| self.keep(place, gate, engine, common)))
            .await;
    }

    async fn keep(&self, place: usize, gate: &Gate, engine: &Engine, common: &Common) {
        let mut holder = gate.holder.clone();
        loop {
            let now = holder.borrow_and_update().clone();
            let Holder::Here { token } = now else {
                if holder.changed().await.is_err() {
                    return;
                }
                continue;
            };
            let (cluster, name) = (Arc::clone(&self.cluster), gate.name.clone());
            let opens = Box::new(move || cluster.home(&name, token));
            match engine.open(place, opens, common.clone()).await {
                Ok(()) => {
                    gate.open.send_replace(Some(token));
                    // A cluster that has ended tells of no change any more; what it fenced off is refused all the same.
                    drop(holder.wait_for(|now| *now != Holder::Here { token }).await);
                    gate.open.send_replace(None);
                    engine.leave(place);
                }
                Err(why) => {
                    eprintln!("satchel: what {} has cannot be opened here: {why}", gate.name);
                    tokio::select! {
                        _ = holder.changed() => {}
                        () = tokio::time::sleep(AGAIN) => {}
                    }
                }
            }
        }
    }

    /// Where an owner is asked, as soon as somebody has them; it may never be.
    pub(crate) async fn way(&self, owner: usize) -> Way {
        let Some(gate) = self.gates.get(owner) else { return pending().await };
        let (mut holder, mut open) = (gate.holder.clone(), gate.open.subscribe());
        loop {
            let is_open = *open.borrow_and_update();
            match holder.borrow_and_update().clone() {
                Holder::There { id, address } => return Way::There { id, address },
                Holder::Here { token } if is_open == Some(token) && self.cluster.holds(&gate.name, token) => {
                    return Way::Here(token);
                }
                Holder::Here { .. } | Holder::Nobody => {}
            }
            let changed = async {
                tokio::select! {
                    changed = holder.changed() => changed,
                    changed = open.changed() => changed,
                }
            };
            if changed.await.is_err() {
                return pending().await;
            }
        }
    }

    /// Whether an owner still is where they were asked.
    pub(crate) fn is_still(&self, owner: usize, way: &Way) -> bool {
        let Some(gate) = self.gates.get(owner) else { return false };
        match way {
            Way::Here(token) => self.cluster.holds(&gate.name, *token),
            Way::There { id, .. } => is_there(&gate.holder.borrow(), id),
        }
    }

    /// Resolves when an owner is not there any more where they were asked, as far as this process knows.
    pub(crate) async fn moved(&self, owner: usize, way: &Way) {
        let Some(gate) = self.gates.get(owner) else { return };
        let mut holder = gate.holder.clone();
        let has_moved = |now: &Holder| match way {
            Way::Here(token) => *now != Holder::Here { token: *token },
            Way::There { id, .. } => !is_there(now, id),
        };
        if holder.wait_for(has_moved).await.is_err() {
            pending::<()>().await;
        }
    }
}

fn is_there(holder: &Holder, who: &str) -> bool {
    matches!(holder, Holder::There { id, .. } if id == who)
}
