//! What can be found in the settings: the rooms and what is in each, by name, by what is said of it, and by other words. Pure but for
//! the panels, which are asked.

use ui_kit::Panels;
use ui_kit::panel::{Room, Setting};

use super::{
    answers_section, app_section, approval_section, media_input_section, model_section, privacy_section,
    roles_section,
};
use crate::i18n;
use crate::settings::Section;
use crate::settings::words::section_name;
use crate::{relay, servers, spend_view};

/// Words in the page's language.
type Words = ui_kit::language::Word;

/// A room as the list and the search have it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Which it is.
    pub section: Section,
    /// What it is called.
    pub name: &'static str,
    /// What is in it.
    settings: Vec<Setting>,
}

/// Something that the search found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hit {
    /// The room that it is in, or that it is.
    pub section: Section,
    /// The room's name.
    pub room: &'static str,
    /// What it is; none for the room itself.
    pub setting: Option<Setting>,
}

impl Hit {
    /// What it is called.
    #[must_use]
    pub fn name(&self) -> &'static str {
        self.setting.map_or(self.room, |setting| (setting.name)())
    }
}

/// All rooms in their order: those of panels come after the approvals, which they are closest to.
#[must_use]
pub fn rooms(panels: Panels) -> Vec<Entry> {
    let mut rooms = Vec::new();
    for section in Section::ALL {
        rooms.push(Entry { section, name: section_name(section), settings: settings_of(section) });
        if section == Section::Approvals {
            let with_room = |panel: &std::rc::Rc<dyn ui_kit::Panel>| {
                let Room { settings, .. } = panel.settings()?;
                Some(Entry {
                    section: Section::Panel(panel.id()),
                    name: panel.label().1,
                    settings: settings.to_vec(),
                })
            };
            rooms.extend(panels.all().iter().filter_map(with_room));
        }
    }
    rooms
}

fn settings_of(section: Section) -> Vec<Setting> {
    let one = |id, name: Words, hint: Words| Setting { id, name, hint };
    match section {
        Section::List | Section::Panel(_) => Vec::new(),
        Section::Model => model_section::SETTINGS.to_vec(),
        Section::Roles => roles_section::SETTINGS.to_vec(),
        Section::Answers => answers_section::SETTINGS.to_vec(),
        Section::Approvals => approval_section::SETTINGS.to_vec(),
        Section::Senses => media_input_section::SETTINGS.to_vec(),
        Section::Privacy => privacy_section::SETTINGS.to_vec(),
        Section::Spending => spend_view::SETTINGS.to_vec(),
        Section::Data => vec![
            one("storage", i18n::storage_name, i18n::storage_has),
            one("erase", i18n::erase, i18n::erase_hint),
        ],
        Section::Files => vec![
            one("export", i18n::export, i18n::export_hint),
            one("import-file", i18n::import, i18n::import_file),
        ],
        Section::Copies => vec![one("copy-take", i18n::take_a_copy, i18n::copies_hint)],
        Section::Servers => servers::SETTINGS.to_vec(),
        Section::Programs => relay::SETTINGS.to_vec(),
        Section::App => app_section::SETTINGS.to_vec(),
    }
}

/// What has all of these words: what has them in its name comes first, then what is in a room of that name, or has them in what is said of
/// it. Nothing without a word.
#[must_use]
pub fn find(typed: &str, rooms: &[Entry]) -> Vec<Hit> {
    let typed = typed.to_lowercase();
    let words: Vec<&str> = typed.split_whitespace().collect();
    if words.is_empty() {
        return Vec::new();
    }
    let (mut by_name, mut by_hint) = (Vec::new(), Vec::new());
    for Entry { section, name: room, settings } in rooms {
        let hit = |setting| Hit { section: *section, room, setting };
        let of_room = room.to_lowercase();
        let mut sort_in = |hit: Hit, name: &str, more: &str| {
            let has_all = |text: &str| words.iter().all(|word| text.contains(word));
            if has_all(name) {
                by_name.push(hit);
            } else if has_all(&format!("{of_room} {name} {more}")) {
                by_hint.push(hit);
            }
        };
        sort_in(hit(None), &of_room, i18n::also_called(*section));
        for setting in settings {
            let (name, hint) = ((setting.name)().to_lowercase(), (setting.hint)().to_lowercase());
            sort_in(hit(Some(*setting)), &name, &hint);
        }
    }
    by_name.extend(by_hint);
    by_name
}

#[cfg(test)]
mod tests {
    use super::{Entry, Setting, Words, find, settings_of};
    use crate::settings::Section;
    use crate::settings::words::section_name;

    fn found(typed: &str) -> Vec<&'static str> {
        ui_kit::words::call(ui_kit::words::Names { app: "A", one: "note", many: "notes" });
        let entry = |section| Entry { section, name: section_name(section), settings: settings_of(section) };
        let mut rooms: Vec<Entry> = Section::ALL.map(entry).into();
        let (name, hint): (Words, Words) = (|| "Remember what I ask for", || "Told in short.");
        let settings = vec![Setting { id: "memory-switch", name, hint }];
        rooms.push(Entry { section: Section::Panel("memory"), name: "Memory", settings });
        find(typed, &rooms).iter().map(super::Hit::name).collect()
    }

    #[test]
    fn rooms_and_settings_are_found_by_their_words() {
        for (typed, first) in [
            ("approval", "Approvals"),
            ("memory", "Memory"),
            ("VOICE", "Voice and pictures"),
            ("spend", "Spending"),
            ("delete everything", "Delete everything"),
            ("dictate", "Dictate messages"),
            ("backup", "Export and import"),
            ("month limit", "At most per month, in US dollars"),
            ("key", "Model"),
            ("dark", "Theme and app"),
        ] {
            assert_eq!(found(typed).first(), Some(&first), "{typed}: {:?}", found(typed));
        }
    }

    #[test]
    fn a_room_brings_up_what_is_in_it() {
        assert_eq!(found("memory"), ["Memory", "Remember what I ask for"]);
        assert_eq!(found("memory short"), ["Remember what I ask for"]);
        assert_eq!(found("zebra"), [""; 0]);
        assert_eq!(found("  "), [""; 0]);
    }
}
