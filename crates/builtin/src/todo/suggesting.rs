//! Words that read like a to-do though nothing said so: offered, never added unasked.

use crate::lex::{Kind, Token, after, lex};
use crate::todo::adding::{draft, drafts, enumerated, with_extras};
use crate::todo::attrs::{Lexicon, list_name, names_list};
use crate::todo::extras::{self, note_text};
use crate::todo::intent::{Beyond, Clause, Draft, Intent, Target};
use crate::todo::openings::requires;
use crate::todo::{answer, questions};
use crate::verbs::{DOING, may_open};

/// Words of people who talk about something else.
const TALK: &str =
    "i i'm i've we you it it's that is are was see what how why not no don't never from until done to";

/// Words that read like a to-do though nothing said so.
pub fn suggestion(tokens: &[Token], lexicon: &Lexicon) -> Option<Intent> {
    if let Some(rest) = after(
        tokens,
        &[
            "need",
            "i|we need",
            "i|we still need",
            "we're|i'm out of",
            "we are out of",
            "we're|i'm|we|i nearly|almost|all|running|run|ran out of",
            "we're|i'm nearly|almost|all|also|now|totally|completely|clean out of",
            "we're|i'm running low on|of",
        ],
    ) {
        let thing = rest.len() <= 7 && rest.first().is_some_and(|t| !t.of("to you help it that them more"));
        return thing.then(|| draft(rest, lexicon)).flatten().map(Intent::Suggest);
    }
    // "Someone has to pick up the kids at 3"
    const SOMEBODY: &[&str] = &["someone|somebody has|needs|ought to", "someone|somebody must|should"];
    if let Some(rest) = after(tokens, SOMEBODY).filter(|rest| (2..=15).contains(&rest.len())) {
        return draft(rest, lexicon).map(Intent::Suggest);
    }
    // "Bake a cake for sunday, must be gluten free"
    if let Some(at) = (2..tokens.len()).find(|at| tokens[*at - 1].sign(",") && requires(&tokens[*at..]))
        && let Some(Intent::Suggest(draft)) = suggestion(&tokens[..at - 1], lexicon)
    {
        return Some(Intent::Suggest(Draft { notes: Some(note_text(&tokens[at..], false)), ..draft }));
    }
    // "I have a dentist appointment on friday at 3"
    const HAVE: &[&str] =
        &["i|we have|got a|an|my", "i've|we've got a|an|my", "there's a|an", "we're having a|an"];
    if let Some(rest) = after(tokens, HAVE).filter(|rest| rest.len() <= 12) {
        return draft(rest, lexicon).filter(|d| d.attrs.when.is_some()).map(Intent::Suggest);
    }
    let first = tokens.first()?;
    // "dinner party saturday 7 with subtasks shop and cook"
    if (extras::subtasks(tokens).is_some() || extras::notes(tokens).is_some())
        && !tokens.iter().take(2).any(|t| t.of(TALK))
    {
        let mut drafts = with_extras(tokens, lexicon);
        let draft = if drafts.len() == 1 { drafts.pop() } else { None }?;
        let filled = draft.notes.is_some() || draft.parts.as_ref().is_some_and(|parts| !parts.is_empty());
        return (filled && !draft.title.is_empty()).then_some(Intent::Suggest(draft));
    }
    // "shopping: bread, cheese, wine"
    if let Some(colon) = tokens.iter().position(|t| t.sign(":")).filter(|colon| (1..=2).contains(colon))
        && let Some(name) = tokens[..colon].iter().find(|t| names_list(t, lexicon))
        && tokens[..colon].iter().all(|t| names_list(t, lexicon) || t.is("list"))
    {
        let mut things = enumerated(&tokens[colon + 1..], lexicon);
        things.iter_mut().for_each(|draft| draft.attrs.list = Some(list_name(&name.text, lexicon)));
        if !things.is_empty() {
            return Some(offered(things, lexicon));
        }
    }
    // "buy flowers on sunday and also ring grandma": two to-dos, offered together.
    let opens = may_open(&first.lower);
    if first.any(DOING) || opens {
        let several = drafts(tokens, lexicon);
        let deed =
            |draft: &Draft| draft.title.split(' ').next().is_some_and(|word| may_open(&word.to_lowercase()));
        if (2..=6).contains(&several.len()) && tokens.len() <= 40 && several.iter().all(deed) {
            return Some(offered(several, lexicon));
        }
    }
    // "gym tomorrow", "yoga mondays at 7", "lunch with Kim at noon on friday": a few words with a date.
    // What already happened is no plan: "the car already had its wash this morning".
    const PAST: &[&str] = &["already", "were", "hasn't", "haven't", "didn't", "wasn't", "weren't"];
    if tokens.iter().any(|t| t.any(PAST)) {
        return None;
    }
    let repeats = tokens.iter().any(|t| t.of("every each daily weekly monthly"));
    let few = (2..=14).contains(&tokens.len())
        && !tokens.iter().any(|t| t.of(TALK) && !(t.is("until") && repeats) || t.kind == Kind::Quoted);
    if few
        && let Some(draft) = draft(tokens, lexicon)
            .filter(|d| d.attrs.when.is_some() || d.attrs.repeat.is_some())
            .filter(|d| d.title.split(' ').count() <= 6)
    {
        return (!draft.title.ends_with(" to")).then_some(Intent::Suggest(draft));
    }
    let enough = tokens.len() > 1 && tokens.len() <= 15;
    let thing = !tokens.get(1)?.of("it that them this me you the") || tokens.len() > 2;
    // "Defrost the freezer": what stands before an article at the front is a verb.
    let article = tokens[1].of("the my our a an some his her their new");
    let name = first.of("tell wish thank congratulate invite ask remind ring see visit");
    let imperative =
        (article && opens || name && tokens[1].text.starts_with(char::is_uppercase)) && !first.of(TALK);
    ((first.any(DOING) || imperative) && enough && thing)
        .then(|| draft(tokens, lexicon))
        .flatten()
        .map(Intent::Suggest)
}

/// Clauses of which each only may be a to-do are offered together.
pub fn together(clauses: &[Clause], lexicon: &Lexicon) -> Option<Intent> {
    let draft = |clause: &Clause| match &clause.intent {
        Intent::Suggest(draft) => Some(draft.clone()),
        _ => None,
    };
    let drafts: Option<Vec<Draft>> = clauses.iter().map(draft).collect();
    drafts.filter(|drafts| drafts.len() > 1).map(|drafts| offered(drafts, lexicon))
}

/// Several to-dos that were told without an order to add them.
pub fn offered(drafts: Vec<Draft>, lexicon: &Lexicon) -> Intent {
    let said = |draft: &Draft| {
        let wanted = answer::wanted(&draft.attrs, Some(lexicon.now));
        let comma = if wanted.is_empty() { "" } else { ", " };
        format!("{}{comma}{wanted}", crate::text::quoted(&draft.title))
    };
    let all: Vec<String> = drafts.iter().map(said).collect();
    if let [only] = drafts.as_slice() {
        return Intent::Suggest(only.clone());
    }
    let deed = drafts.iter().any(|draft| draft.beyond == Some(Beyond::Deed));
    let cannot = if deed { "I cannot do that myself; I only keep to-dos. " } else { "" };
    let text = format!(
        "{cannot}Shall I add these as {} to-dos? (yes or no)\n\n- {}",
        drafts.len(),
        all.join("\n- ")
    );
    let drafts = drafts.into_iter().map(|draft| Draft { beyond: None, ..draft }).collect();
    Intent::Confirm(text, Box::new(Intent::Add(drafts)))
}

/// The to-do that a command about none that is there may be: people have filters to change and boilers to check.
pub fn rather(said: &str, intent: &Intent, lexicon: &Lexicon) -> Option<Draft> {
    const VERBS: &[&str] = &[
        "change", "cancel", "check", "close", "clear", "move", "drop", "finish", "clean", "update", "set",
        "remove", "empty", "take", "get", "put", "shift", "mark", "give", "label", "split", "copy", "edit",
        "chop", "cut", "slice", "carve", "separate", "repeat",
    ];
    let tokens = lex(said);
    let verb = tokens.first()?.any(VERBS) && tokens.len() > 1;
    let command = tokens
        .iter()
        .any(|t| t.of("todo task to-do todos tasks as list tag priority deadline date note notes"));
    // In quotes stands a to-do's title, or that of a book to be finished by a day.
    let quoted = tokens.iter().any(|t| t.kind == Kind::Quoted);
    let named = matches!(questions::aim_of(intent), Some(Target::Named(named)) if !named.text.is_empty());
    let off = tokens.iter().any(|t| t.of("off from done to"));
    let draft = (verb && named && !command && !off).then(|| draft(&tokens, lexicon)).flatten()?;
    (draft.title.contains(' ') && (!quoted || draft.attrs.when.is_some())).then_some(draft)
}
