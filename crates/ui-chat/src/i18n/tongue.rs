//! Which language a sentence of the built-in model is in, or one that is said to it: a voice has to know.

/// Words of its German sentences that its English ones have not, and the same the other way round. Both have "in" and "was".
const WORDS: [&str; 2] = [
    " ich du das ist sind es nicht keine kein und die der hinzugefügt geändert gelöscht erledigt fällig offen gern geschehen zeig \
     mach meine mir was hake füge setze plane räume rückgängig gemacht wiederhergestellt du hast soll wie mit welches welche vergessen fotos ",
    " i you the is are it not no and added changed deleted done due open say show undo undone what's what’s mark my add which \
     forgotten photos clear plan all me ",
];

/// The tag (BCP 47) of a text's language, by its small words: `de` where it has more German ones, else `en`. What is quoted or
/// strong is somebody's, and says nothing.
pub fn tongue_of(text: &str) -> &'static str {
    let mut score = 0_i32;
    for (at, part) in text.split("**").enumerate() {
        let mut depth = 0_usize;
        let own = |c: char| {
            match c {
                '„' | '“' if depth == 0 => depth = 1,
                '“' | '”' | '\n' => depth = 0,
                _ => {}
            }
            if depth > 0 { ' ' } else { c }
        };
        let said: String = if at % 2 == 0 { part.chars().map(own).collect() } else { continue };
        for word in said.split(|c: char| !c.is_alphabetic() && !matches!(c, '\'' | '’')) {
            let word = format!(" {} ", word.to_lowercase());
            let [german, english] = WORDS.map(|words| word.len() > 2 && words.contains(&word));
            score += i32::from(german) - i32::from(english);
        }
    }
    if score > 0 { "de" } else { "en" }
}

#[cfg(test)]
mod tests {
    use super::tongue_of;

    /// The answers of the built-in model in a snapshot of its tests, each with the message it answers.
    fn answers(snapshot: &str) -> Vec<(String, String)> {
        let mut all: Vec<(String, String)> = Vec::new();
        for line in snapshot.lines() {
            if let Some(said) = line.strip_prefix("> ") {
                all.push((said.to_owned(), String::new()));
            } else if let (Some(line), Some((_, answer))) = (line.strip_prefix("  | "), all.last_mut()) {
                answer.push_str(line);
                answer.push('\n');
            }
        }
        all
    }

    #[test]
    fn answers_say_their_language() {
        let english = ["add buy milk", "Plane tickets", "what did I say first?"];
        let german = answers(include_str!("../../../builtin/tests/snapshots/commands__german.snap"));
        assert!(german.len() > 200);
        for (said, answer) in german {
            let expected = if english.contains(&&*said) { "en" } else { "de" };
            assert_eq!(tongue_of(&answer), expected, "{said}: {answer}");
        }
        let more = [
            include_str!("../../../builtin/tests/snapshots/commands__adding.snap"),
            include_str!("../../../builtin/tests/snapshots/commands__changing.snap"),
            include_str!("../../../builtin/tests/snapshots/commands__listing.snap"),
            include_str!("../../../builtin/tests/snapshots/commands__questions.snap"),
            include_str!("../../../builtin/tests/snapshots/commands__talking.snap"),
        ];
        for (said, answer) in more.into_iter().flat_map(answers) {
            assert_eq!(tongue_of(&answer), "en", "{said}: {answer}");
        }
    }

    #[test]
    fn suggestions_say_their_language() {
        let said =
            |catalogue: &'static str| catalogue.lines().filter_map(|line| Some(line.split_once(" = ")?.1));
        for (catalogue, tag) in [
            (include_str!("../../../ui-todo/locales/de/suggestions.ftl"), "de"),
            (include_str!("../../../ui-todo/locales/en/suggestions.ftl"), "en"),
        ] {
            for text in said(catalogue) {
                assert_eq!(tongue_of(text), tag, "{text}");
            }
        }
        assert_eq!(tongue_of("Hinzugefügt:\n\n- [ ] **Was ist das**"), "de");
        assert_eq!(tongue_of("Added:\n\n- [ ] **Das ist nicht fällig**"), "en");
        assert_eq!(tongue_of("I found no to-do that matches “die Milch ist da”."), "en");
    }
}
