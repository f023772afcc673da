//! What may be spent and asked, what models cost, and which model plays which role: as a person chose it (D-13, D-14, S4-33).

use std::collections::BTreeMap;

use llm::{Price, Rates, Terms};
use protocol::Role;
use serde::{Deserialize, Serialize};

use super::{Choice, Settings};

/// Limits, and prices of the person's own. Amounts in millionths of a US dollar.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Spending {
    /// The most a conversation may cost.
    pub conversation_limit: Option<u64>,
    /// The most a calendar month may cost.
    pub month_limit: Option<u64>,
    /// How much may be asked of a model that is not on this device.
    pub rates: Rates,
    /// Prices by the model's name, as its endpoint knows it: before any that is listed.
    pub prices: BTreeMap<String, Price>,
}

impl Default for Spending {
    /// No limit on money. What the documents say of tokens in an hour (S0-59) is some twenty requests of a conversation with tools:
    /// ten times that still stops what runs away.
    fn default() -> Self {
        Self {
            conversation_limit: None,
            month_limit: None,
            rates: Rates { tokens_per_hour: Some(1_000_000), ..Rates::default() },
            prices: BTreeMap::new(),
        }
    }
}

/// Who plays the roles beside the main one; none is the chosen model.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Roles {
    /// What is looked up.
    pub small: Option<Player>,
    /// What is put into other words.
    pub cheap: Option<Player>,
}

impl Roles {
    /// Whether there is anything to choose from.
    #[must_use]
    pub fn is_on(&self) -> bool {
        self.small.is_some() || self.cheap.is_some()
    }

    /// Who plays a role.
    #[must_use]
    pub fn player(&self, role: Role) -> Option<&Player> {
        match role {
            Role::Main => None,
            Role::Small => self.small.as_ref(),
            Role::Cheap => self.cheap.as_ref(),
        }
    }

    /// The same for the menu.
    pub fn player_mut(&mut self, role: Role) -> Option<&mut Option<Player>> {
        match role {
            Role::Main => None,
            Role::Small => Some(&mut self.small),
            Role::Cheap => Some(&mut self.cheap),
        }
    }
}

/// Who plays a role. Written as the value of the menu ([`Choice`]); a model at the person's own endpoint as `own:qwen3`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "String", into = "String")]
pub struct Player {
    /// Where it is.
    pub who: Choice,
    /// Its name at the person's own endpoint; empty elsewhere.
    pub model: String,
}

impl From<String> for Player {
    fn from(value: String) -> Self {
        match value.strip_prefix("own:") {
            Some(model) => Self { who: Choice::Own, model: model.to_owned() },
            None => Self { who: Choice::from(value), model: String::new() },
        }
    }
}

impl From<Player> for String {
    fn from(player: Player) -> Self {
        match player.who {
            Choice::Own => format!("own:{}", player.model),
            who => who.into(),
        }
    }
}

/// What is known of a model's price.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PriceKnown {
    /// It is on this device.
    Free,
    /// The person said it.
    Own(Price),
    /// It is in the table.
    Listed(Price),
    /// Nobody knows.
    Unknown,
}

impl Settings {
    /// The settings as if the model of this role were the chosen one.
    #[must_use]
    pub fn as_role(&self, role: Role) -> Self {
        let mut settings = self.clone();
        match self.roles.player(role) {
            // Without its name there is none.
            Some(Player { who: Choice::Own, model }) if !model.is_empty() => {
                settings.model = Choice::Own;
                settings.own.model.clone_from(model);
            }
            Some(Player { who: Choice::Own, .. }) | None => {}
            Some(Player { who, .. }) => settings.model = who.clone(),
        }
        settings
    }

    /// The name of the chosen model as its endpoint knows it.
    #[must_use]
    pub fn model_name(&self) -> String {
        self.model.name(&self.own)
    }

    /// Whether the chosen model is on this device.
    #[must_use]
    pub fn is_here(&self) -> bool {
        match &self.model {
            Choice::BuiltIn | Choice::Browser => true,
            // The built-in one behind the gateway.
            Choice::Gateway { upstream, model, .. } => upstream == "pocket" && model == "pocket",
            Choice::Own => llm::is_local(&self.own.url),
        }
    }

    /// What is known of the chosen model's price, for a request of so many tokens.
    #[must_use]
    pub fn price(&self, input_tokens: u64) -> PriceKnown {
        let name = self.model_name();
        if matches!(self.model, Choice::BuiltIn | Choice::Browser) {
            PriceKnown::Free
        } else if let Some(price) = self.spending.prices.get(&name) {
            PriceKnown::Own(*price)
        } else if self.is_here() {
            PriceKnown::Free
        } else {
            llm::listed_price(&name, input_tokens)
                .map_or(PriceKnown::Unknown, |row| PriceKnown::Listed(row.price))
        }
    }

    /// On what terms a request of so many tokens to the chosen model passes.
    #[must_use]
    pub fn terms(&self, input_tokens: u64) -> Terms {
        Terms {
            price: match self.price(input_tokens) {
                PriceKnown::Free => Some(Price::FREE),
                PriceKnown::Own(price) | PriceKnown::Listed(price) => Some(price),
                PriceKnown::Unknown => None,
            },
            conversation_limit: self.spending.conversation_limit,
            month_limit: self.spending.month_limit,
            rates: (!self.is_here()).then_some(self.spending.rates),
            longest_answer: match &self.model {
                Choice::Gateway { wire, .. } => wire.longest_answer(),
                Choice::BuiltIn | Choice::Browser | Choice::Own => None,
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use protocol::Role;

    use super::{Player, PriceKnown, Roles};
    use crate::settings::{Choice, Own, Settings};

    fn own(url: &str, model: &str) -> Settings {
        let own = Own { url: url.into(), model: model.into(), ..Own::default() };
        Settings { model: Choice::Own, own, ..Settings::default() }
    }

    #[test]
    fn a_role_is_played_by_whom_the_person_chose_or_by_the_chosen_model() {
        let roles = |small: &str| Roles { small: Some(Player::from(small.to_owned())), cheap: None };
        let name = |small: &str, role| {
            let mut settings = own("https://api.openai.com/v1", "gpt-5");
            settings.roles = roles(small);
            settings.as_role(role).model_name()
        };
        assert_eq!(name("own:gpt-5-nano", Role::Small), "gpt-5-nano");
        assert_eq!(name("own:gpt-5-nano", Role::Cheap), "gpt-5");
        assert_eq!(name("own:gpt-5-nano", Role::Main), "gpt-5");
        assert_eq!(name("builtin", Role::Small), "pocket");
        assert_eq!(name("gateway:ollama/qwen3", Role::Small), "qwen3");
        assert_eq!(name("own:", Role::Small), "gpt-5", "one without a name is none");
        assert!(!Roles::default().is_on() && roles("builtin").is_on());
        for value in ["own:m", "builtin", "gateway+anthropic:claude/haiku"] {
            assert_eq!(String::from(Player::from(value.to_owned())), value);
        }
    }

    #[test]
    fn what_is_on_this_device_costs_nothing_and_is_not_slowed_down() {
        let local = own("http://127.0.0.1:11434/v1", "gpt-5");
        assert_eq!(local.price(10), PriceKnown::Free);
        assert_eq!(local.terms(10).rates, None);
        assert_eq!(Settings::default().price(10), PriceKnown::Free);
        let remote = own("https://api.openai.com/v1", "gpt-5");
        assert!(matches!(remote.price(10), PriceKnown::Listed(_)) && remote.terms(10).rates.is_some());
        let mut unknown = own("https://api.example/v1", "mine");
        assert_eq!((unknown.price(10), unknown.terms(10).price), (PriceKnown::Unknown, None));
        // What the person says goes before all else, and holds for a model here too.
        let price = llm::Price { input: 1, cached: 1, output: 2 };
        unknown.spending.prices.insert("mine".into(), price);
        assert_eq!(unknown.price(10), PriceKnown::Own(price));
        unknown.own.url = "http://127.0.0.1/v1".into();
        assert_eq!(unknown.price(10), PriceKnown::Own(price));
    }
}
