//! Sentences that tell how things are: "milk is done", "I called mum", "the report isn't finished".

use dates::when::when;

use crate::lex::{
    Kind, Token, after, before, begins_with, exactly, found, starts, text_of, title, trim_signs,
};
use crate::todo::attrs::{Attrs, Lexicon, peel, peel_whole};
use crate::todo::evening;
use crate::todo::intent::{Draft, Intent, Named, Patch, Target, patch};
use crate::todo::moving::{in_month, peel_new, putting_off};
use crate::todo::participles::{self, without_time};
use crate::todo::target::target;
use crate::todo::urgency::level;
use crate::verbs::{ACT, DOING, stem};

/// "All done except the bread" tells of all the others.
pub fn all_but(tokens: &[Token]) -> Option<Intent> {
    const SAY: &str =
        "I changed nothing. Say “complete everything except …”, and I mark all the others as done.";
    const ALL: &[&str] =
        &["all|everything|everything's", "all|everything is|are|has|got", "it's all", "i did everything"];
    let rest = ALL.iter().filter_map(|phrase| after(tokens, &[phrase])).next_back()?;
    let rest = after(rest, &["done|finished|completed|complete|bought"])?;
    after(trim_signs(rest), &["except|but|besides|bar", "except|apart from|for", "other than"])
        .map(|_| Intent::say(SAY))
}

/// "The slides are 80% done" tells that they are not.
pub fn partly(tokens: &[Token]) -> Option<Intent> {
    const OPEN: &str = "What is done in part stays open. Tell me when all of it is done.";
    let text = text_of(tokens).to_lowercase().replace(" %", "%").replace(" percent", "%");
    let share = text.split_whitespace().zip(text.split_whitespace().skip(1)).find_map(|(share, done)| {
        let done = done.trim_matches(|c: char| !c.is_alphanumeric());
        let number = order::decimal(share.strip_suffix('%')?)?;
        ["done", "finished", "complete", "completed", "ready", "through"].contains(&done).then_some(number)
    })?;
    (share < 100.0).then_some(Intent::say(OPEN))
}

/// "Oops, not done yet" is said of what was just marked as done.
pub fn undone(tokens: &[Token]) -> Option<Intent> {
    let rest = after(tokens, &["not done|finished|completed|complete"])?;
    let whole = rest.is_empty() || starts(rest, "yet|either|actually|though") == Some(rest.len());
    whole.then_some(Intent::Reopen(Target::It))
}

/// "milk is done", "it's urgent", "the report is due friday", "milk isn't done yet".
pub fn statement(tokens: &[Token], question: bool, lexicon: &Lexicon) -> Option<Intent> {
    if question {
        return None;
    }
    // "the report's done": what stands before the apostrophe is what it is about.
    let split = tokens.iter().position(|t| {
        t.kind == Kind::Word && t.lower.ends_with("'s") && !t.of("it's that's what's let's today's")
    });
    if let Some(at) = split
        && tokens.get(at + 1).is_some_and(|t| t.of("done finished completed open urgent not"))
    {
        let mut apart = tokens.to_vec();
        let token = &mut apart[at];
        token.lower.truncate(token.lower.len() - 2);
        token.text =
            token.text.trim_end_matches(['s', 'S']).trim_end_matches(['\'', '’', 'ʼ', '‘']).to_owned();
        let is = Token::word("is");
        apart.insert(at + 1, is);
        return statement(&apart, false, lexicon);
    }
    if let Some(waits) = waits(tokens, lexicon).or_else(|| planned(tokens, lexicon)) {
        return Some(waits);
    }
    if let Some(told) = told(tokens, lexicon).or_else(|| participles::told(tokens, lexicon)) {
        return Some(told);
    }
    let is = tokens.iter().position(|t| t.of("is are isn't aren't should it's that's was has"));
    let Some(is) = is else { return ticked(tokens, lexicon) };
    let verb = &tokens[is];
    let aim = if verb.of("it's that's") { &tokens[..=is] } else { &tokens[..is] };
    // "the priority of call mum is low": what it is about is the to-do.
    let owned = after(aim, &["the priority of|for", "priority of|for", "the importance of"]);
    let aim = owned.unwrap_or(aim);
    let aim_target = if verb.of("it's that's") && is == 0 { Target::It } else { target(aim, lexicon) };
    let rest = &tokens[is + 1..];
    let rest = after(rest, &["now", "already", "been", "be", "still", "all"]).unwrap_or(rest);
    let rest = before(rest, &["yet", "now", "already"]).unwrap_or(rest);
    let rest = after(rest, &["both"]).unwrap_or(rest);
    if matches!(aim_target, Target::Missing) || rest.is_empty() {
        return None;
    }
    let whole = |phrases: &[&str]| exactly(rest, phrases);
    let not = verb.of("isn't aren't") || rest[0].is("not");
    let done = whole(&["done", "complete", "completed", "finished", "not done|complete|completed|finished"]);
    // What should be done is not.
    let should = verb.is("should");
    if done && !should {
        return Some(if not { Intent::Reopen(aim_target) } else { Intent::Complete(aim_target) });
    }
    if not {
        return None;
    }
    if whole(&["less|more urgent|important|pressing"]) {
        let step = if rest[0].is("less") { -1 } else { 1 };
        return Some(Intent::change(aim_target, Patch { step, ..Patch::default() }));
    }
    if let Some(attrs) = after(rest, &["due in|by"]).and_then(|rest| in_month(rest, lexicon)) {
        return Some(Intent::change(aim_target, patch(attrs)));
    }
    if whole(&["open", "open again", "undone"]) {
        return Some(Intent::Reopen(aim_target));
    }
    if let Some(word) = rest
        .first()
        .and_then(|t| level(&t.lower))
        .filter(|_| rest.len() == 1 || rest.get(1).is_some_and(|t| t.is("priority")) && rest.len() == 2)
    {
        return Some(Intent::change(aim_target, Patch { priority: Some(word), ..Patch::default() }));
    }
    let rest = if should { after(rest, &["done|finished|completed|ready"]).unwrap_or(rest) } else { rest };
    let (left, attrs) = peel(rest, lexicon);
    // "the report's deadline is friday"
    const DATE: &[&str] = &["deadline", "due date", "date"];
    if left.is_empty() && attrs.when.is_some() && before(aim, DATE).is_some_and(|of| !of.is_empty()) {
        return Some(Intent::change(aim_target, patch(attrs)));
    }
    // "mum's birthday is on december 12th": told, and no to-do yet.
    if left.is_empty()
        && verb.of("is are")
        && starts(rest, "due").is_none()
        && attrs == (Attrs { when: attrs.when, ..Attrs::default() })
        && attrs.when.is_some_and(|when| when.date.is_some())
        && when(aim, lexicon.now).is_none()
        && let Target::Named(Named { list: None, exact: false, .. }) = &aim_target
    {
        return event(aim, attrs);
    }
    let due = left.is_empty() && (starts(rest, "due").is_some() || should);
    (due && attrs.when.is_some()).then(|| Intent::change(aim_target, patch(attrs)))
}

/// "the tax papers can wait until january": put off.
fn waits(tokens: &[Token], lexicon: &Lexicon) -> Option<Intent> {
    const WAIT: &[&str] = &[
        "can|could|may|must|should|will wait",
        "has|have to wait",
        "needs|need to wait",
        "can|could|may|must|should|will be postponed",
    ];
    let wait = found(tokens, 1..8, WAIT)?;
    let (at, tail) = (wait.start, &tokens[wait.end..]);
    let aim = target(&tokens[..at], lexicon);
    match &aim {
        Target::Named(named) if !named.text.is_empty() && !tokens[0].of("i we you he she who what") => {}
        Target::It | Target::Them(_) | Target::Places(_) => {}
        _ => return None,
    }
    if tail.is_empty() || tail[0].of("a for") && tail.len() < 4 {
        return Some(Intent::Reschedule(aim, true));
    }
    let (left, attrs) = peel_new(&[&tokens[..at], tail].concat(), lexicon);
    (left.len() == at && attrs.when.is_some()).then(|| Intent::change(aim, putting_off(patch(attrs), tail)))
}

/// "The rehearsal I'll do tomorrow": another day for it.
fn planned(tokens: &[Token], lexicon: &Lexicon) -> Option<Intent> {
    const DO: &[&str] = &[
        "i'll|we'll do|tackle|handle|finish|manage",
        "i'll|we'll get to|round",
        "i|we will do|tackle|handle|finish",
        "i'm|we're doing|tackling",
        "i'm|we're going to do|tackle",
        "i|we can do|tackle|handle",
    ];
    let at = (1..tokens.len().min(8))
        .find(|at| tokens[*at].lower.starts_with(['i', 'w']) && begins_with(&tokens[*at..], DO))?;
    let rest = after(&tokens[at..], DO)?;
    let rest = after(rest, &["it|that|them|those", "to it"]).unwrap_or(rest);
    let attrs = peel_whole(rest, lexicon).filter(|attrs| attrs.when.is_some())?;
    let order = tokens[0].of(ACT);
    if order || tokens[..at].iter().any(|t| t.kind == Kind::Sign) {
        return None;
    }
    match target(&tokens[..at], lexicon) {
        aim @ Target::Named(_) => Some(Intent::change(aim, patch(attrs))),
        _ => None,
    }
}

/// Something that happens on a day, offered as a to-do.
fn event(aim: &[Token], mut attrs: Attrs) -> Option<Intent> {
    let name = after(aim, &["the|my|our"]).unwrap_or(aim);
    let odd = [
        "i", "it", "that", "this", "there", "what", "which", "who", "he", "she", "they", "everything", "all",
        "one",
    ];
    if name.is_empty() || name.len() > 7 || name[0].any(&odd) {
        return None;
    }
    let title = title(name);
    evening::settle(&title, &mut attrs);
    Some(Intent::Suggest(Draft { title, attrs, ..Draft::default() }))
}

/// "I called mum", "gym done", "I haven't called mum yet".
fn told(tokens: &[Token], lexicon: &Lexicon) -> Option<Intent> {
    let named = |words: &[Token]| match target(words, lexicon) {
        Target::Named(named) if words.len() <= 10 => Some(Target::Named(Named { told: true, ..named })),
        aim @ Target::Places(_) if words.len() <= 10 => Some(aim),
        _ => None,
    };
    const NOT: &[&str] = &[
        "i|we haven't|didn't", "i|we have|did not", "i|we still haven't", "i|we never",
        "i|we haven't|didn't actually",
    ];
    if let Some(rest) = after(tokens, NOT) {
        let rest = before(rest, &["yet", "after all", "at all"]).unwrap_or(rest);
        let done = after(rest, &["finish|finished|do|done|complete|completed"]);
        let doing = rest.first().is_some_and(doing);
        let rest = done.or(doing.then_some(rest))?;
        return named(rest).map(Intent::Reopen);
    }
    const MANAGED: &[&str] = &[
        "i|we managed|remembered to", "i|we finally managed to", "i've|we've managed|remembered to",
        "i've|we've finally managed to", "i|we was|were able to", "i|we got around|round to",
        "i|we finally got around|round to", "finally got around|round to", "managed|remembered to",
        "got around|round to",
    ];
    if let Some(rest) = after(tokens, MANAGED).filter(|rest| rest.len() > 1) {
        return named(without_time(rest)).map(Intent::Complete);
    }
    // "I got the tap fixed"
    if let Some(rest) = after(
        tokens,
        &[
            "i|we got|had", "i've|we've got|had", "got", "i|we finally got", "finally got", "that's",
            "have|had",
        ],
    ) && let [thing @ .., deed] = without_time(rest)
        && thing.len() > 1
        && (participles::is_deed(deed) || deed.of("done finished completed"))
        && let Target::Named(named) = target(thing, lexicon)
    {
        let verb = (!deed.of("done finished completed")).then(|| deed.lower.clone());
        return Some(Intent::Complete(Target::Named(Named { told: true, deed: verb, ..named })));
    }
    const SAID: &[&str] = &[
        "i|we", "i've|we've", "i|we have", "i've|we've already|just", "i|we have already|just",
        "i|we already|just", "just", "already", "i|we finally|actually", "i've|we've finally",
        "i|we have finally", "finally",
    ];
    let rest = after(tokens, SAID).unwrap_or(tokens);
    let first = rest.first()?;
    // "I've got a meeting" is no report.
    let owns = starts(rest, "got a|an|my|to|some").is_some()
        && rest.len() < tokens.len()
        && tokens[0].of("i've we've");
    // "Been to the shop" tells where somebody was.
    let been = first.of("been went gone came") && rest.get(1).is_some_and(|t| t.of("to at in back home out"));
    if past(first) && rest.len() > 1 && !owns && !been {
        return named(without_time(rest)).map(Intent::Complete);
    }
    None
}

/// Whether a word tells that something was done: "called", "bought".
fn past(token: &Token) -> bool {
    token.kind == Kind::Word && !token.lower.ends_with("ing") && stem(&token.lower) != token.lower
}

/// "gym done", without a verb.
fn ticked(tokens: &[Token], lexicon: &Lexicon) -> Option<Intent> {
    const DONE: &[&str] =
        &["done|finished|completed|\u{2713}|\u{2713}\u{fe0f}|\u{2705}|\u{2714}|\u{2714}\u{fe0f}"];
    // What is bought is bought by somebody, but "mum called" tells what mum did.
    const THINGS: &str = "paid bought sent booked cleaned fixed washed ordered submitted signed printed returned renewed \
         repaired packed cooked watered written arrived delivered collected serviced cancelled canceled \
         mailed posted emailed vacuumed mopped hoovered reserved";
    let deed = tokens.last().is_some_and(|t| t.of(THINGS)) && (2..=5).contains(&tokens.len());
    let aim = before(tokens, DONE).or(deed.then_some(tokens))?;
    const UNSURE: &[&str] = &[
        "not", "never", "almost", "nearly", "half", "partly", "isn't", "yet", "should", "must", "be",
        "being", "to", "hasn't", "haven't", "wasn't", "will", "has", "have", "had",
    ];
    const ODD: &[&str] = &[
        "well", "all", "get", "getting", "show", "what", "what's", "how", "i", "we", "you", "they", "he",
        "she", "haven't", "didn't",
    ];
    // "library books: returned", "oven - done"
    let aim_apart: Vec<Token>;
    let aim = match aim {
        [front @ .., sign, last] if deed && set_off(sign) && !front.is_empty() => {
            aim_apart = front.iter().chain([last]).cloned().collect();
            aim_apart.as_slice()
        }
        [front @ .., sign] if !deed && set_off(sign) => front,
        aim => aim,
    };
    let odd = aim.first()?.any(ODD) || aim.iter().any(|t| t.any(UNSURE));
    if odd || aim.len() > 6 || aim.iter().any(|t| t.kind == Kind::Sign) {
        return None;
    }
    let (aim, done) = match aim.split_last() {
        Some((done, things)) if deed => (things, Some(done.lower.clone())),
        _ => (aim, None),
    };
    match target(aim, lexicon) {
        // Without a verb of its own it may be what somebody else did: "Bob paid".
        Target::Named(named) => Some(Target::Named(Named { told: deed, unsure: deed, deed: done, ..named })),
        aim @ Target::Places(_) => Some(aim),
        _ => None,
    }
    .map(Intent::Complete)
}

/// Whether a sign sets what is told apart from what it is about.
fn set_off(token: &Token) -> bool {
    token.sign(":") || token.sign(",") || token.of("- – — = -> →")
}

/// Whether a word is what people do, in any tense.
fn doing(token: &Token) -> bool {
    token.kind == Kind::Word && DOING.contains(&stem(&token.lower).as_str())
}
