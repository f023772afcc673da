//! What stands in the places of a frame: titles, to-dos that are pointed at, groups, numbers, clocks.

use crate::german::attrs::{Peeled, kinds, peel, whole};
use crate::german::tables::{
    DAYS, GROUP, GROUPS, LEADS, MONTHS, NUMBERS, ORDINALS, POINTED, RANKS, UNITS, WEEKDAYS,
};
use crate::german::{Pairs, cut as split, digits, joined, translated};
use crate::lex::{Kind, Token, after, starts, text_of, trim_signs};

/// What a place means in English; `None` where the tokens cannot stand there.
///
/// Many words: `N` what is to be added with all that hangs on it, `A` the same with a list, `Q` the same without a comma or a
/// "nicht", `M` what to be reminded of, `D` a day or a time, `X` to-dos that are there, `L` a group, `T` any text, `Y` a title,
/// `S` several titles, `C` a clock, `B` one that is surely one, `H` tags. One word: `K` a list, `Z` any, `W` a weekday, `J` one
/// that repeats, `G` a date in digits, `V` a number, `O` a day of the month, `P` a priority, `I` a month, `U` a stretch of
/// time, `F` a place in a list.
pub fn place(slot: u8, tokens: &[Token]) -> Option<String> {
    match slot {
        // Full stops are part of a date.
        b'N' | b'A' => return added(tokens, slot == b'A'),
        b'M' => return reminded(tokens),
        b'D' => return whole(tokens).map(|day| bare(&day).to_owned()),
        b'Q' if tokens.iter().any(|token| token.sign(",") || token.is("nicht")) => return None,
        b'Q' => return added(tokens, false),
        _ => {}
    }
    let tokens = trim_signs(tokens);
    let first = tokens.first()?;
    match slot {
        b'X' => return target(tokens),
        b'L' => return group(tokens, false),
        b'T' => return Some(typed(tokens)),
        b'Y' => return Some(name(tokens)),
        b'S' => return Some(parts(tokens, 2).unwrap_or_else(|| typed(tokens))),
        b'C' | b'B' => return clock(tokens, slot == b'B'),
        b'H' => return tags(tokens),
        _ if tokens.len() > 1 => return None,
        b'K' => return list(first),
        b'Z' => return Some(first.text.clone()),
        b'W' => return weekday(first, WEEKDAYS),
        b'J' => return weekday(first, "s="),
        b'G' => return date(first),
        b'V' | b'O' => {
            let number = looked_up(NUMBERS, first).unwrap_or(&first.lower);
            digits(number)?;
            return Some(joined(&[number, if slot == b'O' { "th" } else { "" }]));
        }
        _ => {}
    }
    let table = match slot {
        b'P' => RANKS,
        b'I' => MONTHS,
        b'U' => UNITS,
        b'F' => ORDINALS,
        _ => "",
    };
    looked_up(table, first).map(str::to_owned)
}

/// A day without the word before it.
fn bare(day: &str) -> &str {
    ["on the ", "at "].iter().find_map(|word| day.strip_prefix(word)).unwrap_or(day)
}

/// A word's meaning in a table of `word|word` and meaning.
fn looked_up(table: &'static str, token: &Token) -> Option<&'static str> {
    Pairs(table)
        .find(|(words, _)| starts(std::slice::from_ref(token), words).is_some())
        .map(|(_, meaning)| meaning)
}

fn weekday(token: &Token, ends: &'static str) -> Option<String> {
    for (german, english) in Pairs(DAYS) {
        if token.kind == Kind::Word
            && let Some(end) = token.lower.strip_prefix(german)
            && let Some((_, more)) = Pairs(ends).find(|(of, _)| *of == end)
        {
            return Some(joined(&[english, more]));
        }
    }
    None
}

fn number(token: &Token) -> Option<usize> {
    digits(looked_up(NUMBERS, token).unwrap_or(&token.lower))
}

/// "3.5", the day first; with a year the grammar reads it itself.
fn date(token: &Token) -> Option<String> {
    let (day, month) = split(&token.lower, b'.');
    let (month, year) = split(month, b'.');
    if !(1..32).contains(&digits(day)?) {
        return None;
    }
    let (_, name) = Pairs(MONTHS).nth(digits(month)?.checked_sub(1)?)?;
    if year.is_empty() {
        return Some(joined(&[name, " ", day]));
    }
    digits(year).map(|_| token.lower.clone())
}

/// A time of the day as 15:30; a `sure` one says that it is one.
fn clock(tokens: &[Token], sure: bool) -> Option<String> {
    // Two digits for minutes are of the twenty-four hours, as is what is said to be early.
    let (tokens, late, mut early) = match tokens {
        [rest @ .., part] if part.of("abends nachmittags") => (rest, true, false),
        [rest @ .., part] if part.of("morgens frueh vormittags nachts") => (rest, false, true),
        all => (all, false, false),
    };
    let (tokens, mut named) = match tokens {
        [rest @ .., uhr] if uhr.is("uhr") => (rest, true),
        all => (all, false),
    };
    let (mut hour, minute) = match tokens {
        [half, hour] if half.is("halb") => (number(hour)?.checked_sub(1)?, 30),
        [quarter, to, hour] if quarter.is("viertel") && to.is("nach") => (number(hour)?, 15),
        [quarter, to, hour] if quarter.is("viertel") && to.is("vor") => (number(hour)?.checked_sub(1)?, 45),
        [hour, uhr, minute] if uhr.is("uhr") => {
            named = true;
            (number(hour)?, number(minute)?)
        }
        [one] => {
            let colon = one.lower.contains(':');
            let (hour, minute) = split(&one.lower, if colon { b':' } else { b'.' });
            if minute.is_empty() {
                (number(one)?, 0)
            } else {
                named |= colon;
                early = !late;
                (digits(hour)?, digits(minute).filter(|_| minute.len() == 2)?)
            }
        }
        _ => return None,
    };
    named |= tokens.len() > 1;
    if late && hour < 12 {
        hour += 12;
    }
    if hour == 24 {
        hour = 0;
    }
    if hour > 23 || minute > 59 || sure && !named {
        return None;
    }
    let (zero, end) = (if minute < 10 { "0" } else { "" }, if early && hour < 12 { "am" } else { "" });
    Some(joined(&[&hour.to_string(), ":", zero, &minute.to_string(), end]))
}

/// A list's name by one word: "Einkaufsliste", "Work-Liste".
fn list(token: &Token) -> Option<String> {
    let short =
        token.lower.strip_suffix("liste").filter(|short| short.len() > 2 && token.kind == Kind::Word)?;
    let ends = short.strip_suffix('-').and_then(|_| token.text.rsplit_once('-'));
    Some(ends.map_or_else(|| token.text.clone(), |(name, _)| name.to_owned()))
}

fn tags(tokens: &[Token]) -> Option<String> {
    let tags = tokens.iter().all(|token| token.kind == Kind::Tag || token.is("und") || token.sign(","));
    let marks = peel(tokens, &[]).marks;
    (tags && !marks.is_empty()).then(|| marks[1..].to_owned())
}

/// Tokens as they were typed, with the quotation marks that protect them.
fn typed(tokens: &[Token]) -> String {
    let text = text_of(tokens);
    if let [Token { kind: Kind::Quoted, .. }] = tokens { quoted(&text) } else { text }
}

fn quoted(text: &str) -> String {
    joined(&["\"", text, "\""])
}

/// A title as it was typed; in quotation marks where the English grammar has words in it for its own.
pub fn name(tokens: &[Token]) -> String {
    const OWN: &str = "in an am so was also all will war hat die bin man on for at by with and or to of the a is \
                       not no i me my one it now may note list";
    let tokens = trim_signs(tokens);
    let text = typed(tokens);
    let read = |token: &Token| {
        token.of(OWN)
            || token.kind == Kind::Sign
            || token.lower.as_bytes().first().is_some_and(u8::is_ascii_digit)
    };
    let plain = tokens.len() < 2 || !tokens.iter().any(read);
    if plain || text.contains('"') { text } else { quoted(&text) }
}

/// Whether the last word is a verb as German titles end with one: "Milch kaufen".
pub fn infinitive(tokens: &[Token]) -> bool {
    tokens.last().is_some_and(|token| {
        let lower = &token.lower;
        token.kind == Kind::Word
            && token.text.starts_with(char::is_lowercase)
            && lower.len() > 3
            && (lower.ends_with("en") || lower.ends_with("ern") || lower.ends_with("eln"))
    })
}

/// Several titles or names in one, where each is whole: "Milch kaufen und Oma anrufen", but not "Milch und Eier kaufen".
fn parts(tokens: &[Token], least: usize) -> Option<String> {
    let mut all: Vec<&[Token]> = Vec::new();
    let mut from = 0;
    for at in 0..=tokens.len() {
        let ends = tokens.get(at).is_none_or(|t| t.sign(",") || t.sign(";") || t.of("und sowie"));
        if ends {
            let part = trim_signs(&tokens[from..at]);
            if !part.is_empty() {
                all.push(part);
            }
            from = at + 1;
        }
    }
    let verbs = all.iter().filter(|part| infinitive(part)).count();
    let apart =
        verbs == all.len() || verbs == 0 && all.len() >= least && all.iter().all(|part| part.len() < 4);
    if all.len() < 2 || !apart {
        return None;
    }
    let mut out = String::new();
    for (at, part) in all.iter().enumerate() {
        let name = name(without_article(part));
        let plain = name.starts_with('"') || part.len() == 1 && least == 2;
        let joint = match at {
            0 => "",
            _ if at + 1 == all.len() => " and ",
            _ => ", ",
        };
        out = joined(&[&out, joint, &if plain { name } else { quoted(&name) }]);
    }
    Some(out)
}

/// What is to be added, with all that hangs on it.
fn added(tokens: &[Token], listed: bool) -> Option<String> {
    let tokens = after(tokens, LEADS).unwrap_or(tokens);
    let (tokens, under) = cut(tokens, "unteraufgaben unteraufgabe teilaufgaben schritten");
    let (tokens, note) = cut(tokens, "notiz bemerkung");
    let found = peel(tokens, &[]);
    if listed && found.list.is_empty() {
        return None;
    }
    let mut out = titled(&found)?;
    if !under.is_empty() {
        out = joined(&[&out, " with subtasks ", &parts(under, 2).unwrap_or_else(|| name(under))]);
    }
    if !note.is_empty() {
        out = joined(&[&out, " with note: ", &typed(note)]);
    }
    Some(out)
}

/// A title with what was taken off it.
fn titled(found: &Peeled) -> Option<String> {
    let title = found.title.as_slice();
    let (first, last) = (title.first()?, title.last()?);
    if last.is("nicht") || first.of("nichts kein keine keinen") {
        return None;
    }
    let these = title.len() == 1 && first.of("diese folgendes folgende dies das");
    let title = if these { "these".to_owned() } else { parts(title, 3).unwrap_or_else(|| name(title)) };
    Some(joined(&[&title, &found.tail()]))
}

/// What stands before "mit den Unteraufgaben", and what behind.
fn cut<'t>(tokens: &'t [Token], heads: &str) -> (&'t [Token], &'t [Token]) {
    for at in 1..tokens.len() {
        let from = at - 1 - usize::from(tokens[at - 1].of("den der dem einer") && at > 1);
        if from > 0 && tokens[at].of(heads) && tokens[from].is("mit") {
            return (&tokens[..from], trim_signs(&tokens[at + 1..]));
        }
    }
    (tokens, &[])
}

/// What to be reminded of: "an den Ofen", "daran, Milch zu kaufen".
fn reminded(tokens: &[Token]) -> Option<String> {
    // The day may stand before or behind "daran".
    let mut tokens = tokens.to_vec();
    if let Some(at) = tokens.iter().position(|token| token.is("daran")) {
        let comma = usize::from(tokens.get(at + 1).is_some_and(|token| token.kind == Kind::Sign));
        tokens.drain(at..=at + comma);
    }
    let mut found = peel(&tokens, &[]);
    if found.title.first().is_some_and(|first| first.of("an ans")) {
        found.title.remove(0);
        found.title = without_article(&found.title).to_vec();
    }
    without_zu(&mut found.title);
    titled(&found)
}

/// "Milch zu kaufen" as "Milch kaufen", "Oma anzurufen" as "Oma anrufen".
fn without_zu(title: &mut Vec<Token>) {
    const BEFORE: &str = "an ab auf aus ein mit vor weg zu nach her hin um vorbei ueber unter";
    let Some(last) = title.len().checked_sub(1).filter(|last| *last > 0 && infinitive(title)) else { return };
    if title[last - 1].is("zu") {
        title.remove(last - 1);
        return;
    }
    let mut left = BEFORE;
    while !left.is_empty() {
        let (before, rest) = split(left, b' ');
        left = rest;
        let verb = title[last].text.strip_prefix(before).and_then(|rest| rest.strip_prefix("zu"));
        if let Some(verb) = verb {
            title[last].text = joined(&[before, verb]);
            return;
        }
    }
}

fn without_article(tokens: &[Token]) -> &[Token] {
    match tokens {
        [article, rest @ ..]
            if !rest.is_empty()
                && article.of("der die das den dem meine meinen mein meiner meinem unser unsere") =>
        {
            rest
        }
        all => all,
    }
}

/// To-dos that are there: pointed at, a group, or named.
fn target(tokens: &[Token]) -> Option<String> {
    const ASKS: &str = "was wer wie wo wann warum wieso weshalb welche welcher welches ich habe hat soll sollte kann \
                        darf muss wenn falls ob";
    const PARTS: &str = "datum frist termin faelligkeit prioritaet notiz notizen wiederholung erinnerung";
    // "Milch ist fast": more is said than a name.
    const NO_NAME: &str = "nicht nichts nie niemals kein keine keinen keines ist sind";
    if tokens.first().is_some_and(|first| first.of(ASKS)) || tokens.iter().any(|token| token.of(NO_NAME)) {
        return None;
    }
    if let Some(text) = translated(POINTED, tokens, false).or_else(|| group(tokens, true)) {
        return Some(text);
    }
    let found = peel(tokens, &kinds("when repeat priority reminder"));
    let mut title = without_article(&found.title);
    if let [noun, rest @ ..] = title
        && !rest.is_empty()
        && noun.of("aufgabe aufgaben todo to-do todos to-dos eintrag punkt")
    {
        title = trim_signs(rest);
    }
    // A part of a to-do is not the to-do.
    let part = matches!(title, [part, of, ..] if of.of("von vom bei fuer") && part.of(PARTS));
    if title.is_empty() || part {
        return None;
    }
    let out = parts(title, 2).unwrap_or_else(|| name(title));
    let list: &[&str] = if found.list.is_empty() { &[] } else { &[" from my ", &found.list, " list"] };
    Some(joined(&[&out, &joined(list)]))
}

/// To-dos by what they have in common, in words of a small vocabulary.
///
/// Where they are pointed at, more than "my to-dos" has to be said.
fn group(tokens: &[Token], strict: bool) -> Option<String> {
    if let Some(text) = translated(GROUPS, tokens, false) {
        return Some(text);
    }
    let found = peel(tokens, &[]);
    let mut out = String::new();
    let (mut noun, mut any) = (false, !found.when.is_empty());
    for token in &found.title {
        let word = looked_up(GROUP, token)?;
        if word == "todos" {
            noun = true;
            continue;
        }
        if !word.is_empty() {
            any |= word != "my";
            out = joined(&[&out, word, " "]);
        }
    }
    if !any && (strict || !noun) {
        return None;
    }
    let (mut left, mut tags) = (found.marks.as_str(), String::new());
    while !left.is_empty() {
        let (mark, rest) = split(left, b' ');
        left = rest;
        if let Some(rank) = mark.strip_prefix('!') {
            out = joined(&[&out, rank, " priority "]);
        } else if mark.starts_with('#') {
            tags = joined(&[&tags, " tagged ", mark]);
        }
    }
    out = joined(&[&out, "todos", &tags]);
    if !found.list.is_empty() {
        out = joined(&[&out, " in my ", &found.list, " list"]);
    }
    if !found.when.is_empty() {
        out = joined(&[&out, " due ", bare(&found.when[1..])]);
    }
    Some(out)
}
