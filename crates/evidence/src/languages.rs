//! Other languages than English and German: which answers are in one, and the phrases that make a sentence no statement.
//! Their names of months and weekdays are in [`dates::languages`].
//!
//! What such an answer says in words is no claim, and what its numbers count nobody here can tell: they are
//! held to what the sources could mean by them, and to no more.

use super::fold::{stands_alone, stem};
use super::phrases::is_common;
use super::vocabulary;
use super::whens::Reading;

/// Words (folded) that English and German sentences hardly do without, and other languages do.
const READ: &str = " \
    the | and | are | you | your | have | with | from | this | that | has | they | will | which | there | \
    und | ist | dein | deine | deinen | sind | hast | eine | einen | wird | werden | heute | nicht | fur | \
    auf | zum | zur | das | mit | auch ";

/// The same of languages in Latin letters that are not read here.
const UNREAD: &str = " \
    le | les | est | une | pour | avec | vous | votre | vos | sont | dans | aux | que | pas | sur | \
    el | los | una | para | con | sus | tienes | tiene | hay | por | esta | del | vence | \
    il | lo | gli | della | dei | che | hai | sono | entro | ci | scade | \
    os | voce | tem | sao | nao | em | uma | dia | \
    de | het | een | jouw | hebt | zijn | moet | voor | nog | uur | om | vanaf | \
    masz | jest | trzeba | nie | oraz | zadan | zadania | we | czyli | otwartych | \
    och | det | ar | har | ett | pa | som | inte | av | skulle | ska | \
    og | af | til | ikke | \
    ve | bir | icin | olan | si | este | sunt | pentru | az | egy | hogy | nem | \
    yang | untuk | anda | dengan ";

/// Phrases (folded) of advice, offers and wishes.
const SOFT: &str = " \
    je peux | si vous | si tu | pourriez | voulez | puis je | suggere | recommande | souhaitez | \
    puedo | si quieres | podria | podrias | sugiero | recomiendo | quieres | \
    posso | se vuoi | potresti | suggerisco | consiglio | vuoi | se quiser | poderia | sugiro | \
    ik kan | zal ik | als je | misschien | wil je | \
    moge | jesli | mozesz | proponuje | jag kan | om du vill | vill du | \
    могу | если | можно | предлагаю | хотите | можете | можу | якщо | \
    可 以 | 如 果 | 建 议 | 要 不 要 | ま し ょ う | で き ま す | く だ さ い | 할 까 요 | 할 수 있 | \
    يمكنني | إذا | هل ";

/// Phrases (folded) that say that something is not.
const NEGATIONS: &str = " \
    ne | pas | rien | aucun | aucune | sans | jamais | no | nada | ningun | ninguna | sin | nunca | \
    non | nessun | nessuna | niente | senza | nao | nenhum | nenhuma | sem | geen | niet | niets | zonder | \
    nie | brak | bez | inte | inga | ingen | inget | utan | ikke | не | нет | ничего | без | немає | \
    没 | 不 | 无 | な い | ま せ ん | な し | 없 | لا | ليس | لم | ليست ";

fn any(folded: &str, phrases: &str) -> bool {
    phrases.split('|').any(|phrase| folded.contains(phrase))
}

/// A sentence of an unread language that states nothing about what the tools said.
pub(super) fn is_soft(folded: &str) -> bool {
    any(folded, SOFT)
}

/// A sentence of an unread language that says that something is not.
pub(super) fn is_negated(folded: &str) -> bool {
    any(folded, NEGATIONS)
}

/// Whether a text (folded) is in a language that is not read here: by its script, by the small words that it has and
/// English and German have not, or because it has no word at all that either of them has.
pub(super) fn is_unread(folded: &str) -> bool {
    let (mut read, mut unread, mut other) = (0_usize, 0_usize, 0_usize);
    let mut familiar = false;
    for word in folded.split_whitespace() {
        let known = |phrases: &str| phrases.split('|').any(|phrase| phrase.trim() == word);
        if word.chars().next().is_some_and(|c| c.is_alphabetic() && !is_latin(c)) || known(UNREAD) {
            unread += 1;
        } else if known(READ) {
            read += 1;
        } else if word.starts_with(char::is_alphabetic) {
            other += 1;
            familiar |= FAMILIAR.contains(&word)
                || (word.len() > 3 && is_common(stem(word)))
                || vocabulary::relative(word).is_some()
                || vocabulary::weekday(word).is_some_and(|(_, whole)| whole);
        }
    }
    unread > read || (read == 0 && !familiar && other > 3)
}

/// Small words that are too often those of other languages to tell them apart, and that every other sentence has.
const FAMILIAR: [&str; 24] = [
    "is", "at", "to", "of", "by", "for", "due", "it", "be", "not", "or", "an", "in", "on", "my", "am", "um",
    "im", "bis", "der", "die", "den", "ein", "du",
];

/// Words (lower case) of lengths of time.
const LENGTHS: [&str; 66] = [
    "jour", "jours", "heure", "heures", "semaine", "semaines", "día", "días", "hora", "horas", "semana",
    "semanas", "giorno", "giorni", "ora", "ore", "settimana", "settimane", "dia", "dias", "dag", "dagen",
    "uur", "uren", "week", "weken", "dzień", "dni", "godzin", "godziny", "godzinę", "tygodni", "tygodnie",
    "dagar", "dage", "dager", "timmar", "timer", "veckor", "день", "дня", "дней", "час", "часа", "часов",
    "неделя", "недели", "недель", "днів", "дні", "dní", "dny", "hodin", "hodiny", "gün", "saat", "nap",
    "zile", "ore", "hari", "يوم", "أيام", "يوما", "يومًا", "ساعة", "ساعات",
];

/// What the word behind a number says it is.
pub(super) fn reading(word: &str) -> Reading {
    let of_things = ['个', '個', '件', '项', '項', '条', '條', '개', '건'];
    let of_time = ["天", "小时", "小時", "時間", "周", "週", "시간", "주"];
    if LENGTHS.contains(&word) || of_time.iter().any(|sign| word.starts_with(sign)) {
        return Reading::Length;
    }
    // `日` is a day of the month, and a day of time.
    if word.starts_with(['日', '일', '号', '號']) {
        return Reading::Anything;
    }
    if word.starts_with(of_things) || (word.chars().count() > 2 && word.starts_with(char::is_alphabetic)) {
        return Reading::Things;
    }
    Reading::Anything
}

/// Whether a letter is one of the Latin script.
fn is_latin(c: char) -> bool {
    matches!(c, '\0'..='\u{24f}' | '\u{1e00}'..='\u{1eff}')
}

/// Whether a text has letters of another script than the Latin one.
pub(super) fn has_other_script(text: &str) -> bool {
    text.chars().any(|c| c.is_alphabetic() && !is_latin(c))
}

/// Whether a text is so few signs of a script without spaces that it is a word rather than a title.
pub(super) fn is_short_without_spaces(text: &str) -> bool {
    let letters = || text.chars().filter(|c| c.is_alphanumeric());
    letters().count() <= 4 && letters().all(stands_alone)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fold::fold;

    #[test]
    fn an_answer_is_read_or_not_by_its_small_words_and_its_script() {
        let unread = [
            "Vous avez 7 tâches en cours.",
            "File the tax return vence el 18 de noviembre.",
            "Masz 7 otwartych zadań.",
            "Du har 7 öppna uppgifter.",
            "У вас 7 открытых дел.",
            "您有7个待办事项。",
            "Er staat niets op 25 november.",
            "Do terminu paszportu zostało 6 dni.",
        ];
        for text in unread {
            assert!(is_unread(&fold(text)), "{text}");
        }
        let read = [
            "You have 7 open to-dos.",
            "Call Maria de la Cruz: that is due on Friday, and you have her number.",
            "Du hast sieben Aufgaben, und eine ist heute fällig.",
            "Renew passport: 27 November",
            "Milk: tomorrow. Dentist: Tuesday 9:15.",
            "Zahnarzt am Dienstag, Steuererklärung, Reisepass",
            "",
        ];
        for text in read {
            assert!(!is_unread(&fold(text)), "{text}");
        }
    }
}
