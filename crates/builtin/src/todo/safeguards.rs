//! Nothing is written that nobody asked for: words that would slip into a title are set apart first, a question adds
//! nothing, and what is left of a sentence is named instead of becoming a to-do.

use dates::names::weekday;
use dates::when::when;

use crate::lex::{Kind, Token, after, before, capitalised, lex, starts, text_of, trim_signs};
use crate::phrases::plain;
use crate::text::quoted;
use crate::todo::answer::wanted;
use crate::todo::attrs::Lexicon;
use crate::todo::intent::{Asked, Beyond, Clause, Draft, Intent, Named};
use crate::todo::making::offer;
use crate::todo::suggesting::offered;
use crate::todo::{adding, openings, rhythms};

/// Words that open a question.
const ASKS: &str = "which what what's when did didn't have haven't has is isn't are was were who how why where does \
         should";

/// Whether what follows is written down as it was said: a new to-do, a title, a note.
fn words_are_kept(tokens: &[Token]) -> bool {
    let line = plain(tokens);
    openings::is_add(line) && !line[0].is("put")
        || line.first().is_some_and(|t| t.of("rename call retitle"))
        || line.iter().any(|t| t.of("note notes"))
}

/// A line with what belongs to no title said in words that are known.
pub fn meant(mut tokens: Vec<Token>) -> Vec<Token> {
    // "Remind me, which was …" asks.
    if let Some(asked) = asked_back(&tokens).or_else(|| asked_back(plain(&tokens))) {
        // "…, the gate or the bike?" only says between which.
        let either = asked
            .iter()
            .position(|t| t.sign(","))
            .filter(|at| asked[0].is("which") && *at > 2 && asked[*at..].iter().any(|t| t.is("or")));
        tokens = asked[..either.unwrap_or(asked.len())].to_vec();
    }
    let mut at = 0;
    while at < tokens.len() {
        let rest = &tokens[at..];
        if let Some(n) = beneath(rest) {
            tokens.splice(at..at + n, lex("with subtasks:"));
            at += 3;
            continue;
        }
        // "move it to friday instead of thursday"; in a title or a note both days are words.
        if at > 2
            && !words_are_kept(&tokens)
            && let Some(n) = starts(rest, "instead of").or_else(|| starts(rest, "rather than"))
            && let Some((k, old)) = when(&rest[n..], dates::calendar::SOME_DAY)
            && (n + k == rest.len() && old.date.is_some())
        {
            tokens.truncate(at);
            break;
        }
        // "A to-do for me: …"
        let cut = match starts(rest, "for me|myself") {
            Some(n) if rest.get(n).is_some_and(|t| t.sign(":")) => n,
            // "Stick a "hand out the maps" under …": the article is not the title's.
            _ if at > 0
                && tokens[at - 1].of("put add pop stick chuck slap create")
                && rest[0].of("a an the")
                && rest.get(1).is_some_and(|t| t.kind == Kind::Quoted) =>
            {
                1
            }
            _ => 0,
        };
        tokens.drain(at..at + cut);
        if let Some(token) = tokens.get(at)
            && token.is("by")
            && at > 0
            && hour_after_day(&tokens[at - 1], &tokens[at + 1..])
        {
            (tokens[at].text, tokens[at].lower) = ("at".into(), "at".into());
        }
        at += 1;
    }
    again(tokens)
}

/// What is asked with "remind me" before it.
fn asked_back(tokens: &[Token]) -> Option<&[Token]> {
    let rest = after(tokens, &["remind me", "remind me again"])?;
    let (rest, set_off) = match rest {
        [comma, rest @ ..] if comma.sign(",") || comma.sign(":") => (rest, true),
        rest => (rest, false),
    };
    let first = rest.first()?;
    let verb = rest.get(1).is_some_and(|t| t.of("did is are was were do does have had should am will"));
    let asks = first.of("which did didn't have is are was")
        || first.of("when who where how why") && verb
        || set_off && first.of("what what's when's who's where's how's");
    let open = set_off || first.of("which did when who where");
    (asks && open && rest.len() > 1).then_some(rest)
}

/// "…, and under it put:": how many words say that subtasks follow.
fn beneath(tokens: &[Token]) -> Option<usize> {
    if !tokens[0].sign(",") && !tokens[0].of("and under underneath beneath below inside") {
        return None;
    }
    let lead = tokens.iter().take_while(|t| t.sign(",") || t.of("and then")).count();
    const UNDER: &[&str] = &[
        "under|underneath|beneath|below|inside it|that|this",
        "under|underneath|beneath|below|inside it|that|this put|add|list|goes|go|come|belong|stick|write",
        "underneath|below|inside put|add|list|goes|go",
    ];
    let rest = after(&tokens[lead..], UNDER)?;
    let colon = rest.first().is_some_and(|t| t.sign(":"));
    colon.then(|| tokens.len() - rest.len() + 1)
}

/// Whether these are a day and, behind a word between them, an hour alone: "tomorrow by 5".
fn hour_after_day(day: &Token, rest: &[Token]) -> bool {
    let hour = rest.first().and_then(|t| t.lower.parse::<u8>().ok()).is_some_and(|h| (1..=12).contains(&h));
    let ends = rest.get(1).is_none_or(|t| t.kind == Kind::Sign || t.of("and please then"));
    let day = day.of("tomorrow today tonight") || weekday(&day.lower).is_some();
    day && hour && ends
}

/// "Mark the hotel as booked and the dentist as called": the verb is the second one's too.
fn again(tokens: Vec<Token>) -> Vec<Token> {
    let Some(verb) = plain(&tokens).first().filter(|t| t.of("mark set flag")).cloned() else {
        return tokens;
    };
    let as_at = |words: &[Token]| words.iter().position(|t| t.is("as"));
    let mut out: Vec<Token> = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        out.push(token.clone());
        let joins = token.of("and plus") || token.sign(",");
        let next = tokens.get(at + 1);
        let named = next.is_some_and(|t| t.of("the my our that") || t.kind == Kind::Quoted);
        if joins
            && named
            && as_at(&tokens[..at]).is_some()
            && as_at(&tokens[at + 1..]).is_some_and(|n| n <= 5)
        {
            if token.sign(",") {
                out.push(Token { text: "and".into(), lower: "and".into(), ..verb.clone() });
            }
            out.push(Token { spaced: true, ..verb.clone() });
        }
    }
    out
}

/// Where "…, oh and …" or "…, also need …" begins something new: how many words stand between.
pub fn aside(current: &[Token], rest: &[Token]) -> Option<usize> {
    let joins = |t: &Token| t.kind == Kind::Sign && !t.sign("(") && !t.sign(")") && !t.sign(":");
    let signs = rest.iter().take_while(|t| joins(t) || t.of("and - – —")).count();
    let word = rest.get(signs)?;
    if word.of("oh ooh") {
        let tail = &rest[signs + 1..];
        let small = tail.iter().take_while(|t| t.sign(",") || t.of("and also yeah yes btw")).count();
        return (tail.len() > small && (signs > 0 || small > 0)).then_some(signs + 1 + small);
    }
    let needs = || {
        let rest = after(&rest[signs + 1..], &["need|needing", "i|we need", "i|we still need"])?;
        rest.first().filter(|t| !t.of("to it that them"))
    };
    (signs > 0 && word.is("also") && !openings::is_add(plain(current)) && needs().is_some())
        .then_some(signs + 1)
}

/// What a clause means, with a repetition at two times of the day as two to-dos, and no to-do out of a question.
pub fn read(tokens: &[Token], meaning: impl Fn(&[Token]) -> Intent, lexicon: &Lexicon) -> Intent {
    if let Some((first, second)) = twice(tokens) {
        match (meaning(&first), meaning(&second)) {
            (Intent::Add(a), Intent::Add(b)) => return Intent::Add([a, b].concat()),
            (Intent::Suggest(a), Intent::Suggest(b)) => return offered(vec![a, b], lexicon),
            _ => {}
        }
    }
    if let Some(day) = working(tokens) {
        match meaning(&day) {
            Intent::Suggest(draft) => return last_day(&draft, lexicon),
            Intent::Add(drafts) if drafts.len() == 1 => return last_day(&drafts[0], lexicon),
            _ => {}
        }
    }
    if let Some(listed) = under(tokens)
        && let Intent::Add(drafts) = meaning(&listed)
    {
        return offered(drafts, lexicon);
    }
    if let Some(front) = rhythms::unsaid(tokens, lexicon.now) {
        let often = |draft: Draft| match draft.attrs.repeat {
            Some(_) => draft,
            None => Draft { beyond: Some(Beyond::Often), ..draft },
        };
        match meaning(&front) {
            Intent::Add(drafts) if !drafts.is_empty() => {
                return Intent::Add(drafts.into_iter().map(often).collect());
            }
            Intent::Suggest(draft) => return Intent::Suggest(often(draft)),
            _ => {}
        }
    }
    let turned = turned(tokens);
    match meaning(turned.as_deref().unwrap_or(tokens)) {
        Intent::Add(drafts) if !drafts.is_empty() && asks(tokens) => offered(drafts, lexicon),
        Intent::Add(drafts) if drafts.len() == 1 => Intent::Add(drafts.into_iter().map(unlisted).collect()),
        intent => intent,
    }
}

/// "Add butter unless it's on the list", "if butter isn't on the list add it", "should I add butter?": looked for first,
/// or asked.
pub fn unless(tokens: &[Token], lexicon: &Lexicon) -> Option<Intent> {
    const UNLESS: &[&str] = &[
        "unless",
        "if it|that|they|there isn't|aren't|isnt|arent",
        "if it's|that's|they're not",
        "if it|that|they is|are not",
        "if i|we don't|haven't",
        "if not",
        "in case it|that isn't",
        "if there's|there is no|none",
    ];
    const THERE: &str = "already yet still on in the my our list lists there here it it's its is are that's that they they're i i've \
        we we've have has got put added add down some one them been todo todos to-dos shopping grocery groceries please then thanks";
    const ABSENT: &[&str] = &[
        "isn't|aren't|isnt|arent", "is|are not", "is|are missing from", "isn't|aren't already|yet",
        "is|are not already|yet",
    ];
    const ADD: &[&str] =
        &["add|put|note|write it|them|that|one|some", "then add|put|note|write it|them|that|one|some"];
    let small = |words: &[Token]| {
        words.iter().all(|t| t.kind == Kind::Sign || THERE.split_whitespace().any(|w| t.is(w)))
    };
    let check = |thing: &[Token]| {
        // "Add it unless it's there" names nothing.
        if small(thing) {
            return Some(Intent::Add(Vec::new()));
        }
        let draft = adding::draft(thing, lexicon).filter(|draft| draft.title.len() < 80)?;
        let (text, parts) = (draft.title.clone(), vec![draft.title.clone()]);
        Some(if draft.attrs.is_empty() {
            Intent::Check(Named { text, parts, ..Named::default() }, Asked::OrAdd)
        } else {
            Intent::Confirm(offer(&draft, Some(lexicon.now)), Box::new(Intent::Add(vec![draft])))
        })
    };
    let words = trim_signs(plain(trim_signs(tokens)));
    let words = after(words, &["only|just"]).unwrap_or(words);
    let asked = after(words, &["should|shall|could|can i|we add|put|note"])
        .filter(|_| tokens.last().is_some_and(|t| t.sign("?")));
    let listed = |thing: &[Token]| !tokens.iter().any(|t| t.is("put")) || thing.iter().any(|t| t.is("list"));
    if let Some(thing) = asked.filter(|thing| !thing.is_empty() && !small(thing) && listed(thing)) {
        const VAGUE: &[&str] = &[
            "anything", "something", "more", "this", "these", "another", "a", "any", "two", "what",
            "subtasks", "tags", "notes",
        ];
        let draft = adding::draft(thing, lexicon).filter(|_| !thing[0].any(VAGUE))?;
        return Some(Intent::Confirm(offer(&draft, Some(lexicon.now)), Box::new(Intent::Add(vec![draft]))));
    }
    if let Some(thing) = after(words, &["add|put|note"]) {
        let at = (1..thing.len())
            .find(|at| UNLESS.iter().any(|phrase| starts(&thing[*at..], phrase).is_some()))?;
        let n = UNLESS.iter().filter_map(|phrase| starts(&thing[at..], phrase)).max()?;
        const HEARD: &[&str] = &[
            "check", "see", "ask", "tell", "find", "know", "decide", "wonder", "verify", "confirm", "email",
            "text", "write",
        ];
        let front = before(&thing[..at], &["only|just", "but only"]).unwrap_or(&thing[..at]);
        let heard = front.iter().any(|t| t.any(HEARD));
        let tail = &thing[at + n..];
        return (!tail.is_empty() && small(tail) && !heard).then(|| check(trim_signs(front))).flatten();
    }
    const IF: &[&str] = &["if there's no", "if there is no", "if there isn't|aren't any", "if", "unless"];
    let there: &[&str] = if words.first()?.is("unless") { &["is|are", "is|are already"] } else { ABSENT };
    let rest = after(words, IF)?;
    let at = (1..rest.len()).find(|at| ADD.iter().any(|phrase| starts(&rest[*at..], phrase).is_some()))?;
    let n = ADD.iter().filter_map(|phrase| starts(&rest[at..], phrase)).max()?;
    let (front, end) = (trim_signs(&rest[..at]), &rest[at + n..]);
    let no = rest.len() + 3 <= words.len();
    let is = (1..front.len()).find(|at| {
        there.iter().any(|phrase| starts(&front[*at..], phrase).is_some()) || no && front[*at].of("on in")
    })?;
    let n = there.iter().filter_map(|phrase| starts(&front[is..], phrase)).max().unwrap_or(0);
    (small(&front[is + n..]) && small(end)).then(|| check(&front[..is])).flatten()
}

/// Whether a clause asks something instead of telling what to add.
fn asks(tokens: &[Token]) -> bool {
    let words = plain(tokens);
    let Some(first) = words.first() else { return false };
    let own = first.of("i we need still also there gotta i've");
    let opens = first.of(ASKS) && !words.get(1).is_some_and(|t| t.is("to"));
    opens || own && tokens.last().is_some_and(|t| t.sign("?"))
}

/// A clause in plainer words: what is to be cancelled, made ordinary, or is no longer needed after its next time.
fn turned(tokens: &[Token]) -> Option<Vec<Token>> {
    let words = plain(tokens);
    let first = words.first()?;
    let make = |front: &str, middle: &[Token], end: &str| {
        let mut out = lex(front);
        out.extend(middle.iter().cloned());
        out.extend(lex(end));
        out.iter_mut().skip(1).for_each(|token| token.spaced = token.kind != Kind::Sign);
        out
    };
    // "Cancel the passport reminder"
    if first.of("cancel drop scrap kill ditch") {
        let told = after(&words[1..], &["the|my|that reminder for|about|to|on"]);
        let ends = words.last().is_some_and(|t| t.of("reminder todo to-do"));
        let named = ends.then(|| after(&words[1..words.len() - 1], &["the|my|that"])).flatten();
        let reminder = told.is_some() || words.last().is_some_and(|t| t.is("reminder"));
        let order = if reminder { "cancel the reminder for" } else { "delete" };
        return told.or(named).filter(|aim| (1..=5).contains(&aim.len())).map(|aim| make(order, aim, ""));
    }
    // "Calling the bank can go back to being an ordinary thing"
    if let Some(at) = words.iter().position(|t| t.of("can could may is should")).filter(|at| *at > 0) {
        const ORDINARY: &[&str] = &[
            "go back to being a|an ordinary|normal|regular|average",
            "go back to ordinary|normal|regular|average",
            "go back to ordinary|normal|regular|average priority",
            "be a|an ordinary|normal|regular|average one|thing|task|todo|job again",
            "back to being a|an ordinary|normal|regular|average",
            "back to ordinary|normal|regular|average priority",
        ];
        if after(&words[at + 1..], ORDINARY).is_some() && at <= 6 {
            return Some(make("make", &words[..at], "normal priority"));
        }
    }
    // "After tomorrow I won't have to water the plants again"
    let rest = after(
        words,
        &["after tomorrow|today|this|that", "after this|that time|week|one|round", "from next week on"],
    )?;
    let rest = if rest.first().is_some_and(|t| t.sign(",")) { &rest[1..] } else { rest };
    let rest = after(rest, &["i|we won't|don't|needn't have|need to", "i|we needn't"])?;
    let end = rest.iter().position(|t| t.of("again anymore any"))?;
    let from = rest[..end].iter().position(|t| t.of("the my our"))?;
    Some(make("stop", &rest[from..end], "from repeating"))
}

/// "Tablets 8am and 8pm daily": the same for each of the two times.
fn twice(tokens: &[Token]) -> Option<(Vec<Token>, Vec<Token>)> {
    let clock = |t: &Token| {
        let told = t.lower.strip_suffix("am").or(t.lower.strip_suffix("pm"));
        let number = told.unwrap_or(&t.lower);
        let digits = number.starts_with(|c: char| c.is_ascii_digit())
            && number.chars().all(|c| c.is_ascii_digit() || c == ':' || c == '.');
        t.kind == Kind::Word && digits && (told.is_some() || number.contains(':'))
    };
    const AGAIN: &[&str] =
        &["daily", "every", "each", "everyday", "weekly", "weekdays", "mondays", "day", "twice"];
    let and = (1..tokens.len()).find(|at| tokens[*at].of("and &") && clock(&tokens[*at - 1]))?;
    let at = usize::from(tokens.get(and + 1)?.is("at"));
    let second = tokens.get(and + 1 + at).filter(|t| clock(t))?;
    let between = and > 1 && tokens[and - 2].of("between from");
    if between || !tokens.iter().any(|t| t.any(AGAIN)) {
        return None;
    }
    let one = [&tokens[..and], &tokens[and + 2 + at..]].concat();
    let mut two = one.clone();
    two[and - 1] = second.clone();
    Some((one, two))
}

/// A repetition on the last working day of each month, which no rule here says, with the last day in its place.
fn working(tokens: &[Token]) -> Option<Vec<Token>> {
    const LAST: &[&str] = &[
        "last working|business|work day of|in", "last weekday|workday of|in", "final working|business day of",
    ];
    let at = tokens.iter().position(|t| t.of("last final"))?;
    let rest = after(&tokens[at..], LAST)?;
    Some([&tokens[..at], &["last", "day", "of"].map(Token::word), rest].concat())
}

/// "Put these under garden party: …": a list of several words, which may be none that is there, so it is asked.
fn under(tokens: &[Token]) -> Option<Vec<Token>> {
    const PUTS: &[&str] = &[
        "put|add|pop|stick|file these|this|those in|on|under|into",
        "put|add|pop|stick|file the following in|on|under|into",
    ];
    let rest = after(plain(tokens), PUTS)?;
    let colon = rest.iter().position(|t| t.sign(":")).filter(|at| (2..=4).contains(at))?;
    let name = after(&rest[..colon], &["my|the|our"]).unwrap_or(&rest[..colon]);
    let several = name.len() > 1 && name.iter().all(|t| t.kind == Kind::Word && !t.of("list lists"));
    let things = &rest[colon + 1..];
    (several && !things.is_empty()).then(|| {
        let text = text_of(name);
        let list = Token { kind: Kind::Quoted, lower: text.to_lowercase(), text, spaced: true };
        [&lex("add to the")[..], &[list], &lex("list:")[..], things].concat()
    })
}

/// The offer of the last day instead of the last working day.
fn last_day(draft: &Draft, lexicon: &Lexicon) -> Intent {
    let about = wanted(&draft.attrs, Some(lexicon.now));
    let text = format!(
        "I cannot repeat on the last working day of a month, only on its last day. Shall I add {}, {about}, instead? (yes or no)",
        quoted(&draft.title)
    );
    Intent::Confirm(text, Box::new(Intent::Add(vec![draft.clone()])))
}

/// A quoted title without the "to the things I want to read" behind it, which becomes its note.
fn unlisted(draft: Draft) -> Draft {
    let cut = draft.title.strip_prefix('"').and_then(|rest| rest.split_once('"'));
    let Some((title, tail)) = cut.filter(|(title, _)| !title.is_empty()) else { return draft };
    let tail = tail.trim();
    let place = ["to the ", "to my ", "on the ", "on my ", "onto the ", "onto my ", "to our "];
    if draft.notes.is_some() || !place.iter().any(|place| tail.starts_with(place)) {
        return draft;
    }
    let (title, notes) = (capitalised(title), Some(capitalised(tail)));
    Draft { title, notes, remarked: true, ..draft }
}

/// Takes what is no to-do out of new ones: "oh", "that was it"; it is named as not understood.
pub fn strays(clauses: &mut Vec<Clause>) {
    let mut at = 0;
    while at < clauses.len() {
        let mut strays = Vec::new();
        if let Intent::Add(drafts) = &mut clauses[at].intent
            && drafts.len() > 1
        {
            let first = drafts[0].title.clone();
            drafts.retain(|draft| {
                let stray = draft.title != first && is_stray(&draft.title);
                if stray {
                    strays.push(draft.title.clone());
                }
                !stray
            });
        }
        let found = strays.len();
        for text in strays.into_iter().rev() {
            clauses.insert(at + 1, Clause { text, intent: Intent::Unknown });
        }
        at += 1 + found;
    }
}

/// Whether a title begins as only a remark does.
fn is_stray(title: &str) -> bool {
    let tokens = lex(title);
    let quoted = title.starts_with('"');
    !quoted
        && tokens.first().is_some_and(|t| {
            t.of("oh and it it's that that's which it'd it'll they they're he she he's she's because so")
        })
}
