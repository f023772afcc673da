//! Small words as people type them in a hurry: "u", "pls", "isnt", "theres". Grammar reads what is meant; titles keep what
//! was typed.

use crate::lex::{Kind, Token};

/// What a small word stands for wherever it stands.
pub fn meant(typed: &str) -> Option<&'static str> {
    known(typed).or_else(|| drawn_out(typed))
}

/// "youuu", "pleaseee", "thankssss".
fn drawn_out(typed: &str) -> Option<&'static str> {
    const OFTEN: &[&str] =
        &["you", "please", "thanks", "thank", "so", "yes", "no", "hey", "hi", "soo", "cheers", "ta", "yay"];
    let bytes = typed.as_bytes();
    bytes.windows(3).any(|three| three[0] == three[1] && three[1] == three[2]).then_some(())?;
    let mut short: Vec<char> = typed.chars().collect();
    short.dedup();
    let short: String = short.into_iter().collect();
    OFTEN.iter().copied().find(|word| *word == short).or_else(|| known(&short))
}

/// What a small word stands for.
fn known(typed: &str) -> Option<&'static str> {
    Some(match typed {
        "u" | "ya" => "you",
        "pls" | "plz" | "plse" | "pleas" | "plss" | "pleeease" | "pleease" | "pleaase" => "please",
        "thx" | "tnx" | "thnx" | "thks" | "thanx" | "thankyou" => "thanks",
        "tho" => "though",
        "til" | "'til" | "untill" | "unitl" => "until",
        "w/" => "with",
        "w/o" => "without",
        "bc" | "cuz" | "cos" | "coz" | "'cause" => "because",
        "cld" | "cud" => "could",
        "wld" | "wud" => "would",
        "shld" | "shud" => "should",
        "b4" => "before",
        "nite" => "night",
        "tonite" | "2nite" => "tonight",
        "dont" | "dnt" => "don't",
        "isnt" => "isn't",
        "arent" => "aren't",
        "wasnt" => "wasn't",
        "werent" => "weren't",
        "doesnt" => "doesn't",
        "didnt" => "didn't",
        "cant" => "can't",
        "wont" => "won't",
        "couldnt" => "couldn't",
        "shouldnt" => "shouldn't",
        "wouldnt" => "wouldn't",
        "havent" | "havnt" => "haven't",
        "hasnt" => "hasn't",
        "hadnt" => "hadn't",
        "neednt" => "needn't",
        "mustnt" => "mustn't",
        "im" => "i'm",
        "ive" => "i've",
        "weve" => "we've",
        "youre" => "you're",
        "youve" => "you've",
        "youll" => "you'll",
        "theyre" => "they're",
        "theyve" => "they've",
        "theyll" => "they'll",
        "itll" => "it'll",
        "thats" => "that's",
        "thatll" => "that'll",
        "thatd" => "that'd",
        "itd" => "it'd",
        "theres" => "there's",
        "heres" => "here's",
        "whats" => "what's",
        "whens" => "when's",
        "wheres" => "where's",
        "whos" => "who's",
        "hows" => "how's",
        _ => return None,
    })
}

/// Sets right what only the words around it tell: "its fine", "ill get", "id like", "ur the best", "milk n bread".
pub fn in_place(tokens: &mut [Token]) {
    /// What follows "its" where it stands for "it is".
    const STATE: &[&str] = &[
        "a", "an", "the", "no", "not", "so", "too", "ok", "okay", "fine", "alright", "all", "just", "still",
        "already", "very", "really", "only", "quite", "urgent", "important", "done", "been", "finished",
        "sorted", "gone", "paid", "due", "overdue", "about", "that", "on", "at", "for", "in", "possible",
        "easy", "hardly", "nothing", "never", "now", "late", "later", "easier", "better", "finally", "sort",
        "kind", "probably", "totally", "actually", "super", "pretty", "more", "less", "you", "me", "my",
        "cancelled", "canceled", "dealt", "handled", "booked", "bought", "good", "great", "convenient",
    ];
    /// What stands before "ill" where somebody is it.
    const SICK: &str = "is was am are were be been feel feels felt fell get got very so too the i'm he's she's they're \
         seriously terminally becoming an of";
    /// What follows "id" where it stands for "i would".
    const WOULD: &[&str] =
        &["like", "love", "appreciate", "rather", "prefer", "be", "need", "want", "say", "really"];
    /// What follows "ur" where it stands for "you are".
    const BEING: &[&str] = &[
        "the", "a", "an", "so", "very", "really", "great", "awesome", "amazing", "welcome", "at", "right",
        "brilliant", "fab", "wonderful", "too", "my", "free", "available", "able", "ready", "around", "back",
        "done", "not", "also", "such", "just", "doing", "going", "good", "nice", "kind", "sweet", "lovely",
        "busy", "bored", "in", "on", "up",
    ];
    for at in 0..tokens.len() {
        if tokens[at].kind != Kind::Word || tokens[at].lower.len() > 3 {
            continue;
        }
        let next = |words: &[&str]| tokens.get(at + 1).is_some_and(|t| t.any(words));
        let ends = tokens.get(at + 1).is_none_or(|t| t.kind == Kind::Sign);
        let before = at.checked_sub(1).map(|at| &tokens[at]).filter(|t| t.kind != Kind::Sign);
        let small = tokens[at].text.chars().all(char::is_lowercase);
        let right = match tokens[at].lower.as_str() {
            "its" if next(STATE) && !before.is_some_and(|t| t.of("of to with in on")) => "it's",
            "ill" if !ends && !before.is_some_and(|t| t.of(SICK)) => "i'll",
            "id" if small && next(WOULD) => "i'd",
            "ur" => {
                if next(BEING) {
                    "you're"
                } else {
                    "your"
                }
            }
            "n" if small && !ends && before.is_some() => "and",
            _ => continue,
        };
        right.clone_into(&mut tokens[at].lower);
    }
}
