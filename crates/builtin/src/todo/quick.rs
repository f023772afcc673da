//! One line of a to-do typed by hand, read as the chat would read it behind "add": what hangs on the title comes off it. Whoever
//! does not mean it so says which kind is to stay in the title.

use dates::calendar::{days_later, monday, tomorrow, weekend};
use dates::clock::clock;
use dates::iso::read_moment;

use crate::lex::{Kind, Token, capitalised, lex, text_of, trim_signs};
use crate::todo::attrs::{Lexicon, What, list_name, mark, names_a_list, peel, place_of};
use crate::todo::evening;

/// What a line says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct QuickAdd {
    /// What there is to do, as it was typed.
    pub title: String,
    /// A day (2026-11-22) or a time (2026-11-22T15:00).
    pub due: Option<String>,
    /// A rule of RFC 5545.
    pub repeat: Option<String>,
    /// A priority by the tools' word.
    pub priority: Option<&'static str>,
    /// Tags, in the order in which they were said.
    pub tags: Vec<String>,
    /// A list's name: as it is spelt in `lists`, else with a capital.
    pub list: Option<String>,
}

/// Reads a line. `now` is the moment where the person is (2026-11-22T15:00), `lists` are the names of the lists there are, `kept` is what
/// stays in the title: `when`, `repeat`, `priority`, `list`, or a tag with its sign. None where nothing hangs on a title: the line is the
/// title then, to the letter.
#[must_use]
pub fn quick_add(line: &str, now: &str, lists: &[String], kept: &[String]) -> Option<QuickAdd> {
    let lexicon = Lexicon { now: read_moment(now)?, lists: lists.iter().cloned().collect() };
    let german = crate::german::line(line, kept);
    let all = lex(german.as_deref().unwrap_or(line));
    let kept: Vec<What<'_>> = kept.iter().map(|kept| what(kept)).collect();
    // Marks stand for themselves wherever they are: what stays is out of the way of what is read around it.
    let stays = |token: &Token| kept.iter().any(|kept| is_mark(token, kept));
    let mut tokens: Vec<Token> = all.iter().filter(|token| !stays(token)).cloned().collect();
    // Each turn leaves one thing more in the title.
    for _ in 0..tokens.len() {
        let Some(range) = kept.iter().find_map(|kept| place_of(&tokens, kept, &lexicon)) else { break };
        for token in &mut tokens[range] {
            *token = literal(token);
        }
    }
    let named = take_list(&mut tokens, &lexicon);
    let (words, mut attrs) = peel(trim_signs(&tokens), &lexicon);
    attrs.list = named.or(attrs.list);
    let title = text_of(trim_signs(&with_marks(&all, &stays, words))).trim().to_owned();
    if title.is_empty() || attrs.is_empty() {
        return None;
    }
    evening::settle(&capitalised(&title), &mut attrs);
    Some(QuickAdd {
        title,
        due: attrs.due(lexicon.now),
        repeat: attrs.rule(Some(lexicon.now)),
        priority: attrs.priority,
        tags: attrs.tags,
        list: attrs.list,
    })
}

/// Reads words that are a repetition and nothing else, in English or German: "every other Tuesday". A rule, and the day or time on which it begins.
#[must_use]
pub fn rule_of(words: &str, now: &str) -> Option<(String, String)> {
    let lexicon = Lexicon { now: read_moment(now)?, lists: Default::default() };
    // A line has a title: here a letter stands for it.
    let german = crate::german::line(&format!("x {words}"), &[]);
    let words = german.as_deref().and_then(|line| line.strip_prefix("x ")).unwrap_or(words);
    let attrs = crate::todo::attrs::peel_whole(&lex(words), &lexicon)?;
    Some((attrs.rule(Some(lexicon.now))?, attrs.due(lexicon.now)?))
}

/// Days that people put things off to, as 2026-11-22.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Days {
    /// Today.
    pub today: String,
    /// The day after.
    pub tomorrow: String,
    /// Saturday, or today where that is one of the weekend's.
    pub weekend: String,
    /// The Monday of the week that comes.
    pub next_week: String,
}

/// The days there are from `now` on (2026-11-22T15:00). None where that is no moment.
#[must_use]
pub fn days(now: &str) -> Option<Days> {
    let now = read_moment(now)?;
    let today = now.date();
    let text = dates::iso::day_text;
    Some(Days {
        today: text(today),
        tomorrow: text(tomorrow(now)),
        weekend: text(weekend(today)),
        next_week: text(days_later(monday(today), 7)?),
    })
}

fn what(kept: &str) -> What<'_> {
    match kept {
        "when" => What::When,
        "repeat" => What::Repeat,
        "priority" => What::Priority,
        "list" => What::List,
        tag => What::Tag(tag.trim_start_matches('#')),
    }
}

/// Whether a token alone is a mark of this kind: `#home`, `!high`, `@Groceries`.
fn is_mark(token: &Token, kept: &What<'_>) -> bool {
    match kept {
        What::Tag(tag) => token.kind == Kind::Tag && token.lower == *tag,
        What::Priority => token.kind == Kind::Word && mark(&token.lower).is_some(),
        What::List => names_a_list(token),
        What::When | What::Repeat => false,
    }
}

/// The words that are left, with the marks that stay where they stood.
fn with_marks(all: &[Token], stays: &dyn Fn(&Token) -> bool, words: Vec<Token>) -> Vec<Token> {
    let mut left = words.into_iter().peekable();
    let mut title = Vec::new();
    for token in all {
        if stays(token) {
            title.push(literal(token));
        } else if left.peek().is_some_and(|word| word.text == token.text) {
            title.extend(left.next());
        }
    }
    title.extend(left);
    title
}

/// A word that means nothing but itself.
fn literal(token: &Token) -> Token {
    let text = if token.kind == Kind::Tag { format!("#{}", token.text) } else { token.text.clone() };
    // No table has it, and no grammar reads it.
    Token { kind: Kind::Word, text, lower: "\0".to_owned(), spaced: token.spaced }
}

/// Takes such a name out, wherever it stands.
fn take_list(tokens: &mut Vec<Token>, lexicon: &Lexicon) -> Option<String> {
    // "@3pm" and "@noon" are times.
    let at = (0..tokens.len()).find(|at| names_a_list(&tokens[*at]) && clock(&tokens[*at..]).is_none())?;
    let token = tokens.remove(at);
    Some(list_name(&token.text[1..], lexicon))
}

#[cfg(test)]
mod tests {
    use super::*;

    // A Saturday.
    const NOW: &str = "2026-11-21T10:30";

    fn read(line: &str, kept: &[&str]) -> Option<String> {
        let kept: Vec<String> = kept.iter().map(|kept| (*kept).to_owned()).collect();
        let QuickAdd { title, due, repeat, priority, tags, list } =
            quick_add(line, NOW, &["Flat hunt".to_owned(), "work".to_owned()], &kept)?;
        let more = [due, repeat, priority.map(str::to_owned), list.map(|list| format!("@{list}"))];
        let tags = tags.iter().map(|tag| format!("#{tag}"));
        let all: Vec<String> = std::iter::once(title).chain(more.into_iter().flatten()).chain(tags).collect();
        Some(all.join(" | "))
    }

    #[test]
    fn what_hangs_on_a_title_comes_off_it() {
        for (line, said) in [
            ("Buy milk tomorrow #home !high", "Buy milk | 2026-11-22 | high | #home"),
            ("buy milk", ""),
            ("call mum at 3pm", "call mum | 2026-11-21T15:00"),
            ("Every month pay rent", "pay rent | 2026-11-21 | FREQ=MONTHLY"),
            ("water the plants every monday", "water the plants | 2026-11-23 | FREQ=WEEKLY;BYDAY=MO"),
            ("report p1", "report | urgent"),
            ("eggs in Groceries", "eggs | @Groceries"),
            ("eggs @work", "eggs | @work"),
            ("eggs @shop tomorrow", "eggs | 2026-11-22 | @Shop"),
            ("dentist tomorrow @3pm", "dentist | 2026-11-22T15:00"),
            ("lunch @noon", "lunch | 2026-11-21T12:00"),
            ("write to ada@example.org", ""),
            ("Read USA Today weekly digest", ""),
            ("\"Dinner at 8\" by Friday", "Dinner at 8 | 2026-11-27"),
            ("tomorrow", ""),
            ("#home", ""),
            ("", ""),
        ] {
            assert_eq!(read(line, &[]).unwrap_or_default(), said, "{line}");
        }
    }

    #[test]
    fn what_is_kept_stays_where_it_stood() {
        for (line, kept, said) in [
            ("Buy milk tomorrow #home !high", &["when"][..], "Buy milk tomorrow | high | #home"),
            ("Buy milk tomorrow #home !high", &["#home"], "Buy milk #home | 2026-11-22 | high"),
            ("put #home on the map friday", &["#home"], "put #home on the map | 2026-11-27"),
            ("Buy milk tomorrow #home", &["when", "#home"], ""),
            ("Buy milk tomorrow #home !high", &["priority"], "Buy milk !high | 2026-11-22 | #home"),
            ("eggs @shop tomorrow", &["list"], "eggs @shop | 2026-11-22"),
            ("eggs in Groceries tomorrow", &["list"], "eggs in Groceries | 2026-11-22"),
            ("water the plants every monday #home", &["repeat"], "water the plants every monday | #home"),
        ] {
            assert_eq!(read(line, kept).unwrap_or_default(), said, "{line} {kept:?}");
        }
    }

    #[test]
    fn days_are_from_now_on() {
        for (now, expected) in [
            (NOW, ["2026-11-21", "2026-11-22", "2026-11-21", "2026-11-23"]),
            ("2026-11-26T06:20", ["2026-11-26", "2026-11-27", "2026-11-28", "2026-11-30"]),
            ("2026-12-31T23:59", ["2026-12-31", "2027-01-01", "2027-01-02", "2027-01-04"]),
        ] {
            let Days { today, tomorrow, weekend, next_week } = days(now).unwrap();
            assert_eq!([today, tomorrow, weekend, next_week], expected.map(str::to_owned), "{now}");
        }
        assert_eq!(days("soon"), None);
    }

    #[test]
    fn a_repetition_is_read_by_itself() {
        for (words, rule) in [
            ("every other tuesday", Some("FREQ=WEEKLY;INTERVAL=2;BYDAY=TU")),
            ("every weekday", Some("FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR")),
            ("monthly", Some("FREQ=MONTHLY")),
            ("jeden zweiten Dienstag", Some("FREQ=WEEKLY;INTERVAL=2;BYDAY=TU")),
            ("alle 2 Wochen", Some("FREQ=WEEKLY;INTERVAL=2")),
            ("jeden ersten Montag im Monat", Some("FREQ=MONTHLY;BYDAY=1MO")),
            ("monatlich", Some("FREQ=MONTHLY")),
            ("morgen", None),
            ("ab und zu", None),
            ("now and then", None),
            ("tomorrow", None),
            ("", None),
        ] {
            assert_eq!(rule_of(words, NOW).map(|(rule, _)| rule).as_deref(), rule, "{words}");
        }
    }
}
