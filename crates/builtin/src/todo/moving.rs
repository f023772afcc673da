//! Another date for to-dos that exist. "Move it to monday" names the date, whatever it was before. A verb of
//! putting off ("push", "postpone", "snooze") never makes a date earlier: where what was said is no later than
//! what is there, it is read from there on ("push it to next week" is the week after its own).

use crate::todo::intent::{Due, Intent, Patch, Target, patch};
use crate::todo::openings::command_starts;
use crate::todo::plan::{Halt, Run, Step, Wants};
use crate::todo::rows::Todo;
use crate::todo::urgency::level;
use dates::calendar::{coming, later_moment};
use dates::days::length;
use dates::due::spoken;
use dates::iso::read_day;
use dates::names::month;
use dates::when::When;
use jiff::civil::{Date, DateTime};

use crate::lex::{Kind, Token, after, before, longest, starts, text_of, trim_signs};
use crate::phrases::plain;
use crate::text::quoted;
use crate::todo::acts::moved;
use crate::todo::answer::count;
use crate::todo::attrs::{Attrs, Lexicon, list_name, names_list, peel_end, peel_whole};
use crate::todo::joined;
use crate::todo::target::target;

const MOVE: &[&str] = &[
    "reschedule", "move", "bring|pull forward", "shift", "change the date|deadline of|for",
    "change the due date of|for", "set the date|deadline of|for", "set the due date of|for",
    "set due date of|for", "change due date of|for", "update the due date of|for", "set a due date for",
    "set a date for", "give",
];
/// Verbs that put off.
const OFF: &[&str] = &[
    "push", "push back|out|off", "postpone", "delay", "defer", "snooze", "put off", "move back",
    "shift back", "hold off on",
];

/// Reads a clause that gives another date.
pub fn reschedule(tokens: &[Token], lexicon: &Lexicon) -> Option<Intent> {
    let mut apart: Vec<Token>;
    // A new day keeps the hour there was.
    const SAME: &[&str] =
        &["same time|hour", "at the same time|hour", "but|and keep the time|hour", "but|and same time"];
    let mut tokens = before(tokens, SAME).map_or(tokens, trim_signs);
    // "get the service moved to friday", "have it pushed back a week"
    let plainer: Vec<Token>;
    const MOVED: &[(&str, &str)] = &[
        ("moved", "move"),
        ("rescheduled", "reschedule"),
        ("postponed", "postpone"),
        ("pushed", "push"),
        ("shifted", "shift"),
        ("delayed", "delay"),
    ];
    if tokens.first().is_some_and(|t| t.of("get have"))
        && let Some((at, verb)) = (2..tokens.len())
            .find_map(|at| MOVED.iter().find(|(form, _)| tokens[at].is(form)).map(|(_, verb)| (at, *verb)))
    {
        let verb = Token { text: verb.to_owned(), lower: verb.to_owned(), ..tokens[0].clone() };
        plainer = std::iter::once(&verb).chain(&tokens[1..at]).chain(&tokens[at + 1..]).cloned().collect();
        tokens = &plainer;
    }
    // "bring the talk back to monday"
    let returned: Vec<Token>;
    if tokens.first().is_some_and(|t| t.of("bring pull get take drag"))
        && let Some(at) =
            (2..tokens.len()).find(|at| starts(&tokens[*at..], "back|forward|over to").is_some())
        && peel_whole(&tokens[at + 2..], lexicon).is_some_and(|attrs| attrs.when.is_some())
    {
        let verb = Token { text: "move".into(), lower: "move".into(), ..tokens[0].clone() };
        returned = std::iter::once(&verb).chain(&tokens[1..at]).chain(&tokens[at + 1..]).cloned().collect();
        tokens = &returned;
    }
    // "give the tap a deadline: saturday"
    let unsigned: Vec<Token>;
    if tokens.first().is_some_and(|t| t.is("give")) && tokens.iter().any(|t| t.sign(":")) {
        unsigned = tokens.iter().filter(|t| !t.sign(":")).cloned().collect();
        tokens = &unsigned;
    }
    // "change the time of the talk to 11"
    let timed: Vec<Token>;
    if let Some(rest) =
        after(tokens, &["change|set|move|update the|its time of|for|to", "change|set|update its time"])
        && let [front @ .., to, hour] = rest
        && (to.is("to") || front.is_empty())
        && hour.lower.starts_with(|c: char| c.is_ascii_digit())
    {
        let at = Token { text: "at".into(), lower: "at".into(), ..hour.clone() };
        let verb = Token { text: "move".into(), lower: "move".into(), ..hour.clone() };
        let it = Token { text: "it".into(), lower: "it".into(), ..hour.clone() };
        let aim = if front.is_empty() { std::slice::from_ref(&it) } else { front };
        timed = std::iter::once(&verb).chain(aim).chain([to, &at, hour]).cloned().collect();
        tokens = &timed;
    }
    // "put it off until friday", "bring it forward": the verb's two words belong together.
    let halves: &[&str] = match tokens.first()? {
        verb if verb.of("put hold") => &["off"],
        verb if verb.of("bring pull") => &["forward"],
        _ => &[],
    };
    let half = tokens.iter().position(|t| t.any(halves)).filter(|at| *at > 1);
    // "give it a due date of friday": "of friday" is a date only here.
    let of = (1..tokens.len()).find(|at| tokens[*at].is("of") && tokens[at - 1].of("date deadline"));
    if let Some(at) = half.or(of.filter(|_| tokens[0].is("give"))) {
        apart = tokens.to_vec();
        let word = apart.remove(at);
        if half.is_some() {
            apart.insert(1, word);
        }
        tokens = &apart;
    }
    // "swap the dentist to thursday" gives a date, "switch the light off" none.
    const ALSO: &[&str] = &["swap|switch|transfer|shuffle|reassign|bump|slide"];
    if let Some(rest) = after(tokens, ALSO) {
        let (left, attrs) = peel_new(rest, lexicon);
        let aim = before(&left, &["over to", "to", "until|till", "over"]).unwrap_or(&left);
        return (attrs.when.is_some() && !aim.is_empty())
            .then(|| Intent::change(target(aim, lexicon), patch(attrs)));
    }
    let (rest, off) = match (after(tokens, OFF), after(tokens, MOVE)) {
        (Some(rest), _) => (rest, true),
        (None, rest) => (rest?, false),
    };
    if rest.len() == 1 && rest[0].of("nothing none") {
        return Some(Intent::Hands);
    }
    let gives = tokens[0].is("give");
    // "push it back by 2 days", "postpone milk 2 days".
    let later = (1..rest.len()).find_map(|at| {
        let lead = longest(
            &rest[at..],
            &["by", "back", "back by", "for", "out", "out by", "forward", "forward by", "up", "up by", "to"],
        )
        .unwrap_or(0);
        let tail = rest.get(at + lead..)?;
        let (n, span) = length(tail)?;
        let end = starts(&tail[n..], "later|earlier").unwrap_or(0);
        let early = tail.get(n).is_some_and(|t| t.is("earlier"))
            || rest[at].of("forward up") && !off
            || starts(tokens, "bring|pull forward").is_some();
        (n + end == tail.len() && !rest[at].of("to in")).then(|| (at, if early { -span } else { span }))
    });
    if let Some((at, span)) = later {
        let aim = before(&rest[..at], &["back", "forward", "out", "up"]).unwrap_or(&rest[..at]);
        return Some(Intent::change(
            target(aim, lexicon),
            Patch { due: Some(Due::Later(span)), ..Patch::default() },
        ));
    }
    let (left, attrs) = peel_new(rest, lexicon);
    const LEAD: &[&str] = &[
        "to", "until", "back to", "back until|till", "back", "out", "out to|until", "off",
        "off to|until|till", "till", "forward to", "for", "due", "a|the due date|deadline",
        "a|the date|deadline", "a date", "up to", "up", "forward", "on", "over to",
    ];
    let aim = before(&left, LEAD).unwrap_or(&left);
    let off = off || left[aim.len()..].iter().any(|t| t.is("back"));
    if attrs.is_empty() {
        // "move milk to Errands-ish": not a date, and no list we know.
        let to = aim.iter().position(|t| t.is("to"));
        if gives || to.is_some() && tokens[0].of("move shift") {
            let at = to?;
            let name = text_of(&aim[at + 1..]);
            let capital = name.starts_with(char::is_uppercase) && name.split(' ').count() <= 3;
            let patch = Patch { list: Some(name), ..Patch::default() };
            return (capital && !gives).then(|| Intent::change(target(&aim[..at], lexicon), patch));
        }
        return Some(Intent::Reschedule(target(aim, lexicon), off));
    }
    let patch = patch(attrs);
    let patch = if off { putting_off(patch, rest) } else { patch };
    Some(Intent::change(target(aim, lexicon), patch))
}

/// The same change, but never to an earlier date; with the words that said the date.
pub fn putting_off(patch: Patch, words: &[Token]) -> Patch {
    match patch.due {
        Some(Due::At(attrs)) if attrs.repeat.is_none() => {
            Patch { due: Some(Due::Off(attrs, words.to_vec())), ..patch }
        }
        _ => patch,
    }
}

/// What is named, and the new values at the end. "Everything due tomorrow to monday" names by a date and
/// moves to another, so "to" is the border where the words after it are values and nothing else.
pub fn peel_new(tokens: &[Token], lexicon: &Lexicon) -> (Vec<Token>, Attrs) {
    let border = (1..tokens.len()).filter(|at| tokens[*at].of("to until till for as"));
    for at in border {
        if let Some(attrs) =
            peel_whole(&tokens[at + 1..], lexicon).or_else(|| in_month(&tokens[at + 1..], lexicon))
        {
            return (trim_signs(&tokens[..at]).to_vec(), attrs);
        }
    }
    if let Some(aim) =
        before(tokens, &["high|low|medium|normal|urgent|top priority"]).filter(|_| many(tokens))
    {
        let priority = level(&tokens[aim.len()].lower);
        return (aim.to_vec(), Attrs { priority, ..Attrs::default() });
    }
    let (left, attrs) =
        if many(tokens) { (tokens.to_vec(), Attrs::default()) } else { peel_end(tokens, lexicon) };
    (trim_signs(&left).to_vec(), attrs)
}

/// "january", where a date is to come: its first day.
pub fn in_month(tokens: &[Token], lexicon: &Lexicon) -> Option<Attrs> {
    let rest =
        after(tokens, &["next|early|this", "the beginning|start of", "beginning|start of"]).unwrap_or(tokens);
    let [word] = trim_signs(rest) else { return None };
    let date = coming(lexicon.now.date(), month(&word.lower)?, 1);
    Some(Attrs { when: Some(When::new(Some(date?), None)), ..Attrs::default() })
}

/// Whether the words name by properties, not by a title.
fn many(tokens: &[Token]) -> bool {
    starts(tokens, "all|everything|every|each|any").is_some()
        || tokens.iter().any(|t| t.of("todos tasks to-dos ones items"))
}

/// The date a to-do is put off to; `None` when the words name one that is earlier and no other.
pub fn off(attrs: &Attrs, words: &[Token], todo: &Todo, now: DateTime) -> Option<Option<String>> {
    let named = moved(attrs, todo, now);
    let (Some(new), Some(due)) = (&named, &todo.due) else { return Some(named) };
    if new > due {
        return Some(named);
    }
    let read = |day: Date| {
        let lexicon = Lexicon { now: day.at(0, 0, 0, 0), lists: Default::default() };
        peel_new(words, &lexicon).1
    };
    // A day that is the same one when its words are said on it is that day and no other: "dec 24", "today".
    let day = attrs.when.and_then(|when| when.date);
    let fixed =
        day.is_none_or(|day| read(day).when.and_then(|when| when.date).is_none_or(|again| again == day));
    if fixed {
        return (new == due).then_some(named);
    }
    let from = due.get(..10).and_then(read_day)?;
    let later = moved(&read(from), todo, later_moment(from.at(0, 0, 0, 0), Default::default())?);
    (later.as_ref() > Some(due)).then_some(later)
}

/// Asks before anything is put off to an earlier date.
pub fn earlier(run: &Run, todos: &[Todo], patch: &Patch) -> Step<()> {
    let (Some(Due::Off(attrs, words)), Some(now)) = (&patch.due, run.now) else { return Ok(()) };
    let early: Vec<&Todo> = todos.iter().filter(|todo| off(attrs, words, todo, now).is_none()).collect();
    let Some(first) = early.first() else { return Ok(()) };
    let say = |due: Option<String>| due.map(|due| spoken(&due, run.now)).unwrap_or_default();
    let to = say(moved(attrs, first, now));
    let text = match early.as_slice() {
        [only] => format!(
            "{} is due {}, and {to} is earlier. Shall I move it there all the same? (yes or no)",
            quoted(&only.title),
            say(only.due.clone()),
        ),
        several => format!(
            "{} would come earlier, to {to}. Shall I move {} all the same? (yes or no)",
            count(several.len()),
            if several.len() == todos.len() { "them" } else { "all of them" }
        ),
    };
    let patch = Patch { due: Some(Due::At(attrs.clone())), ..patch.clone() };
    let command = Intent::change(Target::Chosen(todos.to_vec()), patch);
    Err(Halt::Ask { text, wants: Box::new(Wants::Confirm(command)) })
}

/// "put everything about the car into a list called Garage".
pub fn into_list(tokens: &[Token], lexicon: &Lexicon) -> Option<Intent> {
    if let Some(rest) = after(tokens, &["put|move"])
        && starts(rest, "everything|all|every|each").is_some()
        && let Some(at) = rest.iter().rposition(|t| t.of("into in onto on")).filter(|at| *at > 0)
    {
        let name = after(&rest[at + 1..], &["the|my|a|another", "a|the new"]).unwrap_or(&rest[at + 1..]);
        let called = after(name, &["list called|named"]);
        let name = called.or_else(|| before(name, &["list"])).unwrap_or(name);
        let known = called.is_some()
            || matches!(name, [only] if names_list(only, lexicon))
            || rest.last().is_some_and(|t| t.is("list"));
        let many = matches!(target(&rest[..at], lexicon), Target::Every { .. } | Target::Them(_));
        if known && many && (1..=3).contains(&name.len()) {
            let list = Some(list_name(&text_of(name), lexicon));
            return Some(Intent::change(target(&rest[..at], lexicon), Patch { list, ..Patch::default() }));
        }
    }
    None
}

/// "make everything due tomorrow", "give all my groceries a deadline of friday": what follows the words for all of
/// them are values, where values are all there is.
pub fn everything(rest: &[Token], lexicon: &Lexicon) -> Option<Intent> {
    const LEAD: &[&str] = &["to", "to be", "be", "for", "a due date of", "a date|deadline of", "due"];
    (1..rest.len()).find_map(|at| {
        let (words, values) = rest.split_at(at);
        let values = after(values, LEAD).unwrap_or(values);
        let attrs = peel_whole(values, lexicon).filter(|attrs| !attrs.is_empty() && attrs.list.is_none())?;
        // "everything due today urgent": the date says which.
        if attrs.when.is_some() && (attrs.priority.is_some() || !attrs.tags.is_empty()) {
            return None;
        }
        let aim = target(words, lexicon);
        let many = match &aim {
            Target::Them(_) => true,
            Target::Every { .. } => starts(words, "all|everything|every|each|them|both").is_some(),
            _ => false,
        };
        many.then(|| Intent::change(aim, patch(attrs)))
    })
}

/// "Move gym to friday and the report to monday": the verb stands before each of them.
pub fn carried(tokens: Vec<Token>, lexicon: &Lexicon) -> Vec<Token> {
    const VERBS: &str = "move push postpone reschedule shift delay set change bump make put switch";
    let Some(verb) = plain(&tokens).first().filter(|t| t.of(VERBS)).cloned() else {
        return tokens;
    };
    let to = |words: &[Token]| words.iter().rposition(|t| t.of("to until till"));
    let moved = |words: &[Token]| {
        let meant = |end: &[Token]| peel_whole(end, lexicon).is_some() || joined::levelled(end);
        to(words).is_some_and(|at| at > 0 && meant(&words[at + 1..]))
    };
    let cuts: Vec<usize> =
        (1..tokens.len()).filter(|at| tokens[*at].sign(",") || tokens[*at].is("and")).collect();
    let mut out = tokens;
    for cut in cuts.into_iter().rev() {
        let follows = out[cut + 1..].iter().take_while(|t| t.kind != Kind::Sign && !t.is("then")).count();
        let joins = |at: &usize| out[*at].is("and") && command_starts(&out[at + 1..], true);
        let follows = (cut + 1..cut + 1 + follows).find(joins).map_or(follows, |at| at - cut - 1);
        let next = &out[cut + 1..cut + 1 + follows];
        if moved(next) && moved(&out[..cut]) && !command_starts(next, false) {
            out[cut] = Token { kind: Kind::Sign, text: ";".into(), lower: ";".into(), spaced: false };
            out.insert(cut + 1, verb.clone());
        }
    }
    out
}
