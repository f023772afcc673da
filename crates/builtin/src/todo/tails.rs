//! Tails of a command that are said to be kind and are no to-do: "absolutely no hurry with it", "whenever you have a sec",
//! "it isn't terribly important though", "you absolute star xx". A tail begins with words that open one, and all that
//! follows are words that say nothing of their own.

use dates::when::when;

use crate::todo::openings;
use std::collections::BTreeSet;
use std::sync::LazyLock;

use crate::lex::{Kind, Token, begins_with, longest, nested, starts};
use crate::phrases::plain;
use crate::verbs::ACT;

/// Words that a tail is made of: none of them names a thing.
static SMALL: LazyLock<BTreeSet<&str>> = LazyLock::new(|| {
    "nearly almost forgotten remembered nbd np man dude bro king queen k hun babe 10 15 2 20 3 5 a able about absolute absolutely actually advance afaik after again all allows already alright \
     alrighty also always am amazing an and angel any anything anytime anyway anyways appreciate \
     appreciated appreciative are aren't around as asap ask asking at available away awesome awfully be \
     because been before being best big biggie bit boss bother brilliant bro btw bud buddy bunch burning \
     busy but by bye can can't cannot care careful champ champion chance cheers ciao come comes \
     completely convenience convenient cool could couldn't couple crazy critical crucial da danke darling \
     day days deadline deal dear did didn't discussed do does doesn't doing don't done down drama \
     dramatic dude dying earliest easy either else emergency end especially essential even eventually \
     ever everso everything exactly fab fancy fantastic favor favour feel feeling find fine fit five for \
     forget forgetting forgot forgotten free friend friends from fuss fyi gem gentle get gets getting go goat good \
     got gracias grateful grazie great greatly ha had haha hahaha handy happen happens has hassle have \
     haven't having heaps heh hehe hello help helpful helps hero honestly hope hopefully horribly how \
     huge hugely hugs hurry i i'd i'll i'm i've ideally idk if immediately imo important in into is isn't \
     it it'd it'll it's its just k keep kind kindly kiss kisses kk know kthxbye late later legend leisure \
     let lifesaver like little loads lol long lot lots love lovely mad major make makes manage many \
     massive massively mate matter matters may maybe me mean means merci might million min mind minding \
     mins minute minutes mmkay mo moment more most much muchly my need needs never ngl nice night no \
     nobody's none not nothing now obliged of ok okay okey on once one ones only or other otherwise our overly owe \
     own pace pal panic particular particularly perfect perhaps permits permitting please pocket point \
     poss possible possibly preferably pressing pressure pretty priority probably problem promised quick \
     quickly quite rather ready real really remember remembered reminder reply request right rock round rule rush \
     rushing same satchel saver saving schedule sec second seconds secs sense serious seriously should \
     slip slips slow so some someday something sometime somewhere soon soonish sorry sort sound sounds \
     spare special specific stage star still straight stress such suit suits super swamped sweat \
     sweetheart ta take takes tbh ten terribly than thank thankful thanking thanks that that'd that'll \
     that's the them then there there's these they they're thing things think this those though tia time \
     tiny to today told ton tonight tons too totally treasure trouble truly truth two ty tysm tyvm until \
     up urgency urgent us useful very vital wait want was wasn't way we we're week weekend well whatever \
     whatsoever when whenever wherever will wish with won't wonderful works worries worry would wouldn't \
     x xo xoxo xx xxx yay yeah yep yes yet you you'd you'll you're you've your zero"
        .split(' ')
        .collect()
});

/// What opens a tail wherever it stands.
const ANYWHERE: &[&str] = &[
    "no rush|hurry|pressure|stress|worries|worry|panic|urgency|biggie|sweat|fuss|drama|hassle|probs",
    "nbd",
    "no real|great|big|huge|major|mad|massive|particular|specific|special|immediate rush|hurry|pressure|stress|urgency|panic|need",
    "no time pressure",
    "no need to rush|hurry|stress|panic|worry",
    "absolutely|really|honestly|definitely|totally|genuinely no rush|hurry|pressure|stress|worries|panic|urgency|need",
    "zero rush|hurry|pressure|stress|urgency|panic",
    "in no rush|hurry",
    "in no great|particular|real|big rush|hurry",
    "not in a|any rush|hurry",
    "i'm|we're in no rush|hurry",
    "i'm|we're not in a|any|that rush|hurry|much",
    "there's no rush|hurry|pressure|stress|need|panic|urgency",
    "there is no rush|hurry|pressure|stress|need|panic|urgency",
    "there's absolutely|really|honestly|no real|great|big|huge|particular|no rush|hurry|pressure|urgency|need|panic",
    "there is absolutely|really|honestly|no real|great|big|huge|particular|no rush|hurry|pressure|urgency|need|panic",
    "there isn't any|a rush|hurry|pressure",
    "it's no|not rush|hurry|bother",
    "whenever",
    "when|once|if you|you're|you've",
    "as soon as you can|could|like|get",
    "when|once i|we get|have|find|can|manage",
    "as and when",
    "if and when",
    "if possible|poss|pos",
    "if at all possible",
    "if it's|that's a|an|any|much|really|possible|ok|okay|alright|fine|not|no|all|cool|good|too",
    "if it's|that's|this|that|it possible|ok|okay|alright|fine|not|no|all|cool|good|too|works|suits|helps|makes",
    "if it|that|this is|isn't|would|wouldn't|could|doesn't|won't a|an|any|much|really|possible|ok|okay|alright|fine|not|no|all|cool|good|too|be|cause|mean",
    "if time permits|allows",
    "if there's|there time|a|is",
    "if i|we get|have|find|can|manage",
    "time permitting",
    "when time permits|allows",
    "when things calm|quieten|settle|slow",
    "pretty please",
    "please",
    "no big deal|rush|hurry",
    "just whenever",
    "just when|if you|i",
    "when it|that suits|works",
    "when|whenever convenient|possible|free|suits",
    "at your earliest convenience",
    "tysm|tyvm",
    "much appreciated|obliged",
    "so i|we don't|won't|can't forget",
    "so that i|we don't|won't forget",
    "just so i|we don't|won't forget",
    "so it doesn't|won't|isn't get|slip|forgotten",
    "before i|we forget",
    "or i'll|i forget",
    "or else i'll forget",
    "otherwise i'll|i forget",
    "in case i forget",
    "in your own time",
    "at your own pace|leisure|convenience",
    "sooner or later",
    "take your time",
    "xx|xxx|xoxo|lol|haha|hahaha|hehe|tbh|lmao|ngl|imo",
    "x",
    "ta|k|kk",
];

/// What opens a tail after a sign.
const SET_OFF: &[&str] = &[
    "nearly|almost|always forgot|forgotten|forget|forgetting",
    "i|we|i'd|i've|we'd nearly|almost|totally|completely|just|keep|always|only forgot|forgotten|forget|forgetting|remembered",
    "just|only remembered",
    "it's|this|that's|that|it not|no|nothing|isn't|wasn't|won't|doesn't|can|could|would|will|needn't|is",
    "it'd|that'd|it'll|that'll be|help|do|make",
    "would be|help",
    "would really|greatly be|help|appreciate",
    "not a|an|that|very|so|too|super|really|terribly|particularly|overly|hugely|at|even|urgent|important|pressing|critical|crucial|essential",
    "nothing else|more",
    "no big|great|real deal|thing|drama|problem",
    "no problem|bother|trouble|need|emergency|priority|matter|pressure",
    "doesn't|don't|needn't have|need|matter|be|happen",
    "need not be",
    "can|could wait",
    "ok|okay|fine|alright|cool|good if|with|by|for",
    "all good",
    "you're the|a|an|so|really|absolute|absolutely|such|my|star|legend|gem|angel|great|awesome|amazing|wonderful|fantastic|kind|sweet|brilliant|fab|lifesaver|welcome",
    "you the|are best|man|boss|the|a|an|so|really|absolute|absolutely|such|my|great|awesome|amazing|wonderful|kind|brilliant",
    "you rock|rule|absolute|star|legend|little",
    "what a star|legend|gem|hero|lifesaver",
    "absolute star|legend|gem|hero",
    "love you|it",
    "i love|owe|appreciate|hope|always|keep|nearly|almost|forget",
    "i'd|i|we|we'd appreciate|be|really|would",
    "i'm|we're grateful|thankful|so|really|always",
    "i'll|i|i'd keep|always|only|just|probably|never forget|forgetting|remember",
    "really|greatly|much|very|truly appreciated|appreciate|grateful|obliged|helpful|kind",
    "appreciate|appreciated|obliged|grateful",
    "hope that's|it's|that|it|this|you",
    "sound|sounds good|ok|okay|alright",
    "is|would that|this|it be|ok|okay|alright|fine|possible|good|work",
    "does that|this work|suit|sound|make",
    "can|could|will|would you",
    "bless|legend|star|hero|lifesaver|champ|yay|phew|sorry|ta|ty|really|honestly|seriously|truly|though|anyway|anyways|finally|yeah|yep|ok|okay|alright|fyi|btw|lovely|great|super|perfect|cool|please|kindly|cheers|soon|eventually|sometime|someday|hopefully|hugs|kisses|bye|oops|ugh|gosh|woo|woohoo|whoop|argh|urgh|sigh|meh|eek|right|cool|sweet|done|amen",
    "thanks|cheers|thank|tia|much|many",
    "by the way",
    "for|as a reminder|usual",
    "just a thought|reminder",
    "just so you know|remember",
    "otherwise no|fine|it's",
    "if not no|fine|that's|it's|never",
    "that's all|it|everything|me",
    "that is|will|should all|it|everything|do|be",
    "god|oh bless",
    "good|great|nice job|work|one|stuff",
    "any|some|one time|day",
    "as soon|long as",
    "quick one",
    "only if|when",
    "but no|only|not|it's|whenever|it|that|there's|don't|i'm|if",
    "and no|thanks|thank|whenever",
    "so no|not|it's|don't|whenever|take",
    "though no|not|it's",
    "because you're|you|i'd|i|i'll",
];

/// What opens a tail after a sign, whatever words follow: nobody names a to-do like that.
const WHATEVER: &[&str] = &[
    "that|this should|will|would|is be|do|all|it|everything",
    "low stakes|key|effort",
    "nobody|nobody's|noone will|is|going|cares|minds|dies|would|gonna|dying|else",
    "nbd|np|nvm|idc|idm",
    "that's|that all|it|everything|me|is|will all|it|everything|be|do|from|for|about|then|today",
    "that's|that all|it|everything",
    "would|that'd|it'd|that|it be|help|really|mean|make|would a|so|such|really|great|super|very|be|help|me|lovely|awesome|nice|brilliant|fab|amazing|ideal|perfect|good|wonderful|appreciated",
    "your|you're call|choice|decision|shout|pick",
    "only if|when|whenever you|you've|you're|it's|that's|there's|possible|convenient|there",
    "zero|absolutely|literally urgency|rush|no|zero|stress|pressure|hurry",
    "if you|that|it|there|i could|would|can|wouldn't|don't|have|get|fancy|is|isn't|doesn't|works|happen|find|remember|manage|feel",
    "whenever you|it|that|is|really|suits|works|works|possible|convenient",
    "when you|you're|you've|things|life",
    "so i|we|it|it's|that don't|won't|can|stop|never|isn't|doesn't|not|off|i|we",
    "in case i|we|you|it|that",
    "just in|so|thought|wanted|to|making|saying|being case|i|you|it|it's|be|make|sure|careful|that|we|nobody|nothing",
    "cheers|thanks|ta|thank|ty|tysm ever|in|again|so|very|a|for|you|muchly|everso|kindly|loads|heaps|lots|mate|love|pal|buddy",
    "k|ok|okay thanks|bye|cheers|ty",
    "as ever|always|usual|discussed|promised|agreed|mentioned",
    "for|on future|my|the|your own|reference|records|record|schedule|safekeeping",
    "fyi|btw",
    "sorry to|for|about|if|it's|i|i'm",
    "have a good|great|nice|lovely|fab|fantastic|wonderful",
    "nothing urgent|major|dramatic|big|important|pressing|serious|special|fancy|crazy|critical|too|super|that|very|really|terribly|life|world|desperate|drastic",
    "no worries|stress|rush|problem|hurry|pressure|panic|drama|biggie|sweat|bother|big if|when|either|at|about|on",
    "not a biggie|worry|problem|priority|big|emergency|disaster|deal|rush|huge|massive|matter",
    "not the end",
    "don't worry|stress|rush|panic|bother|hurry|sweat if|about|too|on|it",
    "don't want to forget|miss|lose",
    "it's not|no|fine|ok|okay a|the|that|very|really|so|too|super|terribly|particularly|overly|like|urgent|important|pressing|critical|big|if|biggie|as|rush|hurry",
    "it isn't|doesn't|won't|can a|the|that|very|really|so|too|super|terribly|particularly|overly|like|urgent|important|pressing|matter|have|need|kill|hurt|wait|not",
    "that's not|fine|ok|okay a|the|that|very|really|so|urgent|important|if",
    "this isn't a|the|that|very|really|so|too|super|terribly|urgent|important|pressing",
    "this|it|that is not|fine|ok|okay|no",
    "hope you|you're|that's|that|it's|this|all",
    "i|we keep|always|nearly|almost|totally|completely forgetting|forget|forgot|putting|missing|meaning",
    "i know|promise|swear|hate|owe it's|that|i|you|to",
    "you're|you a|an|the|my|are star|legend|gem|angel|lifesaver|best|hero|absolute|real|total|treasure|rock|god|a|the|an|my",
    "much love",
    "see|speak|talk you|to soon|later|you|tomorrow",
    "my memory|brain|head is|isn't|is|has|like",
    "my memory's|brain's",
    "mustn't|must forget|miss",
    "must not|never forget|miss|lose",
    "can't forget|miss",
    "better late|safe|not than|forget",
    "fingers crossed",
];

/// After these a tail's opening is what is to be asked or said.
const ASKED: &str = "ask asking check see know wonder out say saying tell decide write sing teach called read watch \
         whether and or the a an to of what not is be it's with that said says told reply replied answer \
         shout";

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
        let two =
            end > 2 && tokens[end - 2].of(": ;") | tokens[end - 2].sign(":") | tokens[end - 2].sign(";");
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

/// Where a tail begins that may go on with any words, as far as no other wish is in it.
fn whatever(tokens: &[Token]) -> Option<usize> {
    let from = tokens.len().saturating_sub(18).max(1);
    (from..tokens.len()).rev().find(|at| {
        let rest = &tokens[*at..];
        let apart =
            tokens[*at - 1].kind == Kind::Sign && !tokens[*at - 1].of(": (") || dashed(&tokens[*at - 1]);
        // "No rush, but by friday" gives a day.
        let day = || rest.iter().any(|t| t.of("but by due deadline and"));
        apart && begins_with(rest, WHATEVER) && !day()
    })
}

/// Words that begin a sentence of its own after a sign, and no to-do.
const TALK: &str = "no not nothing none never it it's it'd it'll that that's that'd that'll this there there's you you're you've you'd i \
    i'm i'd i'll i've we we're we'd we'll we've would wouldn't could can can't will won't should shouldn't is isn't are does doesn't \
    don't needn't only just so whenever when if sorry thanks thank thx cheers hope hopefully totally absolutely really honestly \
    literally definitely certainly obviously zero or otherwise any anytime much many bless love ta tia ok okay fine cool perfect \
    lovely great but and though although maybe perhaps please my they they're he's she's whatever wherever as at for in of \
    must mustn't needs has cannot";
/// The words of it by which something is told.
const FINITE: &str = "is isn't it's that's are aren't was will won't would can can't could should i'm i've i'd i'll you're we're they're \
    there's he's she's does doesn't don't do have has need needs must mustn't cannot i we you they it not no that";

/// Where the last part that a sign sets off begins, if it talks and is no wish.
fn talking(tokens: &[Token]) -> Option<usize> {
    let inner = nested(tokens);
    let sign = (1..tokens.len().saturating_sub(1)).rev().find(|at| {
        let token = &tokens[*at];
        !inner[*at]
            && (token.sign(",")
                || token.sign(".")
                || token.sign("!")
                || token.sign(";")
                || token.sign("?")
                || dashed(token))
    })?;
    let part = &tokens[sign + 1..];
    let talks =
        part.first().is_some_and(|t| t.of(TALK)) && part.iter().any(|t| t.of(FINITE)) && part.len() <= 16;
    (talks && !openings::begins(part, false) && !openings::is_add(plain(part))).then_some(sign + 1)
}

/// Where a part begins that talks and names hardly anything.
fn talk(tokens: &[Token]) -> Option<usize> {
    // "Cheers big ears"
    const CHEERS: &[&str] = &["cheers", "thanks", "ta", "ty", "tysm", "tyvm"];
    let cheers = (1..tokens.len()).rev().take(6).find(|at| {
        let before = &tokens[*at - 1];
        tokens[*at].any(CHEERS)
            && (before.kind == Kind::Sign && !before.of("(") && !before.sign("(") && !before.sign(":")
                || dashed(before))
    });
    if let Some(at) =
        cheers.filter(|at| !tokens[*at + 1..].iter().any(|t| t.kind == Kind::Sign || t.of("to and for")))
    {
        return Some(at);
    }
    let at = talking(tokens)?;
    // In a new to-do hardly anything is idle: a dose, a sum or a "no nuts" belongs to it (see `remark`).
    let named = naming(&tokens[at..]);
    let order = plain(tokens).first().is_some_and(|t| t.of(ACT));
    let asks = tokens[at].of("must mustn't needs has cannot");
    (!asks && named < 1 + usize::from(order) && light(&tokens[at..])).then_some(at)
}

/// How many words of a part name something; numbers do.
fn naming(part: &[Token]) -> usize {
    part.iter().filter(|t| !small(t) || t.lower.starts_with(|c: char| c.is_ascii_digit())).count()
}

/// Where a remark begins that tells something of the to-do before it: "…, it's in the red folder".
pub fn remark(tokens: &[Token]) -> Option<usize> {
    const TELLS: &str = "it it's they they're he's she's that's this i i'm i've i'd we we're we've you you'll there's there my his her their the";
    let at = talking(tokens)?;
    const WHO: &str = "i we they you he she it";
    let first = &tokens[at];
    let tells = first.lower.contains('\'')
        || first.of(WHO)
        || first.of(TELLS) && tokens[at + 1..].iter().any(|t| t.of(FINITE));
    let named = naming(&tokens[at..]);
    let denies = first
        .of("no not nothing never must mustn't needs has can't cannot don't won't shouldn't needn't only");
    ((tells || denies) && named > 0 || named == 1).then_some(at)
}

/// Whether this is a dash or dots between two halves of a sentence.
pub fn dashed(token: &Token) -> bool {
    token.of("- – — -- … ...") || token.text.ends_with("...") || token.text.ends_with('…')
}

/// "This is urgent" says something, "this isn't urgent" hardly.
fn light(tail: &[Token]) -> bool {
    const HEAVY: &[&str] = &[
        "urgent", "important", "pressing", "critical", "crucial", "priority", "emergency", "asap",
        "essential", "vital",
    ];
    const DAYS: &[&str] = &["today", "tonight", "immediately", "weekend"];
    const NOT: &[&str] = &["no", "not", "nothing", "zero", "never", "without", "hardly", "neither", "that's"];
    let any = |words: &[&str]| tail.iter().any(|t| t.any(words));
    let not = any(NOT) || tail.iter().any(|t| t.lower.ends_with("n't"));
    not || !any(DAYS) && (any(&["if"]) || !any(HEAVY))
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
    if let Some(at) = whatever(tokens).or_else(|| talk(tokens)) {
        return Some(&tokens[..at]);
    }
    let last = tokens.last()?;
    if !small(last) {
        return None;
    }
    // The run of small words at the end, back to a sign.
    let run = tokens.iter().rev().take(18).take_while(|t| small(t)).count();
    let from = tokens.len() - run;
    (from.max(1)..tokens.len()).find_map(|at| {
        let before = &tokens[at - 1];
        let apart = before.kind == Kind::Sign && !before.sign(":") && !before.sign("(") || dashed(before);
        let typed = !tokens[at].of("ta x k kk")
            || tokens[at].text.starts_with(char::is_lowercase) && apart | (at > 2);
        let opens = |phrases: &[&str]| typed && begins_with(&tokens[at..], phrases);
        const TOLD: &[&str] =
            &["ask", "check", "whether", "say", "tell", "said", "says", "saying", "told", "that", "reply"];
        let free =
            !before.of(ASKED) && !tokens[at.saturating_sub(4)..at].iter().any(|t| t.any(TOLD) || t.sign(":"));
        (light(&tokens[at..]) && (apart && opens(SET_OFF) || (apart || free) && opens(ANYWHERE)))
            .then(|| &tokens[..at])
    })
}

/// The tokens without courtesies in the middle: "…, no rush, …", "… no rush but by friday".
pub fn cleared(tokens: Vec<Token>) -> Vec<Token> {
    // "Please" means nothing wherever it stands, unless it is what is to be said.
    let please = (1..tokens.len().saturating_sub(1)).find(|at| {
        let spoken = |t: &Token| t.of(ASKED) || t.kind == Kind::Sign;
        tokens[*at].is("please") && !spoken(&tokens[*at - 1]) && tokens[*at + 1].kind == Kind::Word
    });
    if let Some(at) = please.filter(|at| tokens[*at + 1..].iter().any(|t| t.kind == Kind::Word && !small(t)))
    {
        return cleared([&tokens[..at], &tokens[at + 1..]].concat());
    }
    let signs: Vec<usize> =
        (0..tokens.len()).filter(|at| tokens[*at].sign(",") || dashed(&tokens[*at])).collect();
    let opens = |rest: &[Token]| longest(rest, ANYWHERE);
    for pair in signs.windows(2) {
        let part = &tokens[pair[0] + 1..pair[1]];
        if !part.is_empty() && part.iter().all(small) && opens(part).is_some() {
            return cleared([&tokens[..pair[0]], &tokens[pair[1]..]].concat());
        }
    }
    // "…, weekend is fine": a day, and that it suits.
    const SUITS: &[&str] = &[
        "is|are|works|would|will|should be|do|is|fine|ok|okay|good|great|best|perfect|enough|for",
        "works|suits|okay|fine|ok|ideally|preferably",
    ];
    if let Some(sign) = signs.last().copied()
        && let Some(suits) = (sign + 2..tokens.len()).find(|at| begins_with(&tokens[*at..], SUITS))
        && when(&tokens[sign + 1..suits], dates::calendar::SOME_DAY)
            .is_some_and(|(n, day)| n == suits - sign - 1 && day.date.is_some())
        && tokens[suits..].iter().all(small)
    {
        return tokens[..suits].to_vec();
    }
    // "No rush but by friday", "no hurry as long as it's done by monday"
    const BUT: &[&str] = &[
        "but", "just", "as long as it's done", "as long as it's", "as long as", "so long as it's done",
        "only", "but ideally", "but preferably",
    ];
    let calm = |at: usize| {
        let n = starts(&tokens[at..], "no rush|hurry|stress|pressure|worries").filter(|_| at > 1)?;
        let comma = usize::from(tokens.get(at + n).is_some_and(|t| t.sign(",")));
        let m = longest(&tokens[at + n + comma..], BUT)?;
        Some((at, at + n + comma + m))
    };
    match (1..tokens.len()).find_map(calm) {
        Some((from, to)) if to < tokens.len() => [&tokens[..from], &tokens[to..]].concat(),
        _ => tokens,
    }
}
