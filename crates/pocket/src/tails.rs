//! Tails of a command that are said to be kind and are no to-do: "absolutely no hurry with it", "whenever you have a sec",
//! "it isn't terribly important though", "you absolute star xx". A tail begins with words that open one, and all that
//! follows are words that say nothing of their own.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use crate::lex::{Kind, Token, starts};

/// Words that a tail is made of: none of them names a thing.
static SMALL: LazyLock<BTreeSet<&str>> = LazyLock::new(|| {
    "a able about absolutely actually advance afaik after again all allows already alright also always am \
     amazing an and angel any anything anyway anyways appreciate appreciated appreciative are aren't \
     around as asap ask asking at available away awesome awfully be because been before being best big \
     biggie bit boss bother brilliant bro btw bud buddy bunch burning busy but by bye can can't cannot \
     care careful champ champion chance cheer cheers ciao come comes completely convenience convenient \
     cool could couldn't crazy critical crucial darling day days deal dear did didn't do does doesn't \
     doing don't done drama dramatic dude dying easy either else emergency end energy especially \
     essential even eventually ever everything exactly fab fancy fantastic favor favour feel feeling find \
     fine fire fit for forget forgetting forgot free friend friends from fuss fyi gem gentle get gets \
     getting go good got grateful great greatly ha had haha hahaha handy happen happens hard has hassle \
     have haven't having heaps heh hehe hello help helpful helps hero honestly hope hopefully horribly \
     how huge hugely hugs hurry i i'd i'll i'm i've idk if immediately imo important in into is isn't it \
     it'd it'll it's its just keep kind kindly king kiss kisses know late later legend leisure let life \
     lifesaver like little loads lol long lot lots love lovely mad major make makes man manage many \
     massive massively mate matter matters may maybe me might million min mind minding mins minute \
     minutes mo moment mood more most much my need needs never ngl nice night no nobody's none not \
     nothing now obliged of ok okay okey on once one ones only or other our overly owe own pace pal panic \
     particular particularly perfect perhaps permits permitting please pocket point poss possible \
     possibly pressing pressure pretty priority probably problem queen quick quickly quite rather ready \
     real really remember reminder request right rock round rule rush rushing same satchel saver sec \
     second seconds secs sense serious seriously should slip slips slow so some something sometime soon \
     soonish sorry sort sound sounds spare special specific stage star still straight stress such suit \
     suits super swamped sweat sweetheart ta take takes tbh terribly than thank thankful thanks that \
     that'd that'll that's the them then there there's these they they're thing things think this those \
     though tia time tiny to today told ton tonight tons too totally treasure trouble truly truth ty tysm \
     tyvm until up urgency urgent us useful very vital wait want was wasn't way we we're week well when \
     whenever will wish with won't wonderful work works world worries worry would wouldn't x xo xoxo xx \
     xxx yay yeah yep yes yet you you'd you'll you're you've your"
        .split(' ')
        .collect()
});

/// What opens a tail wherever it stands.
const ANYWHERE: &[&str] = &[
    "no rush|hurry|pressure|stress|worries|worry|panic|urgency|biggie|sweat|fuss|drama|hassle",
    "no real|great|big|huge|major|mad|massive|particular|specific|special|need rush|hurry|pressure|stress|urgency|panic",
    "no time pressure",
    "no need to rush|hurry|stress|panic|worry",
    "absolutely|really|honestly|definitely|totally no rush|hurry|pressure|stress|worries|panic|urgency",
    "zero rush|hurry|pressure|stress|urgency",
    "in no rush|hurry",
    "not in a|any rush|hurry",
    "i'm|we're in no rush|hurry",
    "i'm|we're not in a|any rush|hurry",
    "there's|there is no rush|hurry|pressure|stress|need",
    "there's|there is absolutely|really|honestly no rush|hurry|pressure|stress|need",
    "there's|there is no real|great|big|huge|particular rush|hurry|pressure|urgency",
    "there isn't any|a rush|hurry|pressure",
    "whenever",
    "when|once|as soon as you",
    "when|once i|we get|have|find|can|manage",
    "as and when",
    "if and when",
    "if you can|could|may|please|like|want|will|would|get|have|find|don't|wouldn't|feel|fancy|manage|remember|think",
    "if possible|poss",
    "if at all possible",
    "if it's|it isn't|it is|that's|that is|this is|thats possible|ok|okay|alright|fine|not|no|all|cool|good|too",
    "if that|it works|suits|helps|makes",
    "if time permits|allows",
    "if there's|there is time|a",
    "if i|we get|have|find|can|manage",
    "time permitting",
    "when time permits|allows",
    "please",
    "tysm|tyvm",
    "much appreciated|obliged",
    "so i|we don't forget",
    "so that i|we don't forget",
    "just so i|we don't forget",
    "before i|we forget",
    "or i'll|i forget",
    "or else i'll forget",
    "in case i forget",
    "at some point|stage",
    "in your own time",
    "at your own pace|leisure|convenience",
    "sooner or later",
    "take your time",
    "xx|xxx|xoxo|lol|haha|hahaha|hehe|tbh",
    "x",
];

/// What opens a tail after a sign.
const SET_OFF: &[&str] = &[
    "it's|this|that's|it|that is|isn't|not|no|nothing|wasn't|won't|doesn't|can|would|will|could|needn't",
    "it's|this|that's|it|that not|no|nothing|can|would|will|could|doesn't|is|isn't",
    "this|that|it isn't|is|would|can|could|will|doesn't|won't|needn't",
    "it'd|that'd|it'll|that'll be|help|do|make",
    "would be|help",
    "would really|greatly be|help|appreciate",
    "not a|an|that|very|so|too|super|really|terribly|particularly|overly|hugely|at|even|urgent|important|pressing|critical|crucial|essential",
    "nothing urgent|major|dramatic|big|important|pressing|serious|special|fancy|crazy|critical|too|super|that|very|really|terribly",
    "nothing else|more",
    "no big|great|real deal|thing|drama|problem",
    "no problem|bother|trouble|need|emergency|priority|matter|pressure",
    "doesn't|don't have|need|matter",
    "don't worry|stress|rush|panic|bother|hurry",
    "needn't|need not be|happen|do",
    "can|could wait",
    "ok|okay|fine|alright|cool|good if|with|by|for",
    "all good",
    "you're|you the|a|an|so|really|absolute|absolutely|such|my|star|legend|gem|angel|great|awesome|amazing|wonderful|fantastic|kind|sweet|brilliant|fab|lifesaver|welcome",
    "you are the|a|an|so|really|absolute|absolutely|such|my|great|awesome|amazing|wonderful|kind|brilliant",
    "you rock|rule|absolute|star|legend|little",
    "what a star|legend|gem|hero|lifesaver",
    "absolute star|legend|gem|hero",
    "love you|ya|it",
    "i love|owe|appreciate|hope|always|keep|nearly|almost|forget",
    "i'd|i|we|we'd appreciate|be|really|would",
    "i'm|we're grateful|thankful|sorry|really|so|always",
    "i'll|i keep|always|only|just forget|forgetting",
    "really|greatly|much|very|truly appreciated|appreciate|grateful|obliged|helpful|kind",
    "appreciate|appreciated|obliged|grateful",
    "hope that's|it's|that|it|this|you",
    "sound|sounds good|ok|okay|alright",
    "is that|this ok|okay|alright|fine|possible|good",
    "does that work|suit|sound|make",
    "would that|this be|work",
    "can|could|will|would you",
    "is it|this|that possible|ok|okay|alright",
    "bless|legend|star|hero|lifesaver|champ|yay|phew|sorry|ta|ty|really|honestly|seriously|truly|though|anyway|anyways|finally|yeah|yep|ok|okay|alright|fyi|btw|lovely|great|super|perfect|cool|please|kindly|cheers|soon|eventually|sometime|someday|hopefully|hugs|kisses|bye",
    "thanks|cheers|thank|tia|much|many",
    "by the way",
    "for|as a reminder|usual",
    "just a thought|reminder",
    "just so you know|remember",
    "just to be",
    "otherwise no|fine|it's",
    "if not no|fine|that's|it's|never",
    "that's|that is|will|should all|it|everything|do",
    "sorry for|to|about|if|it's|i",
    "god|oh bless",
    "good|great job|work|one|stuff",
    "any|some time|day",
    "some|one day",
    "as soon|long as",
    "quick one",
    "only if|when",
    "but no|only|not|it's|whenever|it|that|there's|don't|i'm|if",
    "and no|thanks|thank|whenever",
    "so no|not|it's|don't|whenever|take",
    "though no|not|it's",
    "because you're|you|i'd|i|i'll",
];

/// After these a tail's opening is what is to be asked or said.
const ASKED: &[&str] = &[
    "ask", "asking", "check", "see", "know", "wonder", "out", "say", "saying", "tell", "decide", "write",
    "sing", "teach", "called", "read", "watch", "whether", "and", "or", "the", "a", "an", "to", "of", "what",
    "not", "is", "be", "it's", "with",
];

/// Signs people draw at the end of a message.
fn drawn(token: &Token) -> bool {
    const FACES: &[&str] = &[
        ":)", ":-)", ";)", ";-)", ":D", ":-D", ":p", ":P", "<3", "^^", "🙏", "🙂", "😊", "😀", "😁", "😅",
        "😘", "👍", "❤️", "❤", "😉", "🥰", "😍", "🤗", "😂", "💕", "💖", "👌", "🫶", "😇", ")", "D",
    ];
    FACES.contains(&token.text.as_str())
}

/// Where the faces and kisses at the end begin.
fn faces(tokens: &[Token]) -> usize {
    let mut end = tokens.len();
    while end > 1 {
        let two = end > 2
            && tokens[end - 2].any(&[":", ";"]) | tokens[end - 2].sign(":") | tokens[end - 2].sign(";");
        let last = &tokens[end - 1];
        if two && (last.sign(")") || last.is("d") || last.is("p") || last.is("-")) && !last.spaced {
            end -= 2;
        } else if drawn(last) && !last.sign(")") && !last.is("d") {
            end -= 1;
        } else {
            break;
        }
    }
    end
}

/// Whether a word names nothing.
fn small(token: &Token) -> bool {
    token.kind == Kind::Word && SMALL.contains(token.lower.as_str())
}

/// What stands before a tail, if there is one at the end.
pub fn untailed(tokens: &[Token]) -> Option<&[Token]> {
    let faced = faces(tokens);
    if faced < tokens.len() {
        return Some(&tokens[..faced]);
    }
    let last = tokens.last()?;
    if !small(last) {
        return None;
    }
    // "This is urgent" says something, "this isn't urgent" hardly.
    const HEAVY: &[&str] = &[
        "urgent",
        "important",
        "pressing",
        "critical",
        "crucial",
        "priority",
        "emergency",
        "asap",
        "essential",
        "vital",
        "immediately",
        "today",
        "tonight",
    ];
    let light = |tail: &[Token]| {
        let not = tail.iter().any(|t| {
            t.lower.ends_with("n't") || t.any(&["no", "not", "nothing", "zero", "never", "without", "if"])
        });
        not || !tail.iter().any(|t| t.any(HEAVY))
    };
    // The run of small words at the end, back to a sign.
    let run = tokens.iter().rev().take(18).take_while(|t| small(t)).count();
    let from = tokens.len() - run;
    (from.max(1)..tokens.len()).find_map(|at| {
        let before = &tokens[at - 1];
        let apart = before.kind == Kind::Sign && !before.sign(":") && !before.sign("(")
            || before.any(&["-", "–", "—", "--", "…", "..."])
            || before.text.ends_with("...")
            || before.text.ends_with('…');
        let opens = |phrases: &[&str]| phrases.iter().any(|phrase| starts(&tokens[at..], phrase).is_some());
        let free = !before.any(ASKED)
            && !tokens[at.saturating_sub(4)..at].iter().any(|t| t.any(&["ask", "check", "whether", "say"]));
        (light(&tokens[at..]) && (apart && opens(SET_OFF) || (apart || free) && opens(ANYWHERE)))
            .then(|| &tokens[..at])
    })
}
