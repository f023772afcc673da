//! Answers to our questions in German: those who are shown them in German answer in it (S4-17). Only words of who travels and what it may
//! cost are read, as their English ones; the text stays as it was typed.

use crate::lex::{Kind, Token};

/// English words, each with the German ones that are read as it. Umlauts are spelt both ways.
const WORDS: &str = "\
adults=erwachsene erwachsenen erwachsener
child=kind
children=kinder kindern
babies=babys
friends=freunde freunden
friend=freund freundin
wife=frau ehefrau
husband=mann ehemann
partner=partnerin
daughter=tochter
daughters=töchter töchtern toechter toechtern
son=sohn
sons=söhne söhnen soehne soehnen
mother=mutter
father=vater
parents=eltern
sister=schwester
sisters=schwestern
brother=bruder
brothers=brüder brüdern brueder bruedern
grandmother=oma großmutter grossmutter
grandfather=opa großvater grossvater
family=familie
people=personen leute leuten reisende
person=person
alone=allein alleine
just=nur
my=mein meine meiner meinem meinen
our=unser unsere unserer unserem unseren
i=ich
we=wir
are=sind
and=und
with=mit
for=zu für fuer
of=von
years=jahre jahren
old=alt
a=ein eine einem einer einen
two=zwei zweit
three=drei dritt
four=vier viert
five=fünf fuenf fünft fuenft
six=sechs sechst
seven=sieben
eight=acht
nine=neun
ten=zehn
thousand=tausend
pounds=pfund
francs=franken
none=kein keine keins keines egal
up=höchstens hoechstens maximal
";

/// The same words, each German one read as its English one.
pub fn read(words: &[Token]) -> Vec<Token> {
    let english = |lower: &str| {
        let row = WORDS.lines().filter_map(|line| line.split_once('='));
        row.filter(|(_, german)| german.split(' ').any(|word| word == lower))
            .map(|(english, _)| english)
            .next()
    };
    let one = |word: &Token| match english(&word.lower).filter(|_| word.kind == Kind::Word) {
        Some(english) => Token { lower: english.to_owned(), ..word.clone() },
        None => word.clone(),
    };
    words.iter().map(one).collect()
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;
    use serde_json::json;

    use crate::trip::days::Calendar;
    use crate::trip::wishing::Wishes;

    /// S4-17: the questions are shown in German to those who write in it. S4-18: a family is no number.
    #[test]
    fn answers_in_german_are_read() {
        let calendar = Calendar { now: date(2026, 11, 21).at(22, 30, 0, 0), trip: None };
        for (who, budget, expected) in [
            ("zwei Erwachsene und zwei Kinder", "5000 Euro", "4 5000.0"),
            ("mit meiner Frau", "höchstens 5.000 Euro", "2 5000.0"),
            ("meine Frau und ich", "5000 €", "2 5000.0"),
            ("wir sind zu viert", "keins", "4 null"),
            ("nur ich", "900 Pfund", "1 900.0"),
            ("vier Personen", "egal", "4 null"),
            ("meine Familie", "", "null null"),
        ] {
            let wishes = Wishes::answered(&json!({ "who": who, "budget": budget }), &calendar, ("", None));
            let fields = json!(wishes.fields);
            let got = format!("{} {}", fields["travelers"]["value"], fields["budget"]["value"]["amount"]);
            assert_eq!(got, expected, "{who}, {budget}: {fields}");
        }
    }
}
