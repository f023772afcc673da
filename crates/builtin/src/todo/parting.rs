//! Subtasks in freer words: "the talk also needs print handouts as a step", "put handouts under the talk", "give the
//! move the steps pack and clean", "under the talk, add handouts and a dry run".

use crate::lex::{Kind, Token, after, before, found, lex, longest, starts, text_of, trim_signs};
use crate::text::quoted;
use crate::todo::adding;
use crate::todo::attrs::{Attrs, Lexicon, names_list};
use crate::todo::intent::{Draft, Intent, Patch, Target};
use crate::todo::making::add;
use crate::todo::plan::{Halt, Run, Step, Wants};
use crate::todo::rows::Todo;
use crate::todo::target::target;

/// One part, and several.
const STEP: &str = "step|subtask|sub-task|substep|sub-step|part|piece|subtodo|bullet|point";
const STEPS: &str =
    "steps|subtasks|sub-tasks|substeps|sub-steps|parts|pieces|subtodos|bullets|points|stages|phases";
/// How many, which, and of what kind.
const COUNTED: &[&str] = &[
    "a",
    "an",
    "the",
    "another",
    "one",
    "one more",
    "two|three|four|five|six|several|some|more|these|those|following|extra|new|further|additional|2|3|4|5|6",
    "second|third|fourth|fifth|sixth|next|last|final|first|2nd|3rd|4th|5th",
    "extra|new|further|additional|small|separate|own",
];
/// What stands between a word for parts and their names.
const NAMELY: &[&str] = &[
    "namely", "called|named|titled|saying", "which is|are", "i.e", "that is", "are|is", "like", "being",
    "such as", "for|to",
];
/// Words that are no name of what has steps.
const STEPS_OF: &str = "with following these two three its";
/// Where parts belong.
const UNDER: &str = "under|beneath|below|underneath|inside|within";

/// Reads a clause that gives a to-do subtasks.
pub fn parting(tokens: &[Token], question: bool, lexicon: &Lexicon) -> Option<Intent> {
    let tokens = trim_signs(tokens);
    let first = tokens.first()?;
    if tokens.len() < 3 {
        return None;
    }
    if first.of("add create put insert stick include attach append slot place list make new another one")
        && let Some(found) = ordered(tokens, lexicon)
    {
        return Some(found);
    }
    if let Some(rest) =
        after(tokens, &["under|beneath|below|underneath|inside|within|for|to|in", "in the case of"])
        && let Some(found) = in_front(tokens, rest, lexicon)
    {
        return Some(found);
    }
    if first.of("tack append attach bolt hook pin")
        && let Some(at) = (2..tokens.len()).rev().find(|at| starts(&tokens[*at..], "onto|to").is_some())
    {
        let names = before(&tokens[1..at], &["on"]).unwrap_or(&tokens[1..at]);
        let Some(Intent::Under(aim, drafts)) = under(&tokens[at + 1..], names, lexicon, true) else {
            return None;
        };
        return Some(Intent::Beneath(aim, drafts));
    }
    if let Some(rest) = after(tokens, &["give", "let"]) {
        let at = (1..rest.len()).find(|at| parts_at(&rest[*at..]).is_some())?;
        let n = clear_parts(&rest[at..])?;
        let aim = before(&rest[..at], &["have|get"]).unwrap_or(&rest[..at]);
        return under(aim, &rest[at + n..], lexicon, true);
    }
    if let Some(found) = behind_colon(tokens, lexicon).or_else(|| divided(tokens, lexicon)) {
        // "The talk should be split into a and b?" wonders about it.
        let wonders = question && tokens.iter().take(8).any(|t| t.of("should is are must needs"));
        return match &found {
            Intent::Under(aim, drafts) if wonders && !drafts.is_empty() => Some(wondered(aim, drafts)),
            _ => Some(found),
        };
    }
    let wish = after(tokens, &["i|we want|need|wish", "i'd|we'd like", "i|we would like"]);
    if question { None } else { told(wish.unwrap_or(tokens), lexicon) }
}

/// "The talk: add a subtask for the handouts", "the talk, it needs the steps …".
fn behind_colon(tokens: &[Token], lexicon: &Lexicon) -> Option<Intent> {
    let at = (1..tokens.len().min(6)).find(|at| tokens[*at].sign(":") || tokens[*at].sign(","))?;
    const VERB: &[&str] = &[
        "add|put|create|make|include|needs|need|gets|has",
        "please add|put|create|include",
        "also add|needs",
        "can you add",
        "it needs|gets|should",
        "should have|get",
    ];
    // "The talk's subtasks please: handouts, dry run", "subtasks for the talk: …"
    let head = before(&tokens[..at], &["please", "are", "now", "too"]).unwrap_or(&tokens[..at]);
    let several = &tokens[at + 1..];
    if tokens[at].sign(":")
        && let Some(aim) = before(head, &["subtasks|sub-tasks|substeps|sub-steps|steps"])
    {
        return under(after(aim, &["new|more"]).unwrap_or(aim), several, lexicon, true);
    }
    if tokens[at].sign(":")
        && let Some(aim) = after(
            head,
            &["subtasks|sub-tasks|substeps|steps for|of|to|in", "the|new|more subtasks|steps for|of|to|in"],
        )
    {
        return under(aim, several, lexicon, true);
    }
    let rest = after(&tokens[at + 1..], VERB)?;
    let n = noun(rest)?;
    let led = lead(&rest[n..]);
    let names = &rest[n + led..];
    (led > 0 && !names.is_empty()).then(|| under(&tokens[..at], names, lexicon, true)).flatten()
}

/// "Turn the report into smaller steps", "the report should be split into outline, draft and review".
fn divided(tokens: &[Token], lexicon: &Lexicon) -> Option<Intent> {
    const INTO: &[&str] = &["into|in", "up|down|apart into|in"];
    let names = |rest: &[Token]| {
        let n = crate::todo::subtasks::pieces(rest);
        (n, trim_signs(&rest[n..]).to_vec())
    };
    if let Some(rest) = after(tokens, &["turn|make|convert|transform|change"]) {
        let at = (1..rest.len()).find(|at| starts(&rest[*at..], "into").is_some())?;
        let (n, parts) = names(&rest[at + 1..]);
        return (n > 0).then(|| under(&rest[..at], &parts, lexicon, true)).flatten();
    }
    // "break the report down", "split up the report"
    if let Some(rest) = after(tokens, &["break|split|divide|chop", "break|split|divide|chop up|down"])
        && !rest.iter().any(|t| t.of("into in with by from for between among on") || t.sign(":"))
    {
        let aim = before(rest, &["up|down|apart", "up|down a bit|little", "up|down for me"]).unwrap_or(rest);
        let opened = rest.len() + 1 < tokens.len() || aim.len() < rest.len();
        return opened.then(|| under(aim, &[], lexicon, true)).flatten();
    }
    const SPLIT: &[&str] = &[
        "should|could|can|must|may|might be split|broken|divided|chopped",
        "needs|need|has|have|wants to be split|broken|divided|chopped",
        "split|broken|divided|chopped|cut|sliced",
        "needs splitting|dividing",
        "needs breaking",
        "is|are split|broken|divided|made",
        "splits|breaks|divides",
        "should|could|can be made",
    ];
    let split = found(tokens, 1..8, SPLIT)?;
    let rest = &tokens[split.end..];
    let (n, parts) = match after(rest, INTO) {
        Some(rest) => names(rest),
        None if starts(rest, "up|down") == Some(rest.len()) => (1, Vec::new()),
        None => return None,
    };
    if n == 0 && parts.is_empty() {
        return None;
    }
    under(&tokens[..split.start], &parts, lexicon, n > 0)
}

/// "A third step", "the following steps", "subtasks": how many words, with what leads over to the names.
fn parts_at(tokens: &[Token]) -> Option<usize> {
    let n = noun(tokens)?;
    Some(n + lead(&tokens[n..]))
}

/// The same, where it is clear that parts are meant and follow: "the steps pack and clean", "a step: pack"; not "a piece
/// of my mind", "a step stool".
fn clear_parts(tokens: &[Token]) -> Option<usize> {
    const PARTS: &[&str] = &["step", "subtask", "sub-task", "substep", "sub-step", "subtodo"];
    let n = noun(tokens)?;
    let rest = &tokens[n..];
    let (word, several) = (&tokens[n - 1], starts(&tokens[n - 1..], STEPS).is_some());
    let led = lead(rest);
    let set_off = led > 0 && !rest[0].of("for to like is are being");
    let plain = word.any(PARTS) && (led > 0 || rest.is_empty());
    // "The points of order", "a piece of cake".
    let of = rest.first().is_some_and(|t| t.of("of in on at from with"));
    let steps = several && !word.of("pieces parts points phases stages");
    (!of && (set_off || plain || steps || several && rest.len() > 1)).then_some(n + led)
}

/// Asks whether to-dos are to be subtasks of another one.
fn wondered(aim: &Target, drafts: &[Draft]) -> Intent {
    let titles: Vec<String> = drafts.iter().map(|draft| quoted(&draft.title)).collect();
    let whole = match aim {
        Target::Named(named) => quoted(&named.text),
        _ => "it".to_owned(),
    };
    let many = if drafts.len() == 1 { "a subtask" } else { "subtasks" };
    let text = format!("Shall I add {} to {whole} as {many}? (yes or no)", titles.join(" and "));
    Intent::Confirm(text, Box::new(Intent::Under(aim.clone(), drafts.to_vec())))
}

/// How many words a word for parts takes, with its article and number.
fn noun(tokens: &[Token]) -> Option<usize> {
    let mut n = 0;
    while let Some(k) = longest(&tokens[n..], COUNTED) {
        n += k;
        if n > 4 {
            return None;
        }
    }
    starts(&tokens[n..], STEP).or_else(|| starts(&tokens[n..], STEPS)).map(|k| n + k)
}

/// Signs and words that lead over to names.
fn lead(tokens: &[Token]) -> usize {
    let sign = |at: usize| tokens.get(at).is_some_and(|t| t.sign(":") || t.sign(",") || t.of("- – —"));
    let mut n = usize::from(sign(0));
    n += longest(tokens.get(n..).unwrap_or_default(), NAMELY).unwrap_or(0);
    n + usize::from(sign(n))
}

/// Subtasks of what the words say; with `one`, a single name will do.
fn under(aim: &[Token], names: &[Token], lexicon: &Lexicon, one: bool) -> Option<Intent> {
    let aim = trim_signs(aim);
    let odd = ["i", "we", "you", "he", "she", "what", "who", "there", "which", "that's", "it's"];
    if aim.is_empty() || aim.len() > 8 || aim[0].any(&odd) || aim.iter().any(|t| t.kind == Kind::Sign) {
        return None;
    }
    let mut drafts = adding::enumerated(trim_signs(names), lexicon);
    crate::todo::cues::in_plain_form(&mut drafts);
    if drafts.len() < 2 && !one && !drafts.is_empty() {
        return None;
    }
    match target(aim, lexicon) {
        Target::Missing | Target::Every { .. } => None,
        aim => Some(Intent::Under(aim, drafts)),
    }
}

/// "Add a third step to the talk, namely print handouts", "add print handouts as a step to the talk", "put handouts
/// under the talk".
fn ordered(tokens: &[Token], lexicon: &Lexicon) -> Option<Intent> {
    const TO: &str = "to|for|of|in|on|under|into|onto|beneath|below";
    let rest = &tokens[1..];
    // "a third step to the talk, namely …", "a step called … to the talk"
    let opened = if tokens[0].of("another one new") { tokens } else { rest };
    if let Some(n) = noun(opened) {
        let plain =
            opened[..n].last().is_some_and(|t| t.of("step steps substep substeps sub-step sub-steps"));
        // "Add another part to the shopping list" names a thing.
        let more = opened[..n]
            .iter()
            .any(|t| t.of("another more new extra further additional second third fourth next last final"));
        let behind = &opened[n..];
        if (plain || more)
            && let Some(aim) = after(behind, &[TO])
        {
            let end =
                aim.iter().position(|t| t.kind == Kind::Sign || t.of("namely called named titled saying"));
            let (aim, names) = aim.split_at(end.unwrap_or(aim.len()));
            if !aim.first().is_some_and(|t| names_list(t, lexicon)) && !aim.iter().any(|t| t.is("list")) {
                return under(aim, &names[lead(names)..], lexicon, true);
            }
        }
        if (plain || more) && lead(behind) > 0 {
            let names = &behind[lead(behind)..];
            let at = (1..names.len()).rev().find(|at| starts(&names[*at..], TO).is_some())?;
            return under(&names[at + 1..], &names[..at], lexicon, true);
        }
    }
    // "print handouts as a step to the talk"
    let as_part = (1..rest.len()).find_map(|at| {
        let n = starts(&rest[at..], "as")?;
        let n = n + noun(&rest[at + n..])?;
        Some((at, at + n + after(&rest[at + n..], &[TO]).map(|_| 1)?))
    });
    if let Some((at, aim)) = as_part {
        return under(&rest[aim..], &rest[..at], lexicon, true);
    }
    // "print handouts to the talk as a step"
    if let Some(cut) = (1..rest.len())
        .find(|cut| rest[*cut].is("as") && noun(&rest[cut + 1..]).is_some_and(|n| cut + 1 + n == rest.len()))
    {
        let at = (1..cut).rev().find(|at| starts(&rest[*at..cut], TO).is_some())?;
        return under(&rest[at + 1..cut], &rest[..at], lexicon, true);
    }
    // "handouts to the talk's subtasks", "to the steps of the talk"
    if let Some(at) = (1..rest.len()).rev().find(|at| starts(&rest[*at..], TO).is_some()) {
        let aim = &rest[at + 1..];
        let of = at > 1 && aim.len() < 5 && rest[at].of("of for");
        let steps = &["subtasks|sub-tasks|substeps|sub-steps|steps|checklist"];
        if let Some(aim) = before(aim, steps).filter(|aim| !aim.is_empty() && !aim[0].of(STEPS_OF)) {
            return under(aim, &rest[..at], lexicon, true);
        }
        if of
            && let Some(front) = before(
                &rest[..at],
                &[
                    "to|in|under|into|onto the subtasks|sub-tasks|substeps|steps|checklist",
                    "to|in|under|into|onto its subtasks|steps",
                ],
            )
        {
            return under(aim, front, lexicon, true);
        }
    }
    // "handouts and a dry run under the talk"
    let at = (1..rest.len()).rev().find(|at| starts(&rest[*at..], UNDER).is_some())?;
    let aim = &rest[at + 1..];
    let listed = aim.last()?.of("list tag") || aim.iter().any(|t| names_list(t, lexicon));
    let place = aim.first()?.of("there an a") || rest[0].of("it them that those everything");
    if listed || place {
        return None;
    }
    // "put a note saying hello under the passport"
    let note = after(
        &rest[..at],
        &["a|the note|comment|remark saying", "a|the note|comment|remark that says|reads"],
    )
    .or_else(|| after(&rest[..at], &["a|the note|comment|remark"]).filter(|said| said[0].sign(":")));
    if let Some(said) = note.map(trim_signs).filter(|said| !said.is_empty()) {
        let patch = Patch { notes: Some(text_of(said)), ..Patch::default() };
        return Some(Intent::change(target(aim, lexicon), patch));
    }
    let names = before(&rest[..at], &["as|is|are", "as subtasks|steps"]).unwrap_or(&rest[..at]);
    let Some(Intent::Under(aim, drafts)) = under(aim, names, lexicon, true) else { return None };
    Some(Intent::Beneath(aim, drafts))
}

/// "Under the talk, add handouts and a dry run", "for the talk add the steps …".
fn in_front(tokens: &[Token], rest: &[Token], lexicon: &Lexicon) -> Option<Intent> {
    const VERB: &[&str] =
        &["add|put|create|make|include|list|insert", "please add|put", "i|we need", "i'd like", "also add"];
    let verb = found(rest, 1..9, VERB)?;
    let names = &rest[verb.end..];
    // "For the talk I need a step stool" names a thing.
    let wish = rest[verb.clone()].iter().any(|t| t.of("need like"));
    let thing = names.len() == parts_at(names).unwrap_or(0) + 1;
    let named = if wish || thing { clear_parts(names) } else { parts_at(names) };
    let named = named.filter(|n| !names.get(*n).is_some_and(|t| t.of("of in")));
    let beneath = starts(tokens, UNDER).is_some();
    if named.is_none() && !beneath {
        return None;
    }
    under(&rest[..verb.start], &names[named.unwrap_or(0)..], lexicon, true)
}

/// "The talk also needs print handouts as a step", "the move has three parts: pack, drive and clean".
fn told(tokens: &[Token], lexicon: &Lexicon) -> Option<Intent> {
    const NEEDS: &[&str] = &[
        "needs|need|gets|get|has|have|wants|takes|requires|includes",
        "also|still needs|need|gets|has|wants|requires",
        "should|could|must|will|can have|get|include|use",
        "should|could|must also have|get|include|use",
        "is|are missing",
        "is|are still missing",
        "lacks",
        "to have|get|include",
        "to consist of",
    ];
    let needs = found(tokens, 1..8, NEEDS)?;
    let (aim, said) = (&tokens[..needs.start], &tokens[needs.end..]);
    // "… handouts, put that in as a step"
    const PUT: &[&str] = &[
        "put|add|include|note|list that|it|this|them",
        "put|add|include|note|list that|it|this|them in|on|down|there",
    ];
    if let Some(put) = found(said, 1..said.len(), PUT) {
        let (names, order) = (&said[..put.start], &said[put.end..]);
        let order = before(order, &["please", "thanks"]).unwrap_or(order);
        let n = after(order, &["as"]).and_then(noun)?;
        let names = before(trim_signs(names), &["and", "so", "please"]).unwrap_or(names);
        return (n + 1 == order.len()).then(|| under(aim, names, lexicon, true)).flatten();
    }
    // "… as a step"
    if let Some(cut) = (1..said.len())
        .find(|cut| said[*cut].is("as") && noun(&said[*cut + 1..]).is_some_and(|n| cut + 1 + n == said.len()))
    {
        return under(aim, &said[..cut], lexicon, true);
    }
    let n = noun(said)?;
    let led = lead(&said[n..]);
    // "It has two parts" names none of them; "needs a step stool" no step.
    (led > 0).then(|| under(aim, &said[n + led..], lexicon, true)).flatten()
}

/// Adds subtasks to what has that name; or to-dos to the list that does.
pub fn beneath(run: &mut Run, aim: &Target, drafts: &[Draft]) -> Step<usize> {
    if let Target::Named(named) = aim {
        let all: Vec<Todo> = run.look()?;
        let name = before_list(&named.text);
        let list = all.iter().map(|todo| &todo.list).find(|list| list.eq_ignore_ascii_case(&name)).cloned();
        let titled = all.iter().any(|todo| todo.title.eq_ignore_ascii_case(&name));
        if let (Some(list), false) = (list, titled) {
            let listed = |draft: &Draft| {
                let attrs = Attrs { list: Some(list.clone()), ..draft.attrs.clone() };
                Draft { attrs, ..draft.clone() }
            };
            let drafts: Vec<Draft> = drafts.iter().map(listed).collect();
            return add(run, &drafts).map(|()| 0);
        }
    }
    // "Put a plate under the plants", "put the slides under the passport": may be meant otherwise.
    if !drafts.is_empty() {
        let open: Vec<Todo> = run.look()?.into_iter().filter(|todo| !todo.done).collect();
        let own = drafts.iter().find_map(|draft| {
            let title = before_list(&draft.title);
            open.iter().find(|todo| todo.title.eq_ignore_ascii_case(&title))
        });
        if let Some(own) = own {
            let said = format!("{} is a to-do of its own, and stays one.", quoted(&own.title));
            let Intent::Confirm(text, command) = wondered(aim, drafts) else { return Ok(0) };
            return Err(Halt::Ask {
                text: format!("{said} {text}"),
                wants: Box::new(Wants::Confirm(*command)),
            });
        }
        let single = |draft: &Draft| {
            draft.title.split(' ').next().is_some_and(|word| ["A", "An", "My", "Your"].contains(&word))
        };
        if drafts.iter().all(single) {
            let Intent::Confirm(text, command) = wondered(aim, drafts) else { return Ok(0) };
            return Err(Halt::Ask { text, wants: Box::new(Wants::Confirm(*command)) });
        }
    }
    crate::todo::subtasks::under(run, aim, drafts)
}

/// A list's name without its article.
fn before_list(text: &str) -> String {
    let tokens = lex(text);
    text_of(after(&tokens, &["the|my|our"]).unwrap_or(&tokens))
}
