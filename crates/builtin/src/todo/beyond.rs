//! What people ask for that is no to-do as they say it: a deed ("book me a flight"), a reminder at a place, a list
//! without to-dos. It is said that this does not happen, and the to-do that it can be is offered.

use dates::when::when;

use crate::lex::{Kind, Token, after, before, begins_with, found, longest, starts, text_of, trim_signs};
use crate::text::quoted;
use crate::todo::adding;
use crate::todo::attrs::{EVERYTHING, Lexicon, list_name};
use crate::todo::closing::unthanked;
use crate::todo::intent::{Beyond, Draft, Intent};
use crate::verbs::DOING;

/// For a reminder at a place that says nothing to be reminded of.
pub const NOWHERE: &str = "I cannot tell where you are, so I cannot remind you there. Tell me what it is about, and I can add it as a to-do.";

/// Verbs that ask somebody else when "me" follows.
const FOR_ME: &str = "make|cook|bake|draw|build|book|order|buy|get|call|phone|ring|pay|reserve|hire|email|find|fetch|bring|hail|grab|rent|arrange|organise|organize";
/// Verbs of deeds that reach outside, which are no to-do's title alone.
const OUTSIDE: &str = "turn switch lock unlock dim download google send email text message order book reserve e-mail \
         whatsapp dm sms facetime skype fax tweet navigate hail purchase wire transfer notify inform \
         reply forward translate browse rebook";
/// Verbs of deeds that are asked of the one who reads: "can you ring the dentist?"
const ASKED: &[&str] = &[
    "call", "phone", "ring", "dial", "buy", "pay", "get", "fetch", "grab", "collect", "cook", "bake", "wash",
    "drive", "print", "scan", "mail", "post", "ask", "invite", "pick", "iron", "hoover", "vacuum", "fix",
    "repair", "sell", "deliver", "drop", "return", "hire", "rent", "subscribe", "unsubscribe", "contact",
    "water", "feed", "walk",
];

/// "book me a flight to Rome", "send an email to Bob", "call mum for me": offered as a to-do.
pub fn deed(tokens: &[Token], lexicon: &Lexicon) -> Option<Intent> {
    let offered = |tokens: &[Token]| offered(tokens, lexicon);
    if let Some(n) = starts(tokens, &format!("{FOR_ME} me|us")) {
        let thing = tokens.get(n).is_some_and(|t| {
            t.of("a an some the two three tickets")
                || t.text.starts_with(|c: char| c.is_ascii_digit())
                || tokens[0].of("book reserve order hire") && !t.of("at in by for on when if to back now")
        });
        let about_todos = tokens.iter().any(|t| t.any(EVERYTHING) && !t.of("to do") || t.of("list lists"));
        // "call me at 5" is nobody's to-do here.
        return (thing && !about_todos)
            .then(|| [&tokens[..1], &tokens[n..]].concat())
            .and_then(|words| offered(&words));
    }
    // "Book club on friday" is no deed.
    const THINGS: &[&str] = &[
        "club", "fair", "report", "review", "shop", "store", "signing", "launch", "shelf", "form",
        "exchange", "group", "talk", "discussion", "meeting",
    ];
    if tokens.get(1).is_some_and(|t| t.any(THINGS)) {
        return None;
    }
    const MACHINES: &[&str] = &["ask google|siri|alexa|chatgpt|claude|gemini|cortana", "check online|google"];
    if told(tokens) || after(tokens, MACHINES).is_some() {
        return offered(tokens);
    }
    let object = tokens.get(1).is_some_and(|t| t.kind != Kind::Sign && !t.of("me us it them that is"));
    (tokens.first()?.of(OUTSIDE) && object && tokens.len() <= 15).then(|| offered(tokens)).flatten()
}

/// "let my boss know I'm late", "tell Anna that we're coming": a message to somebody.
fn told(tokens: &[Token]) -> bool {
    let short = tokens.len() <= 20;
    if starts(tokens, "let").is_some() && !tokens.get(1).is_some_and(|t| t.of("me us it go")) {
        return short && tokens.iter().take(6).any(|t| t.is("know"));
    }
    const SAID: &[&str] =
        &["that", "i'm", "i'll", "i've", "i", "we", "we're", "we'll", "about", "to", "sorry"];
    let who = tokens.get(1).is_some_and(|t| t.kind == Kind::Word && !t.of("me us you what when how"));
    short && who && starts(tokens, "tell").is_some() && tokens.iter().skip(2).take(3).any(|t| t.any(SAID))
        || short && starts(tokens, "drop|send|shoot|write").is_some() && who && {
            const NOTE: &[&str] =
                &["message", "line", "text", "email", "e-mail", "note", "mail", "postcard", "sms"];
            tokens.iter().skip(2).take(4).any(|t| t.any(NOTE))
        }
}

/// "find me the cheapest flight", "look up how long it takes": what is not in the list.
pub fn searched(tokens: &[Token], lexicon: &Lexicon) -> Option<Intent> {
    const OUT: &[&str] = &[
        "find|get me|us the cheapest|best|nearest|closest|quickest|fastest|shortest|number|address|directions",
        "find|get me|us a|an|some good|nice|cheap|decent",
        "find me|us a|an|some|flights|tickets|hotels",
        "find the cheapest|best|nearest|closest|quickest|fastest",
        "find out",
        "look up how|when|where|what|who|why|whether|if|flights|trains|directions",
        "look up the number|address|opening|price|weather|way|times|train|bus|best|nearest|recipe",
        "search the web|internet|net",
        "search|look online|google",
        "check the weather|traffic|news|price|prices|forecast|train|bus|opening",
        "check if|whether the shop|shops|store|pharmacy|train|bus|restaurant|library",
        "get me|us a|an taxi|cab|uber|lift|ride|table|appointment|ticket|quote",
        "give me|us directions|the directions|weather|news|number",
        "show me|us directions|the way|weather|news|fastest|quickest",
    ];
    let about =
        tokens.iter().any(|t| t.of("todo todos to-do to-dos task tasks list overdue priority note notes"));
    if after(tokens, OUT).is_none() || about || tokens.len() > 20 {
        return None;
    }
    let for_whom = tokens[1].of("me us");
    let words = if for_whom { [&tokens[..1], &tokens[2..]].concat() } else { tokens.to_vec() };
    offered(&words, lexicon)
}

/// "can you ring the dentist and make an appointment": asked of the one who reads.
pub fn of_you(all: &[Token], polite: &[Token], lexicon: &Lexicon) -> Option<Intent> {
    let lead = all.len().checked_sub(polite.len())?;
    let you = all.get(..lead)?.windows(2).any(|pair| pair[0].of("can could will would") && pair[1].is("you"));
    let polite = unthanked(polite);
    let verb = polite.first()?;
    let object = polite.get(1).is_some_and(|t| t.kind != Kind::Sign && !t.of("it that them rid back"));
    // "Can you get me the list" and "drop the gym" are done here.
    let here =
        polite.iter().any(|t| t.of("list lists todo todos to-do to-dos task tasks everything overdue done"));
    let verb = verb.any(ASKED) && !verb.of("drop return fix pick") || verb.of(OUTSIDE) || told(polite);
    let pick = polite[0].of("pick") && polite.get(1).is_some_and(|t| t.is("up"));
    if !(you && (verb || pick) && object && !here && polite.len() <= 24) {
        return None;
    }
    deed(polite, lexicon).or_else(|| offered(polite, lexicon))
}

/// "call mum for me"; "add a call for me" is no such thing.
pub fn for_me(tokens: &[Token], lexicon: &Lexicon) -> Option<Intent> {
    let tokens = trim_signs(tokens);
    let end = || before(tokens, &["for me|us", "on my behalf", "for me|us please"]).map(<[Token]>::to_vec);
    // "phone the plumber for me tomorrow"
    let within = || {
        let at = (1..tokens.len()).find(|at| starts(&tokens[*at..], "for me|us").is_some())?;
        let rest = &tokens[at + 2..];
        let goes_on = rest
            .first()
            .is_some_and(|t| t.of("and to so at on by before in from with when as") || t.sign(","));
        (goes_on || when(rest, lexicon.now).is_some()).then(|| [&tokens[..at], &tokens[at + 2..]].concat())
    };
    let rest = &end().or_else(within)?;
    // "find milk for me" is what is done here.
    let deed = rest.first().is_some_and(|t| t.of(OUTSIDE) || t.any(ASKED) && !t.of("get pick drop"));
    (deed && rest.len() > 1).then(|| offered(rest, lexicon)).flatten()
}

fn offered(tokens: &[Token], lexicon: &Lexicon) -> Option<Intent> {
    let draft = adding::draft(tokens, lexicon)?;
    Some(Intent::Suggest(Draft { beyond: Some(Beyond::Deed), ..draft }))
}

/// Words that ask to be reminded.
const REMIND: &[&str] = &[
    "remind|tell|notify|alert|ping|nudge|prompt|poke|buzz|warn me",
    "don't let me forget",
    "give me a nudge|shout|ping|reminder|poke|buzz",
    "send me a reminder|nudge|notification|alert",
    "i need|want a reminder|nudge",
    "i need|want to be reminded",
    "i need reminding",
    "make sure i remember",
    "please remind|nudge|ping|alert me",
    "can|could you remind|nudge|ping|alert me",
    "can|could you please remind me",
];
/// Words that begin what must come about first.
const ONCE: &str = "when|once|whenever|if";
/// The same in several words.
const ONCE_LONG: &[&str] = &[
    "as soon as", "the minute|moment|second|instant", "next time", "the next time", "every time",
    "on my|the way", "while",
];

/// How many tokens open an event: "when", "as soon as".
fn once(tokens: &[Token]) -> Option<usize> {
    let long = longest(tokens, ONCE_LONG);
    starts(tokens, ONCE).or(long)
}

/// Whether an event is that the person is somewhere.
fn somewhere(event: &[Token]) -> bool {
    const PLACE: &[&str] = &[
        "get", "arrive", "reach", "leave", "am", "are", "come", "pass", "go", "enter", "drive", "walk",
        "return", "near", "visit", "back",
    ];
    let event = after(event, &["i|we", "i|we next|finally|just"])
        .map_or_else(|| event.first().filter(|t| t.of("i'm we're")).map(|_| &event[1..]), Some);
    const LITTLE: &[&str] = &["next|finally|just|back|over|actually|already|out|down|up"];
    let event = event.map(|rest| after(rest, LITTLE).filter(|more| !more.is_empty()).unwrap_or(rest));
    let whole = |rest: &[Token]| rest.first().is_some_and(|t| t.any(PLACE) || t.of("at in home there on"));
    event.is_some_and(whole)
}

/// "ping me when I arrive at work": at a place, of nothing.
pub fn arrival(tokens: &[Token]) -> bool {
    let event = after(trim_signs(tokens), REMIND).and_then(|rest| Some(&rest[once(rest)?..]));
    event.is_some_and(somewhere)
}

/// "remind me when I get home to feed the cat", in any order.
pub fn event(tokens: &[Token], lexicon: &Lexicon) -> Option<Intent> {
    let (event, deed) = if let Some(rest) = after(tokens, REMIND) {
        // "at the office to print the ticket"
        let place =
            starts(rest, "at|in|near the|my|work|school|home|university|church|uni|tesco|lidl|aldi|ikea")
                .or_else(|| starts(rest, "on my|the way"))
                .filter(|_| when(rest, lexicon.now).is_none())
                .and_then(|_| (2..rest.len().min(7)).find(|at| rest[*at].is("to")));
        if let Some(draft) = place.and_then(|at| adding::draft(&rest[at + 1..], lexicon)) {
            return Some(no_place(draft, true));
        }
        match once(rest).or_else(|| starts(rest, "after|before")) {
            // "after 5pm", "before friday" is a date.
            Some(_) if when(rest, lexicon.now).is_some() => return None,
            Some(n) => {
                let rest = &rest[n..];
                let mut to = (1..rest.len()).filter(|at| rest[*at].is("to"));
                let verb = to.clone().find(|at| rest.get(at + 1).is_some_and(|t| t.any(DOING)));
                let at = verb.or_else(|| to.next_back())?;
                (&rest[..at], &rest[at + 1..])
            }
            None => {
                let rest = after(rest, &["to", "about", "of"])?;
                let at = (1..rest.len()).find(|at| {
                    once(&rest[*at..]).is_some_and(|n| somewhere(&rest[at + n..]))
                        || rest[*at..].len() > 3 && starts(&rest[*at..], "as soon as").is_some()
                })?;
                (&rest[at + once(&rest[at..])?..], &rest[..at])
            }
        }
    } else {
        let rest = &tokens[once(tokens)?..];
        let remind = found(rest, 1..rest.len(), REMIND)?;
        let deed = &rest[remind.end..];
        (&rest[..remind.start], after(deed, &["to", "about", "of"]).unwrap_or(deed))
    };
    let draft = adding::draft(deed, lexicon)?;
    Some(no_place(draft, somewhere(trim_signs(event))))
}

/// Offers what was to be reminded of at a place or at an event.
fn no_place(draft: Draft, place: bool) -> Intent {
    let why = if place {
        "I cannot tell where you are, so I cannot remind you there."
    } else {
        "I cannot tell when that is, so I cannot remind you then."
    };
    let ask = format!("{why} Shall I add {} as a to-do all the same? (yes or no)", quoted(&draft.title));
    Intent::Confirm(ask, Box::new(Intent::Add(vec![draft])))
}

/// Whether a clause waits for something that is to be told in the next one: "when I leave work", "remind me …".
pub fn waits(tokens: &[Token], next: &[Token]) -> bool {
    let asks = begins_with(next, REMIND);
    asks && once(tokens).is_some_and(|n| tokens.len() > n)
}

/// "create a list called Work", "add "Groceries" list", "start a packing list".
pub fn list(tokens: &[Token], lexicon: &Lexicon) -> Option<Intent> {
    let verb = starts(tokens, "create|make|add|start|new").or_else(|| starts(tokens, "set up"))?;
    let plain = tokens[0].is("add");
    let rest = &tokens[verb..];
    let article =
        longest(rest, &["a|an|another|the|my|one", "me a|an|another", "a|another new", "new", "me a new"])
            .unwrap_or(0);
    let rest = &rest[article..];
    let at = rest.iter().position(|t| t.is("list")).filter(|at| *at <= 3)?;
    let (words, tail) = (&rest[..at], trim_signs(&rest[at + 1..]));
    // "a packing list with socks and shirts": the to-dos that make it one.
    if let Some(with) = tail.iter().position(|t| t.of("with containing including") || t.sign(":"))
        && with + 1 < tail.len()
        && let Some(Intent::NewList(name)) =
            list(&[&tokens[..verb + article + at + 1], &tail[..with]].concat(), lexicon)
        && !name.is_empty()
    {
        let mut drafts = adding::enumerated(&tail[with + 1..], lexicon);
        drafts.iter_mut().for_each(|draft| draft.attrs.list = Some(name.clone()));
        return Some(Intent::Add(drafts));
    }
    // "add milk to my list", "add a list of names".
    if words.iter().any(|t| t.of("to in on for of my and todo") || t.kind == Kind::Sign) {
        return None;
    }
    let called = after(tail, &["called|named", "titled", "for", "with the name"]);
    let name = match (words, tail) {
        ([], tail) => called.unwrap_or(tail),
        (words, []) => words,
        (words, _) if words.iter().all(|t| t.any(EVERYTHING)) => called?,
        _ => return None,
    };
    let name = after(name, &["the|my|our"]).unwrap_or(name);
    // "make a list of names" is something to do; a lone word needs a capital, or "called" before it.
    let bare = words.is_empty() && called.is_none();
    let said = !bare
        || name.first().is_none_or(|t| t.kind == Kind::Quoted || t.text.starts_with(char::is_uppercase));
    let quoted = name.iter().all(|t| t.kind == Kind::Quoted);
    let short = name.len() <= 4 && !name.iter().any(|t| t.kind == Kind::Sign);
    if !said || !short || plain && article == 0 && !quoted && called.is_none() {
        return None;
    }
    let everything = name.iter().all(|t| t.any(EVERYTHING));
    Some(Intent::NewList(if everything { String::new() } else { list_name(&text_of(name), lexicon) }))
}
