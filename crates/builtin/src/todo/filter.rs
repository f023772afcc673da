//! The words that say which to-dos are to be seen: status, period, list, tag, order.

use crate::todo::urgency::level;
use dates::calendar::{ToSpan, later_day, monday, plus};
use dates::days::length;
use dates::due::spoken;
use dates::iso::day_text;
use dates::names::{month as month_number, month_name, number};
use dates::when::when;
use jiff::civil::Date;

use crate::lex::{Kind, Token, after, longest, starts, text_of, trim_signs};
use crate::todo::attrs::{EVERYTHING, Lexicon, list_name, names_list};
use crate::todo::intent::Filter;

/// Words that say nothing in a filter.
const EMPTY: &str = "me my the a an of for i have to do are is that that's which there todo todos to-do to-dos task \
         tasks item items things thing stuff list lists ones one please on in with and still currently \
         now right whole full entire current again what what's so far need must be should day plate \
         agenda reminders reminder it been was were our we you at due any anything got only just us look \
         like marked as chores today's ahead status state up coming plan do? yet out options plans \
         appointments commitments duties planned scheduled happening going total altogether overall";

/// Reads filter words; what it did not understand stays.
pub fn filter(tokens: &[Token], lexicon: &Lexicon) -> (Filter, Vec<Token>) {
    let mut filter = Filter::default();
    let mut left: Vec<Token> = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        let rest = &tokens[at..];
        match one(rest, &mut filter, lexicon) {
            Some(n) => at += n,
            None => {
                left.push(tokens[at].clone());
                at += 1;
            }
        }
    }
    let narrowed = filter.due_to.is_some() || filter.due_from.is_some() || filter.overdue || filter.undated;
    // "all my overdue ones" is every one of them, not the done ones too.
    if filter.status == Some("every") {
        filter.status = if narrowed { None } else { Some("all") };
    }
    (filter, left)
}

/// A filter that uses up every word.
pub fn whole(tokens: &[Token], lexicon: &Lexicon) -> Option<Filter> {
    let (filter, left) = filter(tokens, lexicon);
    trim_signs(&left).is_empty().then_some(filter)
}

/// One piece of a filter; how many tokens.
fn one(rest: &[Token], filter: &mut Filter, lexicon: &Lexicon) -> Option<usize> {
    let first = &rest[0];
    if first.kind == Kind::Tag {
        filter.tag = Some(first.lower.clone());
        return Some(1);
    }
    if first.kind == Kind::Sign {
        return (!first.sign("(")).then_some(1);
    }
    if first.kind == Kind::Quoted {
        return None;
    }
    if let Some(n) = status(rest, filter)
        .or_else(|| labels(rest, filter, lexicon))
        .or_else(|| period(rest, filter, lexicon))
    {
        return Some(n);
    }
    // "about taxes", "containing milk": the rest of the words, up to the end.
    const ABOUT: &[&str] = &[
        "about", "containing", "with the word|words", "matching", "mentioning", "that mention|contain",
        "that say|says", "called", "named", "for the word", "related to", "regarding",
    ];
    if let Some(text) = after(rest, ABOUT).map(trim_signs).filter(|t| !t.is_empty()) {
        filter.text = Some(text_of(text));
        return Some(rest.len());
    }
    first.of(EMPTY).then_some(1)
}

fn status(rest: &[Token], filter: &mut Filter) -> Option<usize> {
    let said: [(&str, Option<&'static str>); 15] = [
        ("not done|completed|finished yet", Some("open")),
        ("not done|completed|finished", Some("open")),
        ("not yet done|completed|finished", Some("open")),
        ("isn't|aren't done|completed|finished", Some("open")),
        ("to do", None),
        ("left to do", Some("open")),
        (
            "open|pending|unfinished|active|incomplete|remaining|outstanding|undone|uncompleted|left",
            Some("open"),
        ),
        ("done and open|undone", Some("all")),
        ("open and done|completed", Some("all")),
        ("done|completed|finished|closed|ticked|checked|complete", Some("done")),
        ("already done|completed|finished", Some("done")),
        ("including done|completed", Some("all")),
        ("including the done|completed ones", Some("all")),
        ("all|everything|every|both", Some("every")),
        ("all of", Some("every")),
    ];
    let (n, status) = said
        .iter()
        .filter_map(|(phrase, status)| Some((starts(rest, phrase)?, *status)))
        .max_by_key(|(n, _)| *n)?;
    // "all open ones": the other word says it.
    if status.is_some() && (filter.status.is_none() || filter.status == Some("every")) {
        filter.status = status;
    }
    Some(n)
}

fn labels(rest: &[Token], filter: &mut Filter, lexicon: &Lexicon) -> Option<usize> {
    if let Some(n) =
        longest(rest, &["tagged", "tagged as|with", "with tag", "with the tag", "tag", "labelled|labeled"])
    {
        let name = rest.get(n).filter(|t| t.kind != Kind::Sign)?;
        filter.tag = Some(name.lower.clone());
        return Some(n + 1);
    }
    if let Some(n) = starts(rest, "with the|a").or(starts(rest, "with|of"))
        && rest.get(n).and_then(|t| level(&t.lower)).is_some()
    {
        return labels(&rest[n..], filter, lexicon).map(|m| n + m);
    }
    if let Some(word) = level(&rest[0].lower)
        .filter(|_| !rest[0].of("no normal top none") || rest.get(1).is_some_and(|t| t.is("priority")))
    {
        let named = rest.get(1).is_some_and(|t| t.of("priority prio"));
        // What is urgent is important too.
        if rest[0].is("important") && !named {
            filter.important = true;
        } else {
            filter.priority = Some(word);
        }
        return Some(1 + usize::from(named));
    }
    if rest[0].is("priority") {
        let word = rest.get(1).and_then(|t| level(&t.lower))?;
        filter.priority = Some(word);
        return Some(2);
    }
    if let Some(n) = longest(rest, &["sorted by", "ordered by", "by", "sort by", "order by"]) {
        let (sort, k) = match rest.get(n)?.lower.as_str() {
            "priority" | "importance" => ("priority", 1),
            "date" | "deadline" => ("due", 1),
            "due" => ("due", 1 + usize::from(rest.get(n + 1).is_some_and(|t| t.is("date")))),
            "title" | "name" => ("title", 1),
            "created" | "creation" | "age" => ("created", 1),
            "updated" => ("updated", 1),
            _ => return None,
        };
        filter.sort = Some(sort);
        return Some(n + k);
    }
    if let Some(n) = longest(
        rest,
        &["repeating|recurring|repeat|repeats|repeated|recur|recurs", "that repeat|recur", "on repeat"],
    ) {
        filter.repeating = true;
        return Some(n);
    }
    // "the first 3", but "the next 3 days" is a period.
    if let Some(n) = starts(rest, "first|top|next|last|newest|latest")
        && let Some(count) = rest.get(n).and_then(|t| number(&t.lower)).filter(|c| (1..=200).contains(c))
        && length(&rest[n..]).is_none()
    {
        filter.limit = Some(count);
        if rest[0].of("last newest latest") {
            filter.sort = Some("created");
        }
        return Some(n + 1);
    }
    in_list(rest, filter, lexicon)
}

/// "in my groceries list", "the work list", "my groceries".
fn in_list(rest: &[Token], filter: &mut Filter, lexicon: &Lexicon) -> Option<usize> {
    if starts(rest, "list called|named").is_some() {
        filter.list = Some(list_name(&rest.get(2)?.text, lexicon));
        return Some(3);
    }
    let lead = longest(rest, &["in|on|from", "in|on|from my|the|our", "my|the|our"]).unwrap_or(0);
    for n in 1..=3usize {
        let Some(words) = rest.get(lead..lead + n) else { break };
        if words.iter().any(|t| {
            t.kind == Kind::Sign || t.of(EMPTY) && !t.any(EVERYTHING) || t.of("all open done completed")
        }) {
            break;
        }
        let listed = rest.get(lead + n).is_some_and(|t| t.is("list"));
        if listed && words.iter().all(|t| t.any(EVERYTHING)) {
            return Some(lead + n + 1);
        }
        if listed && !words[0].of("overdue today today's tomorrow") && level(&words[0].lower).is_none() {
            filter.list = Some(list_name(&text_of(words), lexicon));
            return Some(lead + n + 1);
        }
        if n == 1 && names_list(&words[0], lexicon) {
            filter.list = Some(list_name(&words[0].text, lexicon));
            return Some(lead + 1);
        }
    }
    None
}

/// A stretch of time.
fn period(rest: &[Token], filter: &mut Filter, lexicon: &Lexicon) -> Option<usize> {
    let now = lexicon.now;
    let today = now.date();
    if let Some(n) =
        longest(rest, &["overdue", "late", "past due", "past their due date", "past the deadline"])
    {
        filter.overdue = true;
        return Some(n);
    }
    if let Some(n) = longest(
        rest,
        &["without tags|labels", "without a tag|label", "without any tags", "with no tags", "untagged"],
    ) {
        filter.untagged = true;
        return Some(n);
    }
    let undated = [
        "without a due|deadline date",
        "without a due date|deadline",
        "without a date|deadline",
        "without date|dates|deadline",
        "with no date|deadline",
        "with no due date",
        "no date",
        "no due date",
        "no deadline|deadlines|dates",
        "have|has|got|having no date|deadline|dates",
        "have|has|got|having no due date",
        "don't|doesn't have|need a|any date|deadline",
        "don't|doesn't have date|deadline",
        "don't|doesn't have a|any due date",
        "do|does not have a|any date|deadline",
        "do|does not have a|any due date",
        "haven't|hasn't got a|any date|deadline",
        "haven't|hasn't got a|any due date",
        "haven't|hasn't a date|deadline",
        "lack|lacks|lacking|missing a date|deadline",
        "lack|lacks|missing a due date",
        "aren't|isn't|not dated|scheduled",
        "without any date|deadline|dates",
        "that|which haven't|hasn't been scheduled|dated",
        "without an|any end date",
        "date free",
        "dateless",
        "undated",
        "unscheduled",
        "without due date",
    ];
    if let Some(n) = longest(rest, &undated) {
        filter.undated = true;
        return Some(n);
    }
    // "tomorrow's", "friday's"
    let own: Vec<Token>;
    let mut rest = rest;
    if let Some(day) = rest[0].lower.strip_suffix("'s").filter(|day| *day != "today") {
        let day = Token { lower: day.to_owned(), ..rest[0].clone() };
        own = std::iter::once(day).chain(rest[1..].iter().cloned()).collect();
        rest = &own;
    }
    // The days are worked out only for the words that were said: this is asked at every word of every clause.
    type Days = fn(Date) -> (Date, Date);
    const SPANS: &[(&str, Days, &str)] = &[
        ("this|the week", |today| week(today, 0), "due this week"),
        ("this week's", |today| week(today, 0), "due this week"),
        ("next week", |today| week(today, 1), "due next week"),
        ("last week", |today| week(today, -1), "due last week"),
        ("this|the weekend", |today| weekend(today, 0), "due this weekend"),
        ("next weekend", |today| weekend(today, 1), "due next weekend"),
        ("this month", |today| month(today, 0), "due this month"),
        ("last month", |today| month(today, -1), "due last month"),
        ("next month", |today| month(today, 1), "due next month"),
        ("today's", |today| (today, today), "due today"),
    ];
    let mut put = |from: Option<Date>, to: Option<Date>, period: String| {
        filter.due_from = from.map(day_text);
        filter.due_to = to.map(day_text);
        filter.period = Some(period);
    };
    let lead = longest(rest, &["due|for|in|during|on", "due in|on|for"]);
    for skip in std::iter::once(0).chain(lead) {
        let tail = rest.get(skip..)?;
        if let Some((n, (_, days, name))) = SPANS.iter().find_map(|s| Some((starts(tail, s.0)?, s))) {
            let (from, to) = days(today);
            put(Some(from), Some(to), (*name).to_owned());
            return Some(skip + n);
        }
        // "in the next 3 days", "within 2 weeks".
        let window = longest(
            tail,
            &["in the next", "the next", "next", "within", "within the next", "over the next", "the coming"],
        );
        if let Some((n, (k, span))) = window.and_then(|n| Some((n, length(tail.get(n..)?)?))) {
            let to = later_day(today, span).unwrap_or(today);
            put(Some(today), Some(to), format!("due until {}", spoken(&day_text(to), Some(now))));
            return Some(skip + n + k);
        }
    }
    // "in december": the next one, or this very one.
    let of_month = longest(rest, &["in", "during", "due in", "for", "this|next"]);
    if let Some((n, number)) = of_month.and_then(|n| Some((n, month_number(&rest.get(n)?.lower)?)))
        && rest.get(n + 1).is_none_or(|t| !t.lower.starts_with(|c: char| c.is_ascii_digit()))
    {
        let ahead = (i64::from(number) - i64::from(today.month())).rem_euclid(12);
        let (first, last) = month(today, ahead);
        put(Some(first), Some(last), format!("due in {}", month_name(first.month())));
        return Some(n + 1);
    }
    let read =
        |tail: &[Token]| when(tail, now).and_then(|(n, w)| Some((n, w.date.filter(|_| w.other.is_none())?)));
    let say = |day: Date| spoken(&day_text(day), Some(now));
    if let Some(n) = starts(rest, "between|from")
        && let Some((k, from)) = read(&rest[n..])
        && let Some(m) = starts(&rest[n + k..], "and|to|until|till")
        && let Some((j, to)) = read(&rest[n + k + m..])
    {
        put(Some(from), Some(to), format!("due from {} to {}", say(from), say(to)));
        return Some(n + k + m + j);
    }
    let before = longest(rest, &["before", "due before"]);
    if let Some((n, (k, day))) = before.and_then(|n| Some((n, read(&rest[n..])?))) {
        put(None, Some(plus(day, -1.days())), format!("due before {}", say(day)));
        return Some(n + k);
    }
    let until = longest(rest, &["by", "until", "due by", "due until", "up to"]);
    if let Some((n, (k, day))) = until.and_then(|n| Some((n, read(&rest[n..])?))) {
        put(None, Some(day), format!("due by {}", say(day)));
        return Some(n + k);
    }
    let later = longest(rest, &["after", "due after", "since"]);
    if let Some((n, (k, day))) = later.and_then(|n| Some((n, read(&rest[n..])?))) {
        put(Some(plus(day, 1.days())), None, format!("due after {}", say(day)));
        return Some(n + k);
    }
    let (n, day) = read(rest)?;
    // "today and tomorrow"
    if let Some(k) = starts(&rest[n..], "and|or")
        && let Some((j, next)) = read(&rest[n + k..])
        && next == plus(day, 1.days())
    {
        put(Some(day), Some(next), format!("due {} or {}", say(day), say(next)));
        return Some(n + k + j);
    }
    put(Some(day), Some(day), format!("due {}", say(day)));
    Some(n)
}

/// The first and the last day of the week that is so many weeks after this one.
fn week(today: Date, ahead: i64) -> (Date, Date) {
    let first = plus(monday(today), (ahead * 7).days());
    (first, plus(first, 6.days()))
}

/// Saturday and sunday of that week.
fn weekend(today: Date, ahead: i64) -> (Date, Date) {
    let (first, last) = week(today, ahead);
    (plus(first, 5.days()), last)
}

/// The first and the last day of the month that is so many months after this one.
fn month(today: Date, ahead: i64) -> (Date, Date) {
    let this = today.first_of_month();
    let first = later_day(this, ahead.months()).unwrap_or(this);
    (first, first.last_of_month())
}

/// The first, or the last, of the list as it is shown.
pub fn end_of_list(last: bool) -> Filter {
    Filter { last, limit: Some(1), whole: true, ..Filter::default() }
}
