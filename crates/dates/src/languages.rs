//! Names of months and weekdays in the languages that free text is in. Words come in lower case.

use jiff::civil::Weekday;

use crate::names;

/// The month, 1 to 12, that a word names: in English and German in full or in short, in other languages in the cases that a
/// date takes.
#[must_use]
pub fn month(word: &str) -> Option<i8> {
    names::month(word).or_else(|| german_month(word)).or_else(|| other_month(word))
}

/// The German months that are not written as the English ones.
fn german_month(word: &str) -> Option<i8> {
    Some(match word {
        "januar" => 1,
        "februar" => 2,
        "märz" => 3,
        "mai" => 5,
        "juni" => 6,
        "juli" => 7,
        "oktober" | "okt" => 10,
        "dezember" | "dez" => 12,
        _ => return None,
    })
}

/// The same in other languages: in the cases that a date takes, and in short where no English word is the same.
fn other_month(word: &str) -> Option<i8> {
    Some(match word {
        "janvier" | "janv" | "enero" | "ene" | "gennaio" | "janeiro" | "januari" | "styczeń" | "stycznia"
        | "styczniu" | "январь" | "января" | "январе" | "січня" | "ledna" | "ocak" | "يناير" => {
            1
        }
        "février" | "févr" | "fév" | "febrero" | "febbraio" | "fevereiro" | "februari" | "luty"
        | "lutego" | "lutym" | "февраль" | "февраля" | "феврале" | "лютого" | "února" | "şubat"
        | "فبراير" => 2,
        "mars" | "marzo" | "março" | "maart" | "mrt" | "marzec" | "marca" | "marcu" | "март" | "марта"
        | "марте" | "березня" | "března" | "mart" | "مارس" => 3,
        "avril" | "avr" | "abril" | "abr" | "aprile" | "kwiecień" | "kwietnia" | "kwietniu" | "апрель"
        | "апреля" | "апреле" | "квітня" | "dubna" | "nisan" | "أبريل" | "ابريل" | "إبريل" => {
            4
        }
        "mayo" | "maggio" | "maio" | "mei" | "maj" | "maja" | "maju" | "май" | "мая" | "мае" | "травня"
        | "května" | "mayıs" | "مايو" => 5,
        "juin" | "junio" | "giugno" | "junho" | "czerwiec" | "czerwca" | "czerwcu" | "июнь" | "июня"
        | "июне" | "червня" | "června" | "haziran" | "يونيو" => 6,
        "juillet" | "juil" | "julio" | "luglio" | "julho" | "lipiec" | "lipca" | "lipcu" | "июль"
        | "июля" | "июле" | "липня" | "července" | "temmuz" | "يوليو" => 7,
        "août" | "aout" | "agosto" | "augustus" | "augusti" | "sierpień" | "sierpnia" | "sierpniu"
        | "август" | "августа" | "августе" | "серпня" | "srpna" | "ağustos" | "أغسطس" => {
            8
        }
        "septembre" | "septiembre" | "setiembre" | "settembre" | "setembro" | "wrzesień" | "września"
        | "wrześniu" | "сентябрь" | "сентября" | "сентябре" | "вересня" | "září" | "eylül" | "سبتمبر" => {
            9
        }
        "octobre" | "octubre" | "ottobre" | "outubro" | "oktober" | "październik" | "października"
        | "październiku" | "октябрь" | "октября" | "октябре" | "жовтня" | "října" | "ekim" | "أكتوبر" => {
            10
        }
        "novembre" | "noviembre" | "novembro" | "listopad" | "listopada" | "listopadzie" | "ноябрь"
        | "ноября" | "ноябре" | "листопада" | "listopadu" | "kasım" | "نوفمبر" => {
            11
        }
        "décembre" | "déc" | "diciembre" | "dic" | "dicembre" | "dezembro" | "december" | "grudzień"
        | "grudnia" | "grudniu" | "декабрь" | "декабря" | "декабре" | "грудня" | "prosince" | "aralık"
        | "ديسمبر" => 12,
        _ => return None,
    })
}

/// The weekday that a word names in English or German, and whether it is its whole name.
#[must_use]
pub fn weekday(word: &str) -> Option<(Weekday, bool)> {
    // "Weds" is more often a verb.
    if let Some(day) = names::weekday(word).filter(|_| word != "weds") {
        return Some((day, word.len() > "thurs".len()));
    }
    Some(match word {
        "montag" => (Weekday::Monday, true),
        "dienstag" => (Weekday::Tuesday, true),
        "mittwoch" => (Weekday::Wednesday, true),
        "donnerstag" => (Weekday::Thursday, true),
        "freitag" => (Weekday::Friday, true),
        "samstag" | "sonnabend" => (Weekday::Saturday, true),
        "sonntag" => (Weekday::Sunday, true),
        "mo" => (Weekday::Monday, false),
        "di" => (Weekday::Tuesday, false),
        "mi" => (Weekday::Wednesday, false),
        "do" => (Weekday::Thursday, false),
        "fr" => (Weekday::Friday, false),
        "sa" => (Weekday::Saturday, false),
        "so" => (Weekday::Sunday, false),
        _ => return None,
    })
}

/// The weekday that a word of another language names. Only beside a date: many of these are words of other languages too.
#[must_use]
pub fn weekday_beside_a_date(word: &str) -> Option<Weekday> {
    Some(match word {
        "lundi"
        | "lunes"
        | "lunedì"
        | "maandag"
        | "måndag"
        | "måndagen"
        | "mandag"
        | "poniedziałek"
        | "понедельник"
        | "понедельника" => Weekday::Monday,
        "mardi" | "martes" | "martedì" | "dinsdag" | "tisdag" | "tisdagen" | "tirsdag" | "wtorek"
        | "вторник" | "вторника" => Weekday::Tuesday,
        "mercredi" | "miércoles" | "mercoledì" | "woensdag" | "onsdag" | "onsdagen" | "środa" | "środę"
        | "среда" | "среду" | "среды" => Weekday::Wednesday,
        "jeudi" | "jueves" | "giovedì" | "donderdag" | "torsdag" | "torsdagen" | "czwartek" | "четверг"
        | "четверга" => Weekday::Thursday,
        "vendredi" | "viernes" | "venerdì" | "vrijdag" | "fredag" | "fredagen" | "piątek" | "пятница"
        | "пятницу" | "пятницы" => Weekday::Friday,
        "samedi" | "sábado" | "sabato" | "zaterdag" | "lördag" | "lördagen" | "lørdag" | "sobota"
        | "sobotę" | "суббота" | "субботу" | "субботы" => Weekday::Saturday,
        "dimanche"
        | "domingo"
        | "domenica"
        | "zondag"
        | "söndag"
        | "söndagen"
        | "søndag"
        | "niedziela"
        | "niedzielę"
        | "воскресенье"
        | "воскресенья" => Weekday::Sunday,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_told_in_each_language() {
        for (word, expected) in [
            ("march", Some(3)),
            ("mar", Some(3)),
            ("sept", Some(9)),
            ("märz", Some(3)),
            ("dez", Some(12)),
            ("stycznia", Some(1)),
            ("декабря", Some(12)),
            ("marc", None),
            ("", None),
        ] {
            assert_eq!(month(word), expected, "{word}");
        }
        for (word, expected) in [
            ("mondays", Some((Weekday::Monday, true))),
            ("thurs", Some((Weekday::Thursday, false))),
            ("sonnabend", Some((Weekday::Saturday, true))),
            ("so", Some((Weekday::Sunday, false))),
            ("weds", None),
            ("lundi", None),
        ] {
            assert_eq!(weekday(word), expected, "{word}");
        }
        assert_eq!(weekday_beside_a_date("lundi"), Some(Weekday::Monday));
    }
}
