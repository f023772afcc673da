//! What is read from a catalogue, and what is refused.

use super::*;

const ENGLISH: &str = "
# The calendar.
calendar = Calendar
# What was found.
# $count (Number) - how many
found = { $count ->
    [0] Nothing
    [one] One { -one }
   *[other] { $count } { -many }
} in { $list }
";

#[test]
fn a_message_is_a_function_and_a_translation_a_list_in_its_order() {
    let first = parse("planner", ENGLISH, None).unwrap();
    assert_eq!(first.messages[0].pattern, "Calendar");
    let found = "\u{2}a\u{3}0\u{4}Nothing\u{3}one\u{4}One \u{1}O\u{3}\u{4}\u{1}a \u{1}M\u{5} in \u{1}b";
    assert_eq!(first.messages[1].pattern, found);
    let code = rust::functions(&first, "ui-todo/planner", "::ui_kit::language").unwrap();
    assert!(code.contains(
        "/// The calendar.\n#[must_use]\npub fn calendar() -> &'static str {\n    ::ui_kit::language::word(\"ui-todo/planner\", 0, \"Calendar\")\n}"
    ), "{code}");
    assert!(code.contains("pub fn found(count: usize, list: &str) -> String"), "{code}");

    let german = "found = { $list }: { $count }\ncalendar = Kalender\n";
    let german = parse("planner", german, Some(&first)).unwrap();
    let texts: Vec<&str> = german.messages.iter().map(|message| &*message.pattern).collect();
    assert_eq!(texts, ["Kalender", "\u{1}b: \u{1}a"]);
    assert_eq!(
        pseudo(found),
        "⟦\u{2}a\u{3}0\u{4}Ñöthïñg\u{3}one\u{4}Öñé \u{1}O\u{3}\u{4}⟧\u{1}a⟦ \u{1}M\u{5} ïñ ⟧\u{1}b⟦⟧"
    );
}

#[test]
fn what_is_no_translation_is_said() {
    let first = parse("planner", ENGLISH, None).unwrap();
    for (german, why) in [
        ("calendar = Kalender", "found is not translated"),
        ("calendar = Kalender\nfound = { $many }", "$many is not there"),
        ("calendar = { $count }\nfound = x", "$count is not there"),
        ("calendar = K\nfound = x\nmore = y", "more translates nothing"),
        ("calendar = K\ncalendar = K\nfound = x", "calendar is there twice"),
        ("calendar = K\nfound = { $list ->\n [one] x\n *[other] y\n }", "$list is no number"),
        ("calendar = K\nfound = { $count }", "$list is left out"),
        ("calendar = K\nfound = { -other }", "no term -other"),
        ("calendar = K\n  .title = K\nfound = x", "has no text, or attributes"),
        ("calendar = {", "line 1"),
    ] {
        let said = format!("{:#}", parse("planner", german, Some(&first)).unwrap_err());
        assert!(said.contains(why), "{german}: {said}");
    }
    let taken = parse("planner", "move = Move", None).unwrap();
    assert!(rust::functions(&taken, "a", "b").unwrap_err().to_string().contains("a word of Rust"));
}

#[test]
fn a_choice_by_a_word_has_the_same_words_in_every_language() {
    let english = "by = { $who ->\n [chat] in a chat\n [hand] by hand\n *[client] else\n}\n";
    let first = parse("kit", english, None).unwrap();
    let said = |text: &str| parse("kit", text, Some(&first)).map(drop).map_err(|why| format!("{why:#}"));
    assert_eq!(said("by = { $who ->\n [chat] Chat\n [hand] Hand\n *[client] x\n}\n"), Ok(()));
    assert_eq!(said("by = von { $who }\n"), Ok(()), "it is said as it is");
    for wrong in ["[chat] Chat\n [hnad] Hand\n", "[chat] Chat\n", "[chat] C\n [hand] H\n [other] O\n"] {
        let wrong = said(&format!("by = {{ $who ->\n {wrong} *[client] x\n}}\n")).unwrap_err();
        assert!(wrong.contains("the choice by $who has other words"), "{wrong}");
    }
}
