//! What is said around a repetition: that it is one ("keep it repeating"), and when it begins ("starting in
//! December"). Set right before the words are read, so that every rule reads it the same way.

use crate::todo::intent::{Intent, Patch, Target, patch};
use crate::todo::openings::opened;
use dates::beginnings::BEGINS;
use dates::names::weekday;
use dates::repeat::repeat;
use dates::when::when;
use jiff::civil::DateTime;

use crate::lex::{Kind, Token, after, before, found, longest, starts, text_of, trim_signs};
use crate::todo::attrs::{Lexicon, peel_whole};
use crate::todo::target::target;

/// What says that something comes again, beside when it does.
const AGAIN: &[&str] = &[
    "keep|make|have|let it repeating|recurring|repeat|recur",
    "make|set it to repeat|recur",
    "make|keep|set it a repeating|recurring one|thing|todo|task",
    "and repeat|repeats it",
    "it repeats|recurs",
    "it should repeat|recur",
    "as a repeating|recurring one|thing|todo|task|event|item",
    "as a repeating|recurring",
    "on repeat",
    "repeating",
    "recurring",
];

/// The same words, as the rules read them.
pub fn set_right(tokens: &[Token], now: DateTime) -> Option<Vec<Token>> {
    const SIGNAL: &str = "repeating recurring repeat recur repeats recurs starting beginning commencing start begin first \
         except bar excluding apart month until till from ending as";
    if tokens.len() < 3 {
        return None;
    }
    if let Some(listed) = listed(tokens, now).or_else(|| weekly_days(tokens, now)) {
        return Some(listed);
    }
    if !tokens.iter().any(|t| t.of(SIGNAL)) {
        return None;
    }
    spared(tokens)
        .or_else(|| monthly(tokens))
        .or_else(|| told_again(tokens, now))
        .or_else(|| joined(tokens, now))
}

/// "Yoga mon wed fri", "mon/wed/fri" as "every mon and wed and fri".
fn listed(tokens: &[Token], now: DateTime) -> Option<Vec<Token>> {
    let day = |t: &Token| t.kind == Kind::Word && weekday(&t.lower).is_some();
    let apart = |t: &Token| -> Option<Vec<Token>> {
        let days: Vec<&str> = t.lower.split(['/', '+']).collect();
        let all = days.len() > 1 && days.iter().all(|day| weekday(day).is_some());
        all.then(|| days.into_iter().map(Token::word).collect())
    };
    let (at, n, days) = (0..tokens.len()).find_map(|at| {
        if let Some(days) = apart(&tokens[at]) {
            return Some((at, 1, days));
        }
        let n = tokens[at..].iter().take_while(|t| day(t)).count();
        (n > 2).then(|| (at, n, tokens[at..at + n].to_vec()))
    })?;
    // "Read Mon Tue Wed by Smith" names a book.
    if at > 1 && !ends(&tokens[at + n..], now) {
        return None;
    }
    let mut out = tokens[..at].to_vec();
    if at > 0 && out[at - 1].of("on") {
        out.pop();
    }
    if !out.last().is_some_and(|t| t.of("every each")) {
        out.push(Token::word("every"));
    }
    for (nth, day) in days.into_iter().enumerate() {
        if nth > 0 {
            out.push(Token::word("and"));
        }
        out.push(day);
    }
    out.extend_from_slice(&tokens[at + n..]);
    Some(out)
}

/// Whether what stands behind days is a time, or something else that is no name.
fn ends(rest: &[Token], now: DateTime) -> bool {
    const MORE: &[&str] =
        &["at", "from", "until", "till", "starting", "every", "each", "weekly", "in", "for", "to"];
    rest.first().is_none_or(|t| t.kind == Kind::Sign || t.kind == Kind::Tag || t.any(MORE))
        || when(rest, now).is_some()
}

/// "Tues and thurs 7am every week" as "every tues and thurs 7am".
fn weekly_days(tokens: &[Token], now: DateTime) -> Option<Vec<Token>> {
    let week = (1..tokens.len()).find(|at| {
        starts(&tokens[*at..], "every|each week").or_else(|| starts(&tokens[*at..], "weekly")).is_some()
    })?;
    let n = starts(&tokens[week..], "every|each week").unwrap_or(1);
    let day = |t: &Token| t.kind == Kind::Word && weekday(&t.lower).is_some();
    let first = (0..week).find(|at| day(&tokens[*at]))?;
    let from = first - usize::from(first > 0 && tokens[first - 1].is("on"));
    let said = first > 0 && tokens[first - 1].of("every each last first second third next this");
    let days =
        tokens[first..week].iter().take_while(|t| day(t) || t.of("and & or") || t.sign(",") || t.sign("/"));
    // "Sunday paper weekly" names a paper.
    let behind = trim_signs(&tokens[first + days.count()..week]);
    if said || from == 0 || !behind.is_empty() && !ends(behind, now) {
        return None;
    }
    let mut out = tokens[..from].to_vec();
    out.push(Token::word("every"));
    out.extend_from_slice(trim_signs(&tokens[first..week]));
    out.extend_from_slice(&tokens[week + n..]);
    Some(out)
}

/// "Every friday I have to water the cactus" with the rhythm behind what is to be done.
pub fn fronted(tokens: &[Token], now: DateTime) -> Option<String> {
    const FRONT: &[&str] =
        &["every", "each", "weekdays", "on", "once", "twice", "daily", "weekly", "monthly"];
    if !tokens.first()?.any(FRONT) || tokens.iter().any(|t| t.sign("?")) {
        return None;
    }
    let (n, _) = repeat(tokens, now)?;
    let rest = trim_signs(tokens.get(n..)?);
    let deed = opened(rest).filter(|deed| !deed.is_empty())?;
    let wish = rest[0].of("i we i'd i've please remind make don't i'm we're");
    let front = text_of(&tokens[..n]);
    (wish && !deed.iter().any(|t| t.kind == Kind::Sign && !t.sign("'")))
        .then(|| format!("{} {}", text_of(rest), front))
}

/// "Stop the plants coming back every week": it repeats no longer.
pub fn stopped(tokens: &[Token], question: bool, lexicon: &Lexicon) -> Option<Intent> {
    let rest = after(tokens, &["stop|prevent|keep|don't|never", "don't let", "stop letting"])?;
    const AGAIN: &[&str] = &[
        "coming|come back|up|round|around",
        "repeating|recurring|reappearing|reoccurring",
        "showing|popping|show|pop up",
        "repeat|recur|reappear",
    ];
    let said = found(rest, 1..8, AGAIN)?;
    let (at, tail) = (said.start, &rest[said.end..]);
    let tail = after(tail, &["again", "any more|longer", "anymore"]).unwrap_or(tail);
    let plain = tail.is_empty() || repeat(tail, lexicon.now).is_some_and(|(n, _)| n == tail.len());
    let aim = before(&rest[..at], &["from"]).unwrap_or(&rest[..at]);
    let kept = tokens[0].is("keep") && aim.len() == at;
    if !plain || kept || aim.is_empty() {
        return None;
    }
    let patch = Patch { repeat: Some(String::new()), ..Default::default() };
    match target(aim, lexicon) {
        Target::Missing | Target::Every { .. } => None,
        aim if question => Some(Intent::Offer(aim, Box::new(patch), "end the repetition of")),
        aim => Some(Intent::change(aim, patch)),
    }
}

/// "Every weekday at 9 except fridays": what is spared stands behind the days.
fn spared(tokens: &[Token]) -> Option<Vec<Token>> {
    const EXCEPT: &[&str] = &[
        "except|bar|excluding", "except|bar|excluding for|on", "apart from", "apart from on", "but not",
        "but not on",
    ];
    let unit = tokens.iter().position(|t| t.of("weekday weekdays day daily workday workdays"))?;
    let except = found(tokens, unit + 1..tokens.len(), EXCEPT)?;
    let (at, n) = (except.start, except.len());
    let days = tokens[at + n..]
        .iter()
        .take_while(|t| t.of("and & weekend weekends") || t.sign(",") || weekday(&t.lower).is_some());
    let days = days.count();
    if days == 0 {
        return None;
    }
    let mut front = tokens[..unit].to_vec();
    match tokens[unit].lower.as_str() {
        "daily" => front.extend([Token::word("every"), Token::word("day")]),
        "weekdays" | "workdays" if !front.last().is_some_and(|t| t.of("every each")) => {
            front.extend([Token::word("every"), Token::word("weekday")]);
        }
        _ => front.push(tokens[unit].clone()),
    }
    front.push(Token::word("except"));
    front.extend_from_slice(&tokens[at + n..at + n + days]);
    let between = &tokens[unit + 1..at];
    front.extend_from_slice(trim_signs(between));
    front.extend_from_slice(&tokens[at + n + days..]);
    (front.len() + n > tokens.len().saturating_sub(2) && front != tokens).then_some(front)
}

/// "The last day of the month every month" as "the last day of every month".
fn monthly(tokens: &[Token]) -> Option<Vec<Token>> {
    let at = (0..tokens.len()).find(|at| starts(&tokens[*at..], "of|in the month").is_some())?;
    let rest = &tokens[at + 3..];
    let skip = usize::from(rest.first().is_some_and(|t| t.sign(",")));
    let n = starts(rest.get(skip..)?, "every|each month").or_else(|| starts(rest.get(skip..)?, "monthly"))?;
    let mut out = tokens[..=at].to_vec();
    out.extend([Token::word("every"), Token::word("month")]);
    out.extend_from_slice(&rest[skip + n..]);
    Some(out)
}

/// "The 3rd thursday of the month, keep it repeating" as "the 3rd thursday of every month".
fn told_again(tokens: &[Token], now: DateTime) -> Option<Vec<Token>> {
    let (at, n) = (2..tokens.len()).find_map(|at| {
        let n = longest(&tokens[at..], AGAIN)?;
        (at + n == tokens.len() || tokens[at + n].kind == Kind::Sign).then_some((at, n))
    })?;
    let cut = at - usize::from(tokens[at - 1].kind == Kind::Sign || tokens[at - 1].of("and - – —"));
    let mut out: Vec<Token> = [&tokens[..cut], &tokens[at + n..]].concat();
    if (0..out.len()).any(|at| repeat(&out[at..], now).is_some()) {
        return Some(out);
    }
    if let Some(at) = (0..out.len()).find(|at| starts(&out[*at..], "of|in the month").is_some()) {
        out[at + 1] = Token::word("every");
        return Some(out);
    }
    // "first of month"
    if let Some(at) = (1..out.len()).find(|at| {
        starts(&out[*at..], "of month").is_some() && out.get(at + 2).is_none_or(|t| t.kind == Kind::Sign)
    }) {
        out.insert(at + 1, Token::word("every"));
        return Some(out);
    }
    let at = out.iter().rposition(|t| t.kind == Kind::Word && weekday(&t.lower).is_some())?;
    let from = at - usize::from(at > 0 && out[at - 1].of("on next this"));
    out.splice(from..at, [Token::word("every")]);
    Some(out)
}

/// Without the comma between a repetition and its first or last day.
fn joined(tokens: &[Token], now: DateTime) -> Option<Vec<Token>> {
    const ENDS: &[&str] = &["until|till", "ending|stopping in|on", "and ending|stopping in|on"];
    let at = (2..tokens.len()).find(|at| {
        tokens[*at].sign(",")
            && BEGINS.iter().chain(ENDS).any(|phrase| starts(&tokens[at + 1..], phrase).is_some())
    })?;
    let rhythm = (0..at).any(|from| repeat(&tokens[from..at], now).is_some());
    rhythm.then(|| [&tokens[..at], &tokens[at + 1..]].concat())
}

/// "Switch the plants from tuesdays to sundays": another rhythm for what is there.
pub fn switched(tokens: &[Token], lexicon: &Lexicon) -> Option<Intent> {
    // Behind every "to" the whole rest is read: in pasted text there are hundreds.
    const WORDS: usize = 60;
    let verb = tokens.first()?.of("switch change move shift swap turn put");
    if !verb || tokens.len() > WORDS {
        return None;
    }
    let (at, found) = (2..tokens.len()).find_map(|at| {
        let n = starts(&tokens[at..], "to|onto|into").filter(|_| !tokens[at - 1].is("from"))?;
        let attrs = peel_whole(&tokens[at + n..], lexicon).filter(|attrs| attrs.repeat.is_some())?;
        Some((at, attrs))
    })?;
    let aim = &tokens[1..at];
    let old = aim.iter().position(|t| t.is("from"));
    let aim = &aim[..old.unwrap_or(aim.len())];
    match target(before(aim, &["over"]).unwrap_or(aim), lexicon) {
        Target::Missing => None,
        aim => Some(Intent::change(aim, patch(found))),
    }
}

/// "Pay rent, recurring", "water the plants as a repeating task": what is to repeat, where it is not said how often;
/// where it is, as in "recurring monthly", without the word that says so once more.
pub fn unsaid(tokens: &[Token], now: DateTime) -> Option<Vec<Token>> {
    const AGAIN: &[&str] = &[
        "recurring|repeating|repeated|regularly|repeatedly",
        "on repeat",
        "it|that|which repeats|recurs",
        "repeats|recurs",
    ];
    const AS: &[&str] = &[
        "as a recurring|repeating|regular todo|to-do|task|thing|reminder|item|one",
        "as recurring|repeating",
        "and make it repeat|recurring|repeating",
    ];
    const NEW: &[&str] = &["todo", "to-do", "task", "reminder", "item"];
    let tokens = trim_signs(tokens);
    if tokens.iter().any(|t| t.kind == Kind::Quoted) {
        return None;
    }
    // "Add a recurring task: …"
    let adds = tokens.first().is_some_and(|t| t.of("add create new make set"));
    let named = |at: &usize| {
        tokens[*at].of("recurring repeating")
            && tokens.get(*at + 1).is_some_and(|t| t.any(NEW) || *at == 1 && t.sign(":"))
    };
    if let Some(at) = (1..tokens.len().min(5)).find(named).filter(|_| adds) {
        return Some([&tokens[..at], &tokens[at + 1..]].concat());
    }
    let opens = |t: &Token| t.sign(",") || t.sign("(") || t.of("- – —");
    let ends = |rest: &[Token]| {
        rest.first().is_none_or(|t| t.kind == Kind::Sign)
            || repeat(rest, now).is_some_and(|(n, _)| n == rest.len())
    };
    let found = (2..tokens.len()).find_map(|at| {
        let rest = &tokens[at..];
        let alone =
            AGAIN.iter().filter_map(|phrase| starts(rest, phrase)).max().filter(|_| opens(&tokens[at - 1]));
        let n = alone.or_else(|| AS.iter().filter_map(|phrase| starts(rest, phrase)).max())?;
        ends(&rest[n..]).then_some((at - usize::from(alone.is_some()), at + n))
    });
    let (from, to) = found?;
    let closed = usize::from(tokens[from].sign("(") && tokens.get(to).is_some_and(|t| t.sign(")")));
    Some([&tokens[..from], &tokens[to + closed..]].concat())
}
