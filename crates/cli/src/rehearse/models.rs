//! Models for conversations that are rehearsed: the built-in one, and those that `satchel chat` knows by name.

use std::path::Path;

use anyhow::Context as _;
use llm::RetryPolicy;
use rehearsal::{Cast, ModelSource, Role};
use terminal::Player;

use super::messages::ModelNames;
use crate::chat::{BUILT_IN, found};

/// What scenarios call the built-in model.
const NAMES: [&str; 3] = [BUILT_IN, "built-in", "pocket"];

/// The models of a batch.
pub struct Configured {
    assistant: Named,
    client: Option<Named>,
    judge: Option<Named>,
    /// Whether an assistant was named: it plays what scenarios want another for.
    is_chosen: bool,
}

struct Named {
    name: String,
    player: Player,
    is_remote: bool,
}

impl Configured {
    /// The models of these names.
    ///
    /// # Errors
    /// When one is not configured, or cannot be asked.
    pub async fn find(names: &ModelNames, config: &Path) -> anyhow::Result<Self> {
        let named = async |name: &str| -> anyhow::Result<Named> {
            let remote = found(name, config, &names.tools, None).await.context("the models")?;
            let is_remote = remote.is_some();
            let player = match remote {
                None => Player::built_in(),
                Some(remote) => Player::remote(&remote, RetryPolicy::default())?,
            };
            Ok(Named { name: name.to_owned(), player, is_remote })
        };
        let some = async |name: &Option<String>| -> anyhow::Result<Option<Named>> {
            Ok(match name {
                Some(name) => Some(named(name).await?),
                None => None,
            })
        };
        Ok(Self {
            assistant: named(names.assistant.as_deref().unwrap_or(BUILT_IN)).await?,
            client: some(&names.client).await?,
            judge: some(&names.judge).await?,
            is_chosen: names.assistant.is_some(),
        })
    }

    /// Whether any of them is not in this program: then time is the system's.
    pub fn is_any_remote(&self) -> bool {
        [Some(&self.assistant), self.client.as_ref(), self.judge.as_ref()]
            .into_iter()
            .flatten()
            .any(|named| named.is_remote)
    }
}

impl Named {
    fn cast(&self) -> Cast {
        let Player { model, name, window_tokens, whole_tokens, evidence, .. } = self.player.clone();
        let price = self.player.price_of(0);
        Cast {
            model,
            name: if self.is_remote { name } else { "built-in".to_owned() },
            window_tokens,
            whole_tokens,
            evidence,
            honours_seed: if self.is_remote { None } else { Some(true) },
            usd_per_million: price.map(|price| (dollars(price.input), dollars(price.output))),
        }
    }
}

/// Millionths of a dollar as dollars.
fn dollars(micro_usd: u64) -> f64 {
    f64::from(u32::try_from(micro_usd).unwrap_or(u32::MAX)) / 1e6
}

impl ModelSource for Configured {
    fn cast(&self, name: Option<&str>, role: Role) -> Result<Cast, String> {
        let all = [Some(&self.assistant), self.client.as_ref(), self.judge.as_ref()];
        match role {
            Role::Assistant => match name {
                Some(name) if NAMES.contains(&name) => {
                    let player = Player::built_in();
                    Ok(Named { name: BUILT_IN.to_owned(), player, is_remote: false }.cast())
                }
                Some(name) if !self.is_chosen => {
                    Err(format!("the model {name} is wanted: say which one plays it with --model"))
                }
                _ => Ok(self.assistant.cast()),
            },
            Role::Client | Role::Tool => {
                let named = name.and_then(|name| all.into_iter().flatten().find(|named| named.name == name));
                let what = if role == Role::Client { "the client" } else { "a tool" };
                named
                    .or(self.client.as_ref())
                    .map(Named::cast)
                    .ok_or_else(|| format!("a model plays {what}: say which with --client-model"))
            }
            Role::Judge => self
                .judge
                .as_ref()
                .map(Named::cast)
                .ok_or_else(|| "no model judges: say which with --judge".to_owned()),
        }
    }
}
