//! The words around the rooms of the settings: their list, the search, and by which other words a room is looked for.

use crate::settings::Section;

include!(concat!(env!("OUT_DIR"), "/rooms.rs"));

/// Other words by which a room is looked for, in small letters.
#[must_use]
pub fn also_called(section: Section) -> &'static str {
    match section {
        Section::List | Section::Panel(_) => "",
        Section::Model => model_also_called(),
        Section::Roles => roles_also_called(),
        Section::Answers => answers_also_called(),
        Section::Approvals => approvals_also_called(),
        Section::Senses => senses_also_called(),
        Section::Privacy => privacy_also_called(),
        Section::Spending => spending_also_called(),
        Section::Data => data_also_called(),
        Section::Files => files_also_called(),
        Section::Copies => copies_also_called(),
        Section::Servers => servers_also_called(),
        Section::Programs => programs_also_called(),
        Section::App => app_also_called(),
    }
}
