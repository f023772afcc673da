//! Words around commands: pleasantries, greetings, yes and no.

use dates::names::weekday;

use crate::lex::{Kind, Token, after, trim_signs};
use crate::verbs::{ACT, may_open};

/// What may stand before a command and means nothing.
const POLITE: &[&str] = &[
    "please",
    "hey",
    "hi",
    "hello",
    "ok",
    "okay",
    "so",
    "now",
    "then",
    "also",
    "and",
    "just",
    "well",
    "great",
    "cool",
    "thanks",
    "yes",
    "yeah",
    "alright",
    "first",
    "next",
    "finally",
    "kindly",
    "pocket",
    "satchel",
    "can|could|would|will you",
    "i want you to",
    "i'd like you to",
    "i would like you to",
    "i want to",
    "i'd like to",
    "i would like to",
    "let's",
    "let us",
    "go ahead and",
    "you can",
    "you may",
    "but",
    "plus",
    "actually",
    "pretty|oh please",
    "are you able to",
    "can i",
    "could i",
    "may i",
    "can we",
    "help me",
    "help me to",
    "i'd like",
    "we need to",
    "possibly|perhaps|preferably|kindly",
    "um|uh|uhm|er|erm|hm|hmm|oh|ah|maybe|quickly|simply|basically|right",
    "i wanna",
    "lets",
    "i need you to",
    "would you mind",
    "please be so kind as to",
    "be so kind as to",
    "be so kind and",
    "if you don't mind",
    "oops",
    "second|third|lastly",
    "nah|nope|naw|wait|anyway|anyways|hmmm|huh|ooh|aha|btw|sorry|yep|yup|sure|fine|listen|lol",
    "hold on",
    "by the way",
    "no wait",
    "wait no",
    "no no",
    "ok then",
    "all right",
    "on second thought|thoughts",
    "one more thing",
    "you know what",
    "thanks|thank a lot|bunch|million",
    "thanks so much",
    "thank you",
    "thank you so|very much",
    "many thanks",
    "if you can|could|would|please",
    "if possible",
    "when you get a chance|moment|minute",
    "when you have a chance|moment|minute",
    "no rush|hurry but",
    "if you get|have a chance|moment|minute|second",
    "whenever you get|have a chance|moment|minute|second",
    "whenever you can|like|want",
    "at some point",
    "good morning|evening|afternoon|day",
    "hi|hello|hey there",
    "hi|hello|hey again",
    "sorry to bother|disturb you",
    "sorry to bother|disturb you but",
];

/// What may stand before a command with a sign after it, and means nothing then.
const APART: &[&str] = &[
    "that was wrong", "that was a|my mistake|accident|error", "that was an accident|error", "that's wrong",
    "that's not right", "that's not what i meant|wanted|said", "my mistake|bad", "how are you",
    "how are you doing", "how are you today", "i hope you're well|fine|ok|okay|good",
    "i hope you are well|fine|ok|okay|good", "hope you're well|fine|ok|good", "hope all is well",
    "i hope all is well", "dear pocket|satchel|assistant|friend", "i forgot", "i almost forgot",
    "guess what", "good news", "great news", "fyi", "quick question", "a question", "a quick question",
    "thank you so|very much", "thanks a lot|million", "many thanks", "nice to meet you", "me again",
    "it's me", "it's me again",
];

/// Without what stands apart at the front.
fn apart(tokens: &[Token]) -> Option<&[Token]> {
    after(tokens, APART).filter(|rest| rest.first().is_some_and(|t| t.kind == Kind::Sign) && rest.len() > 1)
}

/// Without pleasantries at the front.
pub fn plain(mut tokens: &[Token]) -> &[Token] {
    loop {
        let trimmed = trim_signs(tokens);
        if dated(trimmed) {
            return trimmed;
        }
        // "first" and "next" may be all there is to a clause.
        match apart(trimmed).or_else(|| after(trimmed, POLITE).filter(|rest| goes_on(trimmed, rest))) {
            Some(rest) => tokens = rest,
            None => return trimmed,
        }
    }
}

/// Whether the words are pleasantries and nothing else.
pub fn filler(tokens: &[Token]) -> bool {
    let mut rest = trim_signs(tokens);
    while let Some(more) = after(rest, POLITE).or_else(|| after(rest, APART)) {
        rest = trim_signs(more);
    }
    rest.is_empty()
}

/// Whether the first word belongs to a date: "next tuesday", "first thing tomorrow".
fn dated(tokens: &[Token]) -> bool {
    const TIMES: &str = "time week weekend month year quarter thing day";
    let [first, second, ..] = tokens else { return false };
    first.of("next first second third") && (second.of(TIMES) || weekday(&second.lower).is_some())
}

/// Whether more than the place in a list follows: "first complete milk" but "second to last".
fn goes_on(all: &[Token], rest: &[Token]) -> bool {
    let place = all[0].of("second third");
    let named = ordinal_of_name(all, rest);
    !trim_signs(rest).is_empty() && !named && (!place || rest.first().is_some_and(|t| t.of(ACT)))
}

/// Whether every word greets: "hiya", "hello again", "good morning to you".
fn greeting(words: &[&str]) -> bool {
    const HEART: &[&str] = &[
        "hi", "hello", "hey", "hiya", "howdy", "heya", "hallo", "hullo", "yo", "sup", "greetings", "morning",
        "evening", "afternoon", "aloha", "hola", "bonjour", "ciao", "bye", "goodbye", "cya", "night",
        "goodnight", "ahoy", "welcome", "farewell", "servus", "moin", "g'day",
    ];
    const AROUND: &[&str] = &[
        "good", "there", "again", "to", "you", "my", "friend", "pocket", "satchel", "everyone", "all", "and",
        "a", "the", "assistant", "mate", "buddy", "dear", "for", "now", "today", "see", "later", "soon",
        "tomorrow", "bye", "back", "it's", "me", "lovely", "very", "how", "are", "doing", "is", "going",
        "what's", "up", "how's", "it", "going", "things", "everything", "well",
    ];
    words.len() <= 7
        && words.iter().any(|word| HEART.contains(word))
        && words.iter().all(|word| HEART.contains(word) || AROUND.contains(word))
        && words
            .first()
            .is_some_and(|word| HEART.contains(word) || ["good", "well", "a", "lovely"].contains(word))
        && !matches!(words, ["morning" | "evening" | "afternoon" | "night", "today" | "tomorrow", ..])
}

/// Whether every word thanks or praises: "thanks, that's perfect", "brilliant, cheers mate".
fn praise(words: &[&str]) -> bool {
    const HEART: &[&str] = &[
        "thanks", "thank", "cheers", "perfect", "great", "brilliant", "awesome", "excellent", "wonderful",
        "fantastic", "amazing", "super", "lovely", "nice", "cool", "sweet", "superb", "helpful",
        "appreciated", "appreciate", "star", "legend", "lifesaver", "genius", "best", "love", "good", "neat",
        "splendid",
    ];
    const AROUND: &[&str] = &[
        "that's", "that", "is", "was", "it's", "its", "this", "you", "you're", "are", "a", "the", "so",
        "very", "really", "much", "many", "lot", "lots", "ton", "tons", "bunch", "million", "everything",
        "always", "stuff", "effort", "helped", "helps", "anyway", "though", "no", "worries", "problem",
        "worked", "works", "did", "me", "to", "of", "going", "truly", "forever", "for", "your", "help",
        "all", "ok", "okay", "oh", "wow", "haha", "yay", "i", "it", "mate", "buddy", "pal", "job", "work",
        "one", "just", "what", "needed", "wanted", "absolutely", "again", "done", "well", "quick", "fast",
        "now", "pocket", "satchel", "assistant", "indeed", "totally", "pretty",
    ];
    // "No thanks" is a no.
    let no = words.first() == Some(&"no") && !matches!(words.get(1), Some(&("worries" | "problem")));
    words.len() <= 10
        && !no
        && words.first().is_some_and(|word| !["what", "done", "i"].contains(word) || words.len() > 2)
        && words.iter().any(|word| HEART.contains(word))
        && words.iter().all(|word| HEART.contains(word) || AROUND.contains(word))
        && !words.starts_with(&["what", "is"])
        && !words.contains(&"needed") | words.contains(&"what")
}

/// What is said around commands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Talk {
    /// A greeting.
    Hello,
    /// Thanks, or praise.
    Thanks,
    /// "yes".
    Yes,
    /// "no", "never mind".
    No,
    /// What the model can do.
    Help,
}

/// Words that are no command; `nouns` are how people call the things that are kept here: `todo|task`.
pub fn small_talk(all: &[Token], nouns: &str) -> Option<Talk> {
    let words: Vec<&str> = all.iter().filter(|t| t.kind != Kind::Sign).map(|t| t.lower.as_str()).collect();
    let text = words.join(" ");
    let text = text.strip_prefix("please ").or_else(|| text.strip_suffix(" please")).unwrap_or(&text);
    let ends = [
        " for me", " here", " that's all", " that is all", " that's it", " that's all for now",
        " that's all for today", " bye",
    ];
    let text = ends.iter().find_map(|end| text.strip_suffix(end)).unwrap_or(text);
    let one_of = |options: &[&str]| options.contains(&text);
    if one_of(&[
        "hi", "hello", "hey", "hi there", "hello there", "good morning", "good evening", "good afternoon",
        "hey there", "hallo", "yo", "greetings", "hi pocket", "hello pocket", "hello satchel", "how are you",
        "good night", "bye", "goodbye",
    ]) {
        return Some(Talk::Hello);
    }
    if one_of(&[
        "thanks", "thank you", "ty", "great thanks", "thanks a lot", "thank you very much", "perfect",
        "great", "cool", "nice", "awesome", "ok", "okay", "ok thanks", "perfect thanks", "cheers",
        "good job", "well done", "many thanks", "no problem", "no worries", "all good", "fine",
        "thank you so much", "that's all", "that is all", "that's it", "that's all for now", "nothing else",
        "nothing more", "thanks a million", "thanks a bunch", "much appreciated", "you're the best",
    ]) {
        return Some(Talk::Thanks);
    }
    if greeting(&words) {
        return Some(Talk::Hello);
    }
    if praise(&words) {
        return Some(Talk::Thanks);
    }
    if one_of(&[
        "yes", "yeah", "yep", "yup", "sure", "yes please", "yes do it", "do it", "please do", "y",
        "that one", "right", "correct", "yes add it", "add it", "go ahead", "of course", "yes that one",
    ]) {
        return Some(Talk::Yes);
    }
    if one_of(&[
        "no", "nope", "nah", "naw", "nah thanks", "nah never mind", "no no", "hold on", "never mind",
        "nevermind", "cancel", "cancel that", "forget it", "no thanks", "no thank you", "none",
        "none of them", "neither", "nothing", "n", "no wait", "wait no", "actually no", "stop", "leave it",
        "skip it", "abort", "no never mind", "actually never mind", "wait", "don't bother", "do nothing",
        "nothing thanks", "not now", "leave it alone", "leave it as it is", "let it be",
    ]) {
        return Some(Talk::No);
    }
    let help = [
        "help", "what can you do", "what are you able to do", "what can i say", "what can i do",
        "what do you do", "who are you", "what are you", "how do you work", "how does this work", "commands",
        "what commands are there", "what can't you do", "what can you not do", "are you an ai",
        "are you a bot", "are you human", "show help", "show me what you can do", "what else can you do",
        "how can you help", "how can you help me", "what are your commands", "what do you understand",
        "examples", "help me", "what can you help with", "what can you help me with", "?",
    ];
    let how = ["how do i ", "how can i ", "how to "].iter().any(|p| text.starts_with(p));
    let about = ["undo", "delete", "add", "complete", "list", "reschedule", "rename", "remove"];
    let about = || about.into_iter().chain(nouns.split('|'));
    let exports = ["export", "import", "backup"].iter().any(|w| words.contains(w));
    (help.contains(&text)
        || how
            && !exports
            && about().any(|w| words.contains(&w) || words.contains(&format!("{w}s").as_str())))
    .then_some(Talk::Help)
}

/// Whether "first" or "next" belongs to a name: "first aid course" is no first step, "first add milk" is.
fn ordinal_of_name(all: &[Token], rest: &[Token]) -> bool {
    const FOLLOW: &str = "add put remind i i'd i'll i'm i've we let's please can could would do don't create new make show list tell \
        give what what's which how the my a an is are thing things of then to note you find search take todo task it that this there \
        there's up off all one two three";
    all[0].of("first next")
        && rest
            .first()
            .is_some_and(|t| t.kind == Kind::Word && !t.of(ACT) && !may_open(&t.lower) && !t.of(FOLLOW))
}
