//! Words for what settings tells apart.

use super::{Choice, PriceKnown, Section, Theme};
use ui_kit::words::filled;

/// The chosen model cannot be reached.
#[must_use]
pub fn out_of_reach(choice: &Choice) -> String {
    match choice {
        Choice::Gateway { model, .. } => format!("No network: {model} can’t be reached."),
        Choice::Own | Choice::BuiltIn | Choice::Browser => {
            "No network: your own model can’t be reached.".to_owned()
        }
    }
}

/// A room of the settings that is none of a panel's.
#[must_use]
pub fn section_name(section: Section) -> &'static str {
    match section {
        // The name of a panel's room is that panel's own.
        Section::List | Section::Panel(_) => crate::i18n::SETTINGS,
        Section::Model => "Model",
        Section::Roles => "Other models",
        Section::Answers => "Answers",
        Section::Approvals => "Approvals",
        Section::Senses => "Voice and pictures",
        Section::Privacy => "Privacy",
        Section::Spending => "Spending",
        Section::Data => "Your data",
        Section::Files => "Export and import",
        Section::Copies => "Saved copies",
        Section::Servers => "Tool servers",
        Section::Programs => "Other programs",
        Section::App => "Theme and app",
    }
}

/// What is known of a model's price.
#[must_use]
pub fn price(known: PriceKnown) -> String {
    match known {
        PriceKnown::Free => "costs nothing".to_owned(),
        PriceKnown::Unknown => "price not known".to_owned(),
        PriceKnown::Own(price) => format!("{}, as you said", per_million(price)),
        PriceKnown::Listed(price) => format!("{}, read on {}", per_million(price), llm::PRICES_READ_ON),
    }
}

/// The model in the header.
#[must_use]
pub fn model_name(choice: &Choice, stands_in: bool) -> String {
    match choice {
        Choice::BuiltIn if stands_in => "Built in, for now".to_owned(),
        Choice::BuiltIn => "Built in".to_owned(),
        Choice::Gateway { model, .. } => model.clone(),
        Choice::Browser => "Browser’s model".to_owned(),
        Choice::Own => "Own model".to_owned(),
    }
}

/// What a choice of model means.
#[must_use]
pub fn model_hint(choice: &Choice) -> &'static str {
    let words = match choice {
        Choice::BuiltIn => "Understands plain sentences about your {many}, at once and without a network.",
        Choice::Browser => {
            "The model your browser brings along. Small, and without a network once it is there."
        }
        Choice::Gateway { .. } => "Answers through the server this page came from.",
        Choice::Own => "Any server that speaks OpenAI’s chat completions: Ollama, llama.cpp, or a provider.",
    };
    filled(words)
}

/// What leaves the device with a choice of model.
#[must_use]
pub fn what_leaves(choice: &Choice) -> &'static str {
    let words = match choice {
        Choice::BuiltIn => "Nothing. The model, the tools and your {many} are all here.",
        Choice::Browser => {
            "Nothing that {app} sends. What you write goes to your browser’s own model; Chrome and Edge run it on \
             this device."
        }
        Choice::Gateway { .. } => {
            "What you write in the chat, and the {many} that answering it needs, go to the model through the server \
             this page came from. Your list itself stays here."
        }
        Choice::Own => {
            "What you write in the chat, and the {many} that answering it needs, go to the address of your own model. \
             Your list itself stays here."
        }
    };
    filled(words)
}

/// A theme in the menu.
#[must_use]
pub fn theme_name(theme: Theme) -> &'static str {
    match theme {
        Theme::System => "System",
        Theme::Light => "Light",
        Theme::Dark => "Dark",
    }
}

fn per_million(price: llm::Price) -> String {
    format!(
        "{} sent, {} answered, per million tokens",
        crate::i18n::money(price.input),
        crate::i18n::money(price.output)
    )
}
