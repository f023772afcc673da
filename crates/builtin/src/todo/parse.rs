//! A message to commands: lines, then clauses, then each clause's meaning.
//!
//! A command is cut off only where another one plainly begins: after ";" and "then" before any command
//! verb; after "and" inside a new to-do's words only before a verb with a clear object ("and show me …",
//! "and mark it …"), so that "add call mum and complete the form" stays one to-do. Quotes protect.

use dates::days::two_ways;

use crate::todo::openings::{self, LOOK, command_starts};
use std::borrow::Cow;

use crate::lex::{Kind, Token, after, begins_with, lex, nested, starts, text_of, trim_signs};
use crate::phrases::{filler, plain, small_talk};
use crate::spelling::respelt;
use crate::text::quoted;
use crate::todo::attrs::Lexicon;
use crate::todo::closing::{self, unthanked};
use crate::todo::courtesy::plainly;
use crate::todo::intent::{Clause, Draft, Intent, Named, Target};
use crate::todo::reminder::Reminder;
use crate::todo::shown::Item;
use crate::todo::target::target;
use crate::todo::unneeded::unneeded;
use crate::todo::verbless::verbless;
use crate::todo::{
    adding, afterthought, asking, beyond, editing, extras, fields, followed, headed, joined, limits, listing,
    moving, participles, parting, plan_questions, reminding, replaced, rhythms, safeguards, several,
    statements, subtasks, suggesting, taking, wholes,
};
use crate::verbs::{ACT, may_open};
use crate::{app, memories};

/// The commands of a message, in order.
pub fn parse(text: &str, lexicon: &Lexicon) -> Vec<Clause> {
    let mut clauses = Vec::new();
    // How many to-dos the last words made: those before them may be in the same clause.
    let mut fresh = 0;
    for segment in segments(text) {
        let mut tokens = lex(segment.head);
        if tokens.len() <= LINE {
            tokens = moving::carried(plainly(safeguards::meant(tokens)), lexicon);
        }
        let parts = split(&tokens);
        let count = parts.len();
        for (at, (part, loose)) in parts.into_iter().enumerate() {
            let items: &[&str] = if at + 1 == count { &segment.items } else { &[] };
            let next = clause(part, items, lexicon);
            let beside = reminded(&mut clauses, fresh, part, lexicon)
                || afterthought::adds(part, &next.intent, &mut clauses);
            let made = |clause: &Clause| match &clause.intent {
                Intent::Add(drafts) => drafts.len(),
                _ => 0,
            };
            let before = clauses.last().map_or(0, made);
            match join(clauses.last(), &next, part, loose, lexicon) {
                _ if beside => {}
                Some(joined) => {
                    fresh = made(&joined).saturating_sub(before);
                    clauses.pop();
                    clauses.push(joined);
                }
                None => {
                    fresh = made(&next);
                    clauses.push(next);
                }
            }
        }
    }
    if let Some(drafts) = afterthought::lines(text, &clauses, lexicon) {
        let titles: Vec<String> = drafts.iter().map(|d| quoted(&d.title)).collect();
        let ask = format!("Shall I add {} as to-dos? (yes or no)", titles.join(", "));
        let intent = Intent::Confirm(ask, Box::new(Intent::Add(drafts)));
        return vec![Clause { text: text.to_owned(), intent }];
    }
    // "collect the parcel; pay the gardener": offered together.
    if let Some(offer) = suggesting::together(&clauses, lexicon) {
        return vec![Clause { text: text.to_owned(), intent: offer }];
    }
    afterthought::offers_last(&mut clauses);
    safeguards::strays(&mut clauses);
    several::reach_over(&mut clauses);
    // "Delete milk. No, wait!" takes everything back.
    if clauses.len() > 1 && clauses.iter().skip(1).any(afterthought::takes_back) {
        return vec![Clause { text: text.to_owned(), intent: Intent::Hands }];
    }
    // "No, delete it": the "no" was for what came before.
    if clauses.len() > 1 && clauses[0].intent == Intent::No {
        clauses.remove(0);
    }
    // A sentence that was not understood may have changed what follows it ("ignore that and delete …").
    if clauses.len() > 1 && clauses[0].intent == Intent::Unknown {
        let unread = clauses.remove(0);
        clauses.retain(afterthought::harmless);
        if clauses.is_empty() {
            return vec![Clause { text: text.to_owned(), intent: Intent::Unknown }];
        }
        clauses.extend(Some(unread).filter(afterthought::wishes));
    }
    // Pleasantries beside a command need no answer of their own.
    let idle = |c: &Clause| matches!(c.intent, Intent::Hello | Intent::Thanks | Intent::Yes);
    if clauses.iter().any(|c| !idle(c)) {
        clauses.retain(|c| !idle(c));
    }
    clauses
}

/// "…, remind me an hour before", "…, remind me at 9" after a new to-do: it is due then, if it has no date, and its reminder. Whether
/// that is what these words say.
fn reminded(clauses: &mut [Clause], fresh: usize, part: &[Token], lexicon: &Lexicon) -> bool {
    let drafts = match clauses.last_mut() {
        Some(Clause { intent: Intent::Add(drafts), .. }) if !drafts.is_empty() => {
            // None are where an offer became a wish by what followed it.
            let from = if fresh == 0 { 0 } else { drafts.len().saturating_sub(fresh) };
            &mut drafts[from..]
        }
        // "Mum's birthday is on friday, remind me two days before"
        Some(Clause { intent: Intent::Suggest(draft), .. }) => std::slice::from_mut(draft),
        _ => return false,
    };
    let part = unthanked(plain(part));
    if let Some(said) = reminding::reminder(part) {
        drafts.iter_mut().for_each(|draft| draft.remind = Some(said));
        return true;
    }
    let Some(said) = reminding::at(part, lexicon.now) else { return false };
    for draft in drafts {
        let dated = draft.attrs.when.is_some() || draft.attrs.repeat.is_some();
        draft.remind = Some(if dated { Reminder::At(said) } else { Reminder::Before(0) });
        if !dated {
            draft.attrs.when = Some(said);
        }
    }
    true
}

/// New to-dos one after the other are made in one call; and after ";" pieces without a verb are new
/// to-dos too ("add milk; eggs; bread").
fn join(
    last: Option<&Clause>,
    next: &Clause,
    part: &[Token],
    loose: bool,
    lexicon: &Lexicon,
) -> Option<Clause> {
    let Some(Clause { text, intent: Intent::Add(drafts) }) = last else { return None };
    let more = match &next.intent {
        Intent::Add(more) => more.clone(),
        // "… but first buy shampoo": what is added goes on.
        Intent::Suggest(more) if afterthought::goes_on(part) => vec![more.clone()],
        Intent::Unknown | Intent::Suggest(_) if loose => {
            let mut more = adding::draft(plain(part), lexicon)?;
            // "add to my groceries: milk; eggs": they go where the first one goes.
            more.attrs.list = more.attrs.list.or_else(|| drafts.first()?.attrs.list.clone());
            vec![more]
        }
        _ => return None,
    };
    let whole = !drafts.is_empty() && !more.is_empty();
    whole.then(|| Clause {
        text: format!("{text}; {}", next.text),
        intent: Intent::Add(drafts.iter().cloned().chain(more).collect()),
    })
}

/// A line with the list lines under it.
struct Segment<'t> {
    head: &'t str,
    items: Vec<&'t str>,
}

fn segments(text: &str) -> Vec<Segment<'_>> {
    let mut segments: Vec<Segment> = Vec::new();
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
        match (Item::read(line), segments.last_mut()) {
            (Some(item), Some(segment)) => segment.items.push(item.text),
            (None, Some(segment)) if segment.head.ends_with(':') => segment.items.push(line),
            (_, _) => segments.push(Segment { head: line, items: Vec::new() }),
        }
    }
    segments
}

/// Nobody gives commands in a line of more words and signs than these: it is a text that was pasted.
const LINE: usize = 600;

/// A line's clauses; with each, whether only ";" stood before it.
fn split(tokens: &[Token]) -> Vec<(&[Token], bool)> {
    // Every word may end a clause, and all before it is looked at for that.
    if tokens.len() > LINE {
        return vec![(tokens, false)];
    }
    let inner = nested(tokens);
    let mut parts = Vec::new();
    let (mut from, mut at, mut loose) = (0, 0, false);
    while at < tokens.len() {
        let current = &tokens[from..at];
        let whole = trim_signs(current).is_empty() || inner[at] || joined::idle(current);
        let cut = if whole { None } else { separator(current, &tokens[at..]) };
        match cut {
            // "Well, …" before the first command says nothing; after one, "no" takes it back.
            Some(n) if parts.is_empty() && filler(current) => {
                from = at + n;
                at = from;
            }
            Some(n) => {
                // A question stays one: "is the milk bought? add eggs".
                let asked = at + usize::from(tokens[at].sign("?"));
                parts.push((&tokens[from..asked], loose));
                loose = tokens[at].sign(";");
                from = at + n;
                at = from;
            }
            None => at += 1,
        }
    }
    if !trim_signs(&tokens[from..]).is_empty() || parts.is_empty() {
        parts.push((&tokens[from..], loose));
    }
    parts
}

/// How many tokens separate a clause from the next one, if one begins.
fn separator(current: &[Token], rest: &[Token]) -> Option<usize> {
    if let Some(n) = safeguards::aside(current, rest) {
        return Some(n);
    }
    // "… at 5pm remind me an hour before"
    const REMINDS: &str = "remind reminder notify alert alarm ping nudge with set add";
    const JOINS: &[&str] = &["then", "afterwards", "and", "but", "also", "plus", "&", "+"];
    if rest[0].kind != Kind::Sign && !rest[0].any(JOINS) && !rest[0].of(REMINDS) {
        return None;
    }
    let adding = openings::is_add(plain(current));
    // "add chores: clean the car, delete milk": what is listed behind a head are things to do.
    let listed = adding && rest[0].sign(",") && openings::opened(plain(current)).is_some_and(headed::heads);
    if listed && !rest.get(1).is_some_and(|t| t.any(JOINS)) {
        return None;
    }
    let reminds = |rest: &[Token]| {
        rest.first().is_some_and(|t| t.of(REMINDS)) && reminding::reminder(unthanked(rest)).is_some()
    };
    if adding && reminds(rest) {
        return Some(0);
    }
    if rest[0].sign(";") {
        // Notes and subtasks go on: "with subtasks: book flights; book hotel".
        let whole = || [current, rest].concat();
        let noted = adding && (extras::notes(&whole()).is_some() || extras::subtasks(current).is_some());
        let noted = noted || adding && joined::detail(plain(current), &rest[1..]);
        return (!noted || command_starts(&rest[1..], true)).then_some(1);
    }
    let mut n = 0;
    let mut weak = true;
    while let Some(token) = rest.get(n) {
        if token.sign(".") || token.sign("!") || token.sign("?") || token.of("then afterwards") {
            weak = false;
        } else if !(token.sign(",") || token.of("and but also plus & +")) {
            break;
        }
        n += 1;
    }
    // "When I leave work, remind me to …" is one sentence.
    if n == 0 || beyond::waits(plain(current), &rest[n..]) || wholes::goes_on(current, &rest[n..]) {
        return None;
    }
    if adding && reminds(&rest[n..]) {
        return Some(n);
    }
    // So is what follows the subtasks of a to-do that was told without an order.
    let parts =
        extras::subtasks(current).is_some() && !rest.iter().take(n).any(|t| t.sign(".") || t.sign("?"));
    let orders = plain(current).first().is_some_and(|t| t.of(ACT) || t.any(LOOK));
    let broken = plain(current).first().is_some_and(|t| t.of("break split divide"))
        && current.iter().any(|t| t.sign(":"));
    if !adding && weak && (parts && !orders || broken) {
        return None;
    }
    // What follows a note is in it, as far as the sentence goes; so is what somebody is to be told.
    const TELLS: &str = "tell|ask|text|email|message|write|advise|warn|urge|beg|persuade|instruct|convince";
    let tells = || after(plain(current), &[TELLS]).is_some_and(|to| !to.is_empty() && !to[0].of("me us"));
    let told = || (adding || tells()) && openings::spoken(current, &rest[n..]);
    if weak && (adding && extras::notes(current).is_some() || told()) {
        return None;
    }
    // "Add flour and remove the olive oil": a thing, then a command; "add call mum and complete the form" is one title.
    let next = plain(&rest[n..]);
    let thing = || {
        let title = openings::opened(plain(current)).and_then(|words| words.first());
        title.is_some_and(|t| t.kind == Kind::Quoted || !may_open(&t.lower))
    };
    let clear = next
        .first()
        .is_some_and(|t| t.of("remove delete complete reopen rename move postpone reschedule push"))
        && next.get(1).is_some_and(|t| t.of("the my") || t.kind == Kind::Quoted);
    if adding && weak && clear && thing() {
        return Some(n);
    }
    // "The tax return, I don't need its note" denies something of what was named.
    if !adding && !orders && weak && starts(next, "don't|doesn't need|want|have").is_some() {
        return None;
    }
    // "The rent is paid and the plants are watered" tells two things.
    let told = plain(current);
    let tells =
        || !adding && !orders && participles::both(told, &rest[n..]) || joined::reported(told, &rest[n..]);
    (command_starts(&rest[n..], adding && (weak || extras::notes(current).is_some())) || tells()).then_some(n)
}

fn clause(tokens: &[Token], items: &[&str], lexicon: &Lexicon) -> Clause {
    let (conditional, unsure) = (joined::conditional(tokens), joined::unsure(tokens));
    let mut tokens = tokens.to_vec();
    if tokens.len() <= LINE {
        tokens = joined::plainer(followed::day_last(tokens));
    }
    let tokens = tokens.as_slice();
    let listed = tokens.last().is_some_and(|t| t.sign(":")) || !items.is_empty();
    let text = text_of(plain(tokens));
    let intent = match with_items(
        safeguards::read(tokens, |words| meaning(words, lexicon), lexicon),
        items,
        listed,
        lexicon,
    ) {
        Intent::Add(drafts) if conditional => suggesting::offered(drafts, lexicon),
        intent => joined::asked_first(unsure, &text, intent),
    };
    Clause { text, intent }
}

/// Lines under a command are what it is about.
fn with_items(intent: Intent, items: &[&str], listed: bool, lexicon: &Lexicon) -> Intent {
    if items.is_empty() {
        return intent;
    }
    let named = || {
        let parts: Vec<String> = items.iter().map(|item| (*item).to_owned()).collect();
        Target::Named(Named { text: parts.join(", "), parts, ..Named::default() })
    };
    let bare = |target: &Target| match target {
        Target::Missing | Target::Them(_) => true,
        Target::Named(named) => named.text.is_empty(),
        _ => false,
    };
    match intent {
        Intent::Add(heads) if listed => {
            let mut head = heads.into_iter().next().unwrap_or_default();
            let mut drafts: Vec<Draft> =
                items.iter().filter_map(|item| adding::draft(&lex(item), lexicon)).collect();
            // "add a trip with subtasks:", and the lines are those.
            if head.parts.as_ref().is_some_and(Vec::is_empty) {
                head.parts = Some(drafts);
                return Intent::Add(vec![head]);
            }
            for draft in &mut drafts {
                draft.attrs.or(&head.attrs);
            }
            // A head with words of its own is the first of them, unless it only announces the rest.
            if !head.title.is_empty() && !adding::announces(&head.title) {
                drafts.insert(0, head);
            }
            Intent::Add(drafts)
        }
        Intent::Complete(target) if bare(&target) => Intent::Complete(named()),
        Intent::Reopen(target) if bare(&target) => Intent::Reopen(named()),
        Intent::Delete(target) if bare(&target) => Intent::Delete(named()),
        other => other,
    }
}

/// What one clause asks for; read again with its words set right when it means nothing as typed.
fn meaning(all: &[Token], lexicon: &Lexicon) -> Intent {
    let rhythm = rhythms::set_right(all, lexicon.now);
    let all = rhythm.as_deref().unwrap_or(all);
    if let Some(talk) = small_talk(all, "todo|to-do|task") {
        return talk.into();
    }
    match understood(all, lexicon) {
        Intent::Unknown => respelt(plain(all))
            .map(|tokens| understood(&tokens, lexicon))
            .filter(|intent| *intent != Intent::Unknown)
            .or_else(|| verbless(all, lexicon))
            .unwrap_or(Intent::Unknown),
        intent => intent,
    }
}

/// What the words of a clause ask for, as they stand.
pub fn understood(all: &[Token], lexicon: &Lexicon) -> Intent {
    let question = all.last().is_some_and(|t| t.sign("?"));
    let polite = closing::unreasoned(plain(all));
    let tokens = unthanked(polite);
    let intent = unlisted(all, polite, question, lexicon)
        .or_else(|| left_alone(all, tokens, question, lexicon))
        .or_else(|| beyond::event(tokens, lexicon))
        .or_else(|| beyond::arrival(tokens).then_some(Intent::say(beyond::NOWHERE)))
        .or_else(|| beyond::list(tokens, lexicon))
        .or_else(|| subtasks::subtasks(tokens, lexicon))
        .or_else(|| parting::parting(tokens, question, lexicon))
        .or_else(|| fields::taken(tokens, question, lexicon))
        .or_else(|| asking::asking(tokens, lexicon))
        .or_else(|| rhythms::switched(tokens, lexicon))
        .or_else(|| editing::editing(tokens, lexicon))
        .or_else(|| listing::listing(tokens, question, lexicon))
        .or_else(|| plan_questions::asked(tokens, question, lexicon).map(Intent::Plan))
        .or_else(|| adding::adding(tokens, lexicon))
        .or_else(|| statements::statement(tokens, question, lexicon))
        .or_else(|| match target(tokens, lexicon) {
            aim @ (Target::Places(_) | Target::Newest) => Some(Intent::Point(aim)),
            _ => None,
        })
        .or_else(|| beyond::deed(tokens, lexicon))
        .or_else(|| if question { None } else { suggesting::suggestion(tokens, lexicon) })
        .unwrap_or(Intent::Unknown);
    match wholes::asked(tokens) {
        Some(whole) => Intent::Whole(Box::new(whole), Box::new(intent)),
        None => intent,
    }
}

/// What is not about the list: a memory, the app, a deed out in the world, what nothing here can do.
fn unlisted(all: &[Token], polite: &[Token], question: bool, lexicon: &Lexicon) -> Option<Intent> {
    // Many say "remember me to" for "remind me to"; others send their regards with it.
    if let Some(draft) = after(polite, &["remember me to"]).and_then(|rest| adding::draft(rest, lexicon)) {
        return Some(Intent::Suggest(draft));
    }
    let tokens = unthanked(polite);
    memories::asked(polite)
        .map(Intent::from)
        .or_else(|| about_app(all, question).or_else(|| about_app(polite, question)).map(Intent::say))
        .or_else(|| limits::line(polite).map(Intent::say))
        // "Book a table for me" asks for the deed, so it comes before "for me" is taken for a courtesy.
        .or_else(|| beyond::for_me(polite, lexicon))
        .or_else(|| beyond::of_you(all, polite, lexicon))
        .or_else(|| beyond::searched(tokens, lexicon))
        .or_else(|| reminding::asked(tokens, lexicon))
        .or_else(|| looks_two_ways(tokens, lexicon).then_some(Intent::say(limits::TWO_WAYS)))
}

/// What is said of the app, where it is asked about.
fn about_app(tokens: &[Token], question: bool) -> Option<Cow<'static, str>> {
    app::topic(tokens, question, "todos|to-dos|tasks|list").map(|topic| match topic {
        app::Topic::Reminders => reminding::HOW.into(),
        topic => app::answer(topic, "to-dos").into(),
    })
}

/// Whether something is looked for by a date that can be two days.
fn looks_two_ways(tokens: &[Token], lexicon: &Lexicon) -> bool {
    let looks = tokens.first().is_some_and(|t| t.any(LOOK) || t.of("is am do anything find"));
    looks && tokens.iter().any(|t| two_ways(t, lexicon.now))
}

/// What is to stop, to be taken away or to be left as it is.
fn left_alone(all: &[Token], tokens: &[Token], question: bool, lexicon: &Lexicon) -> Option<Intent> {
    if let Some(stopped) = rhythms::stopped(tokens, question, lexicon) {
        return Some(stopped);
    }
    const LEAVE: &[&str] = &["leave|keep", "don't|never touch|change", "do not touch|change"];
    let taken = taking::taken(replaced::uncut(all, tokens, lexicon), question, lexicon);
    // "Leave the talk on thursday, but without a time" takes something off.
    let but = taken.is_some() && tokens.iter().any(|t| t.of("but without just"));
    if after(tokens, LEAVE).is_some() && !but {
        return Some(Intent::Hands);
    }
    taken
        .map(|taken| Intent::Lift(Box::new(taken)))
        .or_else(|| unneeded(tokens, lexicon).filter(|_| !question))
        .or_else(|| statements::undone(tokens))
        .or_else(|| if question { None } else { statements::partly(tokens) })
        .or_else(|| statements::all_but(tokens))
        .or_else(|| negated(tokens).map(forbidden))
}

/// What words behind a "don't" ask for: that nothing is done, as far as they are a command.
fn forbidden(rest: &[Token]) -> Intent {
    if rest.is_empty() || command_starts(rest, false) || openings::is_add(rest) {
        Intent::Hands
    } else {
        Intent::Unknown
    }
}

/// What follows a "don't", when the clause begins with one that forbids.
fn negated(tokens: &[Token]) -> Option<&[Token]> {
    const NOT: &[&str] = &[
        "don't|never", "do not", "please don't", "please do not", "i don't want to", "i don't want you to",
        "i do not want you to", "i do not want to", "no need to", "you don't need to", "no don't",
        "you must not", "you should not", "you shouldn't", "not", "under no circumstances", "stop",
        "wait don't",
    ];
    let rest = after(tokens, NOT)?;
    let reminder = begins_with(rest, &["forget", "let me forget", "let us forget"]);
    // "don't ever, under any circumstances, delete milk": the verb comes later.
    let verb = rest.iter().position(|t| t.of(ACT) || t.of("add create do")).unwrap_or(0);
    let stops_repeating = starts(tokens, "stop repeating|the").is_some()
        || starts(tokens, "stop").is_some() && tokens.last().is_some_and(|t| t.is("repeating"));
    (!reminder && !stops_repeating).then(|| &rest[verb..])
}
