//! Questions about what is there, in any words: whether something was put down, when it is due, how much of it there is.
//! They are read over a whole message, where the rules made nothing of it or took its small words for a title.

use crate::lex::{Kind, Token, after, before, begins_with, lex, starts, text_of, trim_signs};
use crate::todo::answer::numbered;
use crate::todo::attrs::Lexicon;
use crate::todo::filter::filter;
use crate::todo::intent::{Asked, Clause, Filter, Intent, Target};
use crate::todo::linking::{link, telling};
use crate::todo::noticing::{one, there, thing};
use crate::todo::plan::{Run, Step};
use crate::todo::readings::Plan;
use crate::todo::rows::Todo;
use crate::todo::{agenda, before_after, parse, plan_questions, planning, recalling};

/// A question over a whole message, where its clauses were not read as something else.
pub fn read(text: &str, clauses: &[Clause], lexicon: &Lexicon) -> Option<Intent> {
    let open = clauses.iter().map(openness).max()?;
    if text.trim().contains('\n') || open == Openness::Settled {
        return None;
    }
    let tokens = lex(text);
    let marked = tokens.last().is_some_and(|t| t.sign("?"));
    let all = trim_signs(&tokens);
    let tokens = asking(all);
    if !(2..=30).contains(&tokens.len()) {
        return None;
    }
    // "And the second one I gave you?"
    let which: Vec<Token>;
    let recalled = match tokens[0].is("the") && marked {
        true => {
            which = std::iter::once(Token::word("what")).chain(tokens.iter().cloned()).collect();
            &which
        }
        false => tokens,
    };
    let mut found = before_after::asked(recalled).or_else(|| recalling::asked(recalled));
    if open >= Openness::Doubted {
        let plan = || plan_questions::asked(all, marked, lexicon).or_else(|| moody(all, lexicon));
        found = found.or_else(|| plan().map(Intent::Plan));
    }
    if open >= Openness::Asked {
        found = found
            .or_else(|| waits(tokens, lexicon))
            .or_else(|| half(tokens, lexicon))
            .or_else(|| there(tokens, marked, lexicon));
    }
    if open >= Openness::Unread {
        found = found
            .or_else(|| due(tokens, marked, lexicon))
            .or_else(|| amount(tokens, lexicon))
            .or_else(|| plan_questions::loosely(all, marked, lexicon).map(Intent::Plan));
    }
    found.or_else(|| offered_question(clauses, tokens).then_some(Intent::Unknown))
}

/// "How many are there in Groceries, and what's the first one?": the first one of those.
pub fn narrowed(clauses: &mut Vec<Clause>) {
    // "Which have no date, and how many are there?": the list is told with its number.
    let bare = Intent::List { filter: Filter::default(), count: true };
    if let [Clause { intent: Intent::List { .. }, .. }, Clause { intent, .. }] = clauses.as_slice()
        && *intent == bare
    {
        clauses.pop();
    }
    for at in 1..clauses.len() {
        let (before, after) = clauses.split_at_mut(at);
        if let (
            Some(Clause { intent: Intent::List { filter: said, count: true }, .. }),
            Intent::List { filter, .. },
        ) = (before.last(), &mut after[0].intent)
            && filter.whole
            && !said.whole
        {
            *filter = Filter { last: filter.last, limit: filter.limit, whole: true, ..said.clone() };
        }
    }
}

/// How far the reading of a clause leaves another one open.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Openness {
    /// It was read.
    Settled,
    /// It counts something, which may be what was done here.
    Counted,
    /// Its words were taken for a title, or for one thing that is done.
    Doubted,
    /// It asks about one thing, whose name may have taken in too much.
    Asked,
    /// Nothing was made of it.
    Unread,
}

/// How open the reading of a clause is.
fn openness(clause: &Clause) -> Openness {
    match &clause.intent {
        // "Remind me, when is the dentist" asks; a title may begin with "what" where it is to be added.
        Intent::Add(drafts) if drafts.len() == 1 && wants_to_know(&clause.text) => Openness::Unread,
        Intent::Unknown | Intent::Suggest(_) => Openness::Unread,
        // "Give me my top 3" gives nothing to a to-do.
        Intent::Change(..) if starts(&lex(&clause.text), "give me|us").is_some() => Openness::Doubted,
        Intent::Check(..) => Openness::Asked,
        Intent::Confirm(..)
        | Intent::Told(..)
        | Intent::Offer(..)
        | Intent::Drop(_)
        | Intent::Complete(Target::Named(_)) => Openness::Doubted,
        Intent::List { filter, .. } if filter.text.is_some() => Openness::Doubted,
        Intent::Count(..) | Intent::Recall(_) | Intent::History(_) => Openness::Counted,
        _ => Openness::Settled,
    }
}

/// A plan asked for beside words of a mood: "I'm completely snowed under, what would you do?"
fn moody(tokens: &[Token], lexicon: &Lexicon) -> Option<Plan> {
    const MOOD: &str = "i i'm i've i'd i'll we we're we've it's it there's my so too got ugh help please everything \
         everything's this that's today work having feeling feel not no can't ok okay right hey hi hello \
         thanks sorry omg argh oh well";
    let parts: Vec<&[Token]> =
        tokens.split(|t| t.kind == Kind::Sign).filter(|part| !part.is_empty()).collect();
    if !(2..=4).contains(&parts.len()) {
        return None;
    }
    let plan = |part: &&[Token]| plan_questions::asked(part, part.len() > 2 && part[0].any(ASKS), lexicon);
    let at = (0..parts.len()).rev().find(|at| plan(&parts[*at]).is_some())?;
    let mood = |part: &[Token]| {
        part[0].of(MOOD) && !part.iter().any(|t| t.of("add remind delete move done finished bought"))
    };
    let others = parts.iter().enumerate().all(|(nth, part)| nth == at || mood(part));
    others.then(|| plan(&parts[at])).flatten()
}

/// "Did I finish the report or is it still open?": the first half asks it all.
fn half(tokens: &[Token], lexicon: &Lexicon) -> Option<Intent> {
    let first = one(tokens);
    let rest = tokens.get(first.len()..)?;
    let or = starts(rest, "or").is_some() || rest.get(1).is_some_and(|t| t.is("or"));
    if !or || first.len() < 2 {
        return None;
    }
    let clauses = parse::parse(&format!("{}?", text_of(first)), lexicon);
    match clauses.as_slice() {
        [Clause { intent: intent @ Intent::Check(..), .. }] => Some(intent.clone()),
        _ => None,
    }
}

/// What a question begins with.
const ASKS: &[&str] = &[
    "what", "what's", "which", "when", "when's", "where", "where's", "who", "who's", "how", "how's", "why",
    "is", "are", "was", "were", "do", "does", "did", "has", "have", "am", "any", "anything",
];

/// Whether a question was taken for a to-do to be offered.
fn offered_question(clauses: &[Clause], tokens: &[Token]) -> bool {
    const OPEN: &[&str] = &[
        "do|did|have|am|should|can|could|will|shall i|we",
        "is|are|was|were there|it|that|my|the|any",
        "when|where|why|how|what|which|who is|are|was|were|do|does|did|am|should|can|could|will|would|has|have",
        "what's|when's|where's|how's|who's",
        "how many|much|long|soon|often|far",
    ];
    matches!(clauses, [Clause { intent: Intent::Suggest(_), .. }]) && begins_with(tokens, OPEN)
}

/// "can the passport wait until december?": by when it has to be done.
fn waits(tokens: &[Token], lexicon: &Lexicon) -> Option<Intent> {
    const OPEN: &[&str] = &[
        "can|could|may|might|will|would|does|do",
        "is it ok|okay|fine|safe|alright|bad to leave|postpone|skip|delay|ignore",
        "is it ok|okay|fine|safe|alright|bad if i leave|postpone|skip|delay|ignore",
        "can|could|should i|we safely|just leave|postpone|skip|delay|ignore",
        "do i|we really|still need|have to do",
    ];
    const WAIT: &[&str] = &[
        "wait",
        "be left|postponed|delayed|skipped|ignored|pushed",
        "be put|pushed off|back",
        "hang on",
        "hold",
        "have|need to be done|finished|ready|sorted|paid",
        "need doing|finishing|sorting|paying",
    ];
    let rest = after(tokens, OPEN)?;
    let end = (1..rest.len()).find(|at| begins_with(&rest[*at..], WAIT));
    let open = tokens[0].is("is") || tokens.get(1).is_some_and(|t| t.of("i we"));
    let until = || (1..rest.len()).find(|at| rest[*at].of("until till to for")).unwrap_or(rest.len());
    let aim = match end {
        Some(end) => &rest[..end],
        None if open => &rest[..until()],
        None => return None,
    };
    thing(aim, lexicon).map(|named| Intent::Check(named, Asked::When))
}

/// Whether words that were read as a reminder ask for something: "remind me, when is the dentist".
fn wants_to_know(text: &str) -> bool {
    let tokens = lex(text);
    let rest = after(&tokens, &["remind me", "please remind me", "can|could you remind me"]);
    let rest = rest.map(trim_signs).unwrap_or_default();
    const VERB: &[&str] =
        &["is", "are", "was", "were", "do", "does", "did", "am", "have", "has", "must", "should"];
    let first = rest.first().is_some_and(|t| t.of("when what which how where who when's what's"));
    let short = rest.first().is_some_and(|t| t.of("when's what's"));
    first && (short || rest.iter().skip(1).take(2).any(|t| t.any(VERB)))
}

/// What people say before they ask.
const LEAD: &[&str] = &[
    "sorry",
    "um|uh|erm|hmm|hm|oh|ah|ok|okay|so|well|and|but|hey|hi|hello|wait|please|quick|actually|anyway",
    "hang|hold on",
    "quick|one|just a|another|more question",
    "just wondering|checking|asking|curious",
    "just to check|be sure|confirm",
    "by the way",
    "btw",
    "remind|tell me",
    "can|could|would|will you tell|remind me",
    "can|could you please tell|remind me",
    "please tell|remind me",
    "do you know|remember|recall",
    "any idea",
    "i can't|cannot|don't remember|recall|think",
    "i forget|forgot",
    "i've forgotten",
    "i'm|i am not|no longer sure|certain",
    "not sure",
    "i wonder|wonder",
    "i was|am wondering",
    "i'm wondering",
    "i'd|we'd like to know",
    "i want|need to know",
    "let me know",
    "can|could you check|see|look|confirm|say",
    "check|see|look|confirm",
    "double check|checking",
    "double-check",
    "have a look",
];

/// Without what is only said before the question; "if it is" stays as it is.
fn asking(mut tokens: &[Token]) -> &[Token] {
    for _ in 0..4 {
        let rest = match after(tokens, LEAD) {
            Some(rest) => trim_signs(rest),
            None => break,
        };
        if rest.len() < 2 {
            break;
        }
        tokens = rest;
    }
    tokens
}

/// "whens my tax thing due", "the passport, when is that?"
fn due(tokens: &[Token], marked: bool, lexicon: &Lexicon) -> Option<Intent> {
    const WHEN: &[&str] = &[
        "when is|are|was|were|does|do|did|will|must|should|have|has",
        "when's",
        "when do|did|should|must|can|am|will|have i|we",
        "when do i|we have|need|want to",
        "when am i|we supposed|meant|due to",
        "when's the|my deadline|date for|of|on",
        "what|which day|date|time is|are|was|does|do|did",
        "what|which day|date|time do|did|should|am i|we",
        "what day's|time's",
        "what's the deadline|date|day|due for|of|on|with",
        "what's the due date|day for|of|on|with",
        "what's due date of|for",
        "by when is|are|does|do|must|should|has|have",
        "by when do|must|should i|we",
        "by when do i|we have|need to",
        "due date|day for|of|on",
        "deadline for|of|on",
        "date for|of",
        "until when do|can|have i|we",
        "when",
    ];
    const TAIL: &[&str] = &[
        "due|happening|on|for|at|by|again|planned|scheduled|meant|supposed|needed|happen|expire|expires|next|coming|then|now|up|in",
        "due again|exactly|then|by|now|for|next|date",
        "supposed|meant to be|happen|be",
        "supposed|meant to be done|finished",
        "have|has|need|needs to be done|finished|in|ready|paid|sent",
        "due to be done|finished",
        "be done|finished by",
        "get done",
        "scheduled|planned|set|down for",
        "at the latest",
        "need|needs doing|finishing|sorting|paying|handing|renewing|ready",
        "need|needs doing|finishing by",
        "need|needs to happen|go",
        "coming up",
        "that",
        "next time",
    ];
    const BACK: &[&str] = &[
        "when", "when is it|that|this", "when's it|that|this", "when is it|that|this due",
        "when's it|that|this due", "due when", "is due when", "by when", "when again", "what day",
        "which day", "until when",
    ];
    const MARKED: &[&str] = &["deadline", "due date", "date"];
    let tokens = one(tokens);
    let (aim, behind) = match after(tokens, WHEN) {
        Some(rest) => (rest, false),
        None => (before(tokens, BACK).or_else(|| before(tokens, MARKED).filter(|_| marked))?, true),
    };
    let mut aim = trim_signs(aim);
    while let Some(rest) = before(aim, TAIL).filter(|rest| !rest.is_empty()) {
        aim = trim_signs(rest);
    }
    // "When I get home, remind me": an event, no question. So is what has a command in it.
    let event = starts(tokens, "when i|we|i'm|we're|you").is_some();
    let orders = aim.iter().any(|t| t.of("remind add tell then"));
    let long = aim.len() > if behind { 4 } else { 8 };
    if event || orders || long || aim.iter().any(|t| t.kind == Kind::Sign && !t.sign(",")) {
        return None;
    }
    thing(aim, lexicon).map(|named| Intent::Check(named, Asked::When))
}

/// "how much shopping is left", "how many errands have I got": by a list, a tag or words.
fn amount(tokens: &[Token], lexicon: &Lexicon) -> Option<Intent> {
    const MANY: &[&str] = &[
        "how many|much", "how many|much of my|the|our", "how many more", "what's the number|count of",
        "number|count of", "count my|the|our|all", "count",
    ];
    const END: &[&str] = &[
        "is|are left|there|open|outstanding|remaining|due|pending",
        "is|are still left|there|open|outstanding|remaining|due|pending",
        "is|are there left|still|to do",
        "is|are left to do|get|buy",
        "do|have i|we have|got",
        "do|have i|we have|got left|on|to do|open|planned|there",
        "do|have i|we still have|got",
        "have i|we got to do|get|buy",
        "do i|we still have to do|get|buy",
        "do i|we have|need to do|get|buy",
        "do i|we need",
        "left|there|remaining|open",
        "still to do|get|buy|go",
        "to do|go|get|buy",
        "is|are still to|left|there to do|get|buy",
        "is|are to do|get|buy",
        "are on|in there|here",
        "is|are on my|the|our list",
        "on my|the|our list",
        "do i|we have on my|the|our list",
    ];
    let mut name = trim_signs(after(tokens, MANY)?);
    while let Some(rest) = before(name, END).filter(|rest| !rest.is_empty()) {
        name = trim_signs(rest);
    }
    while let Some(rest) = before(name, &["things|todos|tasks|to-dos|stuff|items|jobs|bits|ones"])
        .filter(|rest| !rest.is_empty())
    {
        name = trim_signs(rest);
    }
    let (found, left) = filter(name, lexicon);
    let left: Vec<Token> = left.into_iter().filter(|t| t.kind != Kind::Sign).collect();
    if left.is_empty() {
        return Some(Intent::List { filter: found, count: true });
    }
    const NOT: &[&str] = &[
        "did", "does", "you", "times", "days", "hours", "people", "given", "added", "have", "is", "are",
        "not", "don't",
    ];
    let fits = left.len() <= 2 && !left.iter().any(|t| t.any(NOT));
    let known = Filter { status: found.status, ..Filter::default() } == found;
    (fits && known).then(|| Intent::Count(text_of(&left), Filter::default()))
}

/// Answers a question that names nothing known: what is known instead.
pub fn unknown(run: &mut Run, text: &str) -> Step<bool> {
    let tokens = lex(text);
    let asked = run.question.ends_with(text.trim_end_matches('?'));
    let first = asking(trim_signs(&tokens)).first().is_some_and(|t| t.any(ASKS));
    // "Do the slides", "have a look": what can be an order needs its sign.
    let order = tokens.first().is_some_and(|t| t.of("do have is are any was were"));
    if !first
        || order && !asked
        || tokens.len() < 3
        || !tokens.iter().any(telling)
        || run.now.is_none()
        || !run.offers("todo_list")
    {
        return Ok(false);
    }
    let now = run.now;
    let mut todos: Vec<Todo> = run.look()?.into_iter().filter(|todo| !todo.done).collect();
    if todos.is_empty() {
        return Ok(false);
    }
    let near: Vec<Todo> = link(&tokens, &todos, true).into_iter().map(|link| link.todo).take(5).collect();
    if !near.is_empty() {
        run.run.said.push(format!("This is what I have that may be meant:\n\n{}", numbered(&near, now)));
        return Ok(true);
    }
    agenda::wholes(&mut todos);
    order::sort_by_key(&mut todos, |todo| planning::rank(todo, now));
    todos.truncate(5);
    let text = format!(
        "I only know your to-dos, and that I did not find in them. These come first there:\n\n{}\n\nSay “help” for what I understand.",
        numbered(&todos, now)
    );
    run.run.said.push(text);
    Ok(true)
}
