//! Which language a message is in, or an answer, as far as its small words tell.

use super::words;
use crate::conversation::Language;
use crate::lex::Kind;

/// Words that German messages have and English ones have not. Umlauts are spelt out.
const GERMAN: &str = "ich du er wir ihr mich mir dich dir mein meine meinen meinem meiner dein deine der das den dem ein eine \
                      einen einem einer eines und oder nicht kein keine keinen ist sind bin bist wird werden habe hab hast hast \
                      haben wie wer wo wann warum wieso welche welcher welches welchen bitte auf auch noch alle alles heute morgen \
                      uebermorgen gestern mit von zu zum zur fuer ueber nach bei aus wenn dass kann kannst koennen soll sollte muss \
                      moechte gibt es sich ja nein nee doch danke hallo servus moin tschuess guten genau lieber gut zeig zeige \
                      loesche loeschen hake abhaken verschiebe verschieben fuege hinzufuegen erledigt erledigen aufgabe aufgaben liste faellig dran hilfe stimmt klar passt";

/// Words that English messages have and German ones have not.
const ENGLISH: &str = "the i i'm i've you your my me it it's is are am were what what's which when where who whom how do does did \
                       don't can could should would have has had to of for with and or not no nope yes yeah yep please show add \
                       delete remove complete remind tell move rename mark make take this that these those them today tomorrow \
                       yesterday undo redo thanks thank hello help all done due every next last first one another other nothing \
                       never mind open find search list plan clear change set put on at by about from";

/// Verbs that German titles end with.
const DEEDS: &str = "kaufen anrufen putzen schreiben lesen holen bringen abholen bezahlen zahlen waschen kochen backen streichen \
                     anschauen ansehen besuchen buchen bestellen reparieren aufraeumen packen schicken giessen abgeben lernen";

/// Verbs that English titles begin with.
const ENGLISH_DEEDS: &str =
    "call buy pay write get go read book clean send email meet fix water visit order pick bring";

/// Words of the model's German answers that its English ones have not; beside [`GERMAN`].
const GERMAN_ANSWERS: &str = "hinzugefuegt geaendert geloescht rueckgaengig wiederhergestellt offen vergessen sag keins dieses diese gern \
     unteraufgabe unteraufgaben vorher ausserdem wovon anders naechsten kommt kommen";

/// Words of its English answers that its German ones have not; beside [`ENGLISH`].
const ENGLISH_ANSWERS: &str = "added changed deleted undone forgotten say so again already nothing copied open no its \
     you're i'll besides";

/// The language of an answer by its own words; `None` where it has none, or as many of both. What is quoted is somebody's, and
/// so is what stands in lines of lists, behind "in", and in notes.
pub fn answered(answer: &str) -> Option<Language> {
    /// Every answer of the conversation is looked at for every message: this many bytes of each.
    const MOST: usize = 200;
    let is_list = |line: &&str| {
        let behind = line.trim_start_matches(|first: char| first.is_ascii_digit());
        line.starts_with(['-', '*', '•', '|', '>'])
            || behind.len() < line.len() && behind.starts_with(['.', ')'])
    };
    let mut weight = 0_i32;
    let mut left = MOST;
    for line in answer.lines().filter(|line| !is_list(line) && !line.starts_with("Not")) {
        let line = line.split(" in ").next().unwrap_or_default();
        let own = line.char_indices().nth(left).and_then(|(at, _)| line.get(..at)).unwrap_or(line);
        left = left.saturating_sub(own.len());
        for token in words(own).iter().filter(|token| token.kind == Kind::Word) {
            weight += i32::from(token.of(GERMAN) || token.of(GERMAN_ANSWERS));
            weight -= i32::from(token.of(ENGLISH) || token.of(ENGLISH_ANSWERS));
        }
    }
    match weight {
        1.. => Some(Language::German),
        ..0 => Some(Language::English),
        0 => None,
    }
}

/// The language of a message that no frame of German read; the one `before` where it has no word of either, or as many of both.
pub fn language(said: &str, before: Option<Language>) -> Option<Language> {
    /// A longer message is told by its beginning.
    const MOST: usize = 600;
    let said = said.char_indices().nth(MOST).and_then(|(at, _)| said.get(..at)).unwrap_or(said);
    let tokens = words(said);
    let mut weight = 0_i32;
    let mut spelt = false;
    for (at, token) in tokens.iter().enumerate() {
        if token.kind != Kind::Word {
            continue;
        }
        // A command's verb stands first, and a title of another language behind it.
        let counts = if at == 0 { 3 } else { 1 };
        weight += i32::from(token.of(GERMAN)) * counts;
        weight -= i32::from(token.of(ENGLISH)) * counts;
        spelt |= token.text.contains(['ä', 'ö', 'ü', 'ß', 'Ä', 'Ö', 'Ü']);
    }
    let deed = tokens.iter().rev().find(|token| token.kind == Kind::Word).is_some_and(|last| last.of(DEEDS));
    match weight {
        1.. => Some(Language::German),
        ..0 => Some(Language::English),
        // A title alone says something only where nobody said anything yet: "Call Müller" is in either.
        0 => before.or_else(|| {
            let told = deed || spelt && tokens.first().is_some_and(|first| !first.of(ENGLISH_DEEDS));
            told.then_some(Language::German)
        }),
    }
}
