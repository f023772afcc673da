//! Which language an answer of the built-in model is in: a voice has to know.

/// Words of its German sentences that its English ones have not, and the same the other way round. Both have "in" and "was".
const WORDS: [&str; 2] = [
    " ich du das ist sind es nicht keine kein und die der hinzugefügt geändert gelöscht erledigt fällig offen gern geschehen zeig \
     mach meine mir was hake füge setze plane räume rückgängig gemacht wiederhergestellt du hast soll wie mit welches welche vergessen fotos notizen ",
    " i you the is are it not no and added changed deleted done due open say show undo undone what's what’s mark my add which \
     forgotten photos clear plan all me notes ",
];

/// The tag (BCP 47) of the language of an answer, by its small words: `de` where it has more German ones, else `en`. What is
/// quoted or strong is somebody's, and says nothing; nor does what follows a word of [`SOMEBODYS`], or a tag.
pub fn tongue_of(text: &str) -> &'static str {
    let score: i32 = text.lines().map(weight).sum();
    if score > 0 { "de" } else { "en" }
}

/// After these a line has names or notes of somebody's, without a mark to tell where they end: a list ("· in Garden"), what a
/// change was from and to ("— list: Garden → House"), notes.
const SOMEBODYS: [&str; 6] = [" in ", " — ", "Notes: ", "Notizen: ", "Notes of ", "Notizen von "];

/// How many German words more than English ones a line has, of its own.
fn weight(line: &str) -> i32 {
    let mut own = String::new();
    for (at, part) in line.split("**").enumerate() {
        let mut is_quoted = false;
        let hidden = |c: char| {
            let closes = is_quoted && matches!(c, '“' | '”');
            let opens = !is_quoted && matches!(c, '„' | '“');
            is_quoted = opens || is_quoted && !closes;
            if is_quoted { ' ' } else { c }
        };
        if at % 2 == 0 {
            own.extend(part.chars().map(hidden));
        }
    }
    let behind =
        |mark: &&str| own.split_once(*mark).map(|(before, _)| before.len().saturating_add(mark.len()));
    let end = SOMEBODYS.iter().filter_map(behind).min();
    let own = end.and_then(|end| own.get(..end)).unwrap_or(&own);
    let is_tag = |word: &&str| word.trim_start_matches('\\').starts_with('#');
    let words = own.split_whitespace().filter(|word| !is_tag(word));
    words
        .flat_map(|word| word.split(|c: char| !c.is_alphabetic() && !matches!(c, '\'' | '’')))
        .map(|word| {
            let word = format!(" {} ", word.to_lowercase());
            let [german, english] = WORDS.map(|words| word.len() > 2 && words.contains(&word));
            i32::from(german) - i32::from(english)
        })
        .sum()
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
        let german = answers(include_str!("../../../builtin/tests/snapshots/it__commands__german.snap"));
        assert!(german.len() > 200);
        for (said, answer) in german {
            let expected = if english.contains(&&*said) { "en" } else { "de" };
            assert_eq!(tongue_of(&answer), expected, "{said}: {answer}");
        }
        let more = [
            include_str!("../../../builtin/tests/snapshots/it__commands__adding.snap"),
            include_str!("../../../builtin/tests/snapshots/it__commands__changing.snap"),
            include_str!("../../../builtin/tests/snapshots/it__commands__listing.snap"),
            include_str!("../../../builtin/tests/snapshots/it__commands__questions.snap"),
            include_str!("../../../builtin/tests/snapshots/it__commands__talking.snap"),
        ];
        for (said, answer) in more.into_iter().flat_map(answers) {
            assert_eq!(tongue_of(&answer), "en", "{said}: {answer}");
        }
    }

    #[test]
    fn words_of_somebody_say_nothing() {
        let english = [
            "Added:\n\n- [ ] **Das ist nicht fällig**",
            "I found no to-do that matches “die Milch ist da”.",
            "Here it is:\n\n- [ ] **Tea** · due today · in Das ist nicht mein Haus · \\#ich-und-du\n\nNotes: das ist nicht die Milch, und du soll",
            "Notes of “Tea”: das ist nicht die Milch",
            "Changed:\n\n- [ ] **Tea** — list: Das Haus und die Welt → Du und ich; notes: das ist es nicht → ich und du",
            "You have 2 open to-dos in Das ist nicht die Welt:",
            "Shall I add “Tea”, in Das ist nicht die Welt, as a to-do? (yes or no)",
        ];
        let german = [
            "Hinzugefügt:\n\n- [ ] **Was ist das**",
            "Hier ist es:\n\n- [ ] **Tea** · fällig heute · \\#it-is-not-done\n\nNotizen: this is not the milk, and you add it",
            "Notizen von „Tea“: this is not the milk, and you add it",
            "Geändert:\n\n- [ ] **Tea** — Notizen: it is not the one → you and me; Schlagwörter: \\#the → \\#show",
        ];
        for (texts, tag) in [(&english[..], "en"), (&german[..], "de")] {
            for text in texts {
                assert_eq!(tongue_of(text), tag, "{text}");
            }
        }
    }
}
