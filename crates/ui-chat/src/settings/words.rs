//! Words for what settings tells apart.

use ui_kit::dates::day_written;

use super::{Choice, PriceKnown, Section, Theme};
use crate::i18n::money;

include!(concat!(env!("OUT_DIR"), "/settings.rs"));

/// The chosen model cannot be reached.
#[must_use]
pub fn out_of_reach(choice: &Choice) -> String {
    match choice {
        Choice::Gateway { model, .. } => model_out_of_reach(model),
        Choice::Own | Choice::BuiltIn | Choice::Browser => own_model_out_of_reach().to_owned(),
    }
}

/// A room of the settings that is none of a panel's.
#[must_use]
pub fn section_name(section: Section) -> &'static str {
    match section {
        // The name of a panel's room is that panel's own.
        Section::List | Section::Panel(_) => crate::i18n::settings(),
        Section::Model => section_model(),
        Section::Roles => section_roles(),
        Section::Answers => section_answers(),
        Section::Approvals => section_approvals(),
        Section::Senses => section_senses(),
        Section::Privacy => section_privacy(),
        Section::Spending => section_spending(),
        Section::Data => section_data(),
        Section::Files => section_files(),
        Section::Copies => section_copies(),
        Section::Servers => section_servers(),
        Section::Programs => section_programs(),
        Section::App => section_app(),
    }
}

/// What is known of a model's price.
#[must_use]
pub fn price(known: PriceKnown) -> String {
    match known {
        PriceKnown::Free => price_free().to_owned(),
        PriceKnown::Unknown => price_unknown().to_owned(),
        PriceKnown::Own(price) => price_own(&money(price.input), &money(price.output)),
        PriceKnown::Listed(price) => {
            let day = day_written(llm::PRICES_READ_ON).unwrap_or_default();
            price_listed(&money(price.input), &money(price.output), &day)
        }
    }
}

/// The model in the header.
#[must_use]
pub fn model_name(choice: &Choice, stands_in: bool) -> String {
    match choice {
        Choice::BuiltIn if stands_in => name_built_in_for_now().to_owned(),
        Choice::BuiltIn => name_built_in().to_owned(),
        Choice::Gateway { model, .. } => model.clone(),
        Choice::Browser => name_browser().to_owned(),
        Choice::Own => name_own().to_owned(),
    }
}

/// What a choice of model means.
#[must_use]
pub fn model_hint(choice: &Choice) -> &'static str {
    match choice {
        Choice::BuiltIn => hint_built_in(),
        Choice::Browser => hint_browser(),
        Choice::Gateway { .. } => hint_gateway(),
        Choice::Own => hint_own(),
    }
}

/// What leaves the device with a choice of model.
#[must_use]
pub fn what_leaves(choice: &Choice) -> &'static str {
    match choice {
        Choice::BuiltIn => leaves_built_in(),
        Choice::Browser => leaves_browser(),
        Choice::Gateway { .. } => leaves_gateway(),
        Choice::Own => leaves_own(),
    }
}

/// A theme in the menu.
#[must_use]
pub fn theme_name(theme: Theme) -> &'static str {
    match theme {
        Theme::System => theme_system(),
        Theme::Light => theme_light(),
        Theme::Dark => theme_dark(),
    }
}
