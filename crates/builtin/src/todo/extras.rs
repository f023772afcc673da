//! What is said with a new to-do besides its date, tags and list: notes, subtasks, and a reminder, which nothing here
//! can give.

use crate::lex::{Kind, Token, longest, starts, text_of};

/// Where a new to-do's words end and its notes begin: "…, note: …", "… with a note that …". Where the title ends, and
/// where the note begins.
pub fn notes(tokens: &[Token]) -> Option<(usize, usize)> {
    const NOTE: &str = "note|notes|comment|comments|description|remark";
    (1..tokens.len()).find_map(|at| {
        let rest = &tokens[at..];
        let set_off = tokens[at - 1].kind == Kind::Sign || tokens[at - 1].of("- – — and");
        let with =
            starts(rest, "with|and a|the|an").or_else(|| starts(rest, "with")).filter(|_| rest[0].is("with"));
        let n = with.unwrap_or(0);
        let n = n + starts(rest.get(n..)?, NOTE)?;
        let next = rest.get(n)?;
        let said = next.sign(":") || with.is_some() && next.kind == Kind::Quoted;
        let told = with.and_then(|_| {
            starts(&rest[n..], "that|saying").or_else(|| starts(&rest[n..], "that|which says"))
        });
        let begin = if next.sign(":") { n + 1 } else { n + told.unwrap_or(0) };
        ((said || told.is_some()) && (with.is_some() || set_off) && at + begin < tokens.len())
            .then_some((at, at + begin))
    })
}

/// A note's words as they were typed.
pub fn note_text(tokens: &[Token], bracket: bool) -> String {
    let tokens = match tokens {
        [inner @ .., last] if bracket && last.sign(")") => inner,
        tokens => tokens,
    };
    text_of(tokens)
}

/// Where a new to-do's subtasks begin: "… with subtasks …", "…, steps: …". Where the title ends, and where they begin.
pub fn subtasks(tokens: &[Token]) -> Option<(usize, usize)> {
    const PARTS: &[&str] = &["subtasks|sub-tasks|subtodos|subtask|sub-task", "sub tasks|todos", "sub to-dos"];
    const STEPS: &[&str] = &["steps|parts|checklist|items|stages|phases|pieces|bits|stuff"];
    (1..tokens.len()).find_map(|at| {
        let rest = &tokens[at..];
        let set_off = tokens[at - 1].kind == Kind::Sign || tokens[at - 1].of("- – —");
        let with = longest(rest, &[
            "with|and",
            "with|and the|a|these|some|following",
            "with|and two|three|four|five|six|several",
            "with|and 2|3|4|5|6",
            "with|and the following",
            "broken|split|divided into|in",
            "consisting of|made up of",
            "and break|split|divide|chop|cut it|that|this into|in",
            "and break|split|divide|chop|cut it|that|this up|down into|in",
            "and break|split|divide|chop|cut it|that|this into|in the|these|two|three|four|five|some|following",
            "and break|split|divide|chop|cut it|that|this up|down into|in the|these|two|three|four|five|some|following",
            "and break|split|divide|chop|cut it|that|this up|down into|in the following",
            "break|split|divide|chop it|that|this into|in",
            "break|split|divide|chop it|that|this up|down into|in",
            "and give it",
            "and give it the|these|two|three|four",
            "in two|three|four|five|2|3|4|5",
        ]);
        let lead = with.unwrap_or(0);
        let of = |words: &[&str]| longest(rest.get(lead..)?, words);
        let colon = |n: &usize| rest.get(lead + n).is_some_and(|t| t.sign(":"));
        // "With steps pack, drive and clean": several are named.
        let named = |n: &usize| {
            let names = rest.get(lead + n..).unwrap_or_default();
            let word = names.first().is_some_and(|t| t.kind != Kind::Sign && !t.of("and or to for of"));
            word && names.iter().any(|t| t.sign(",") || t.sign(";") || t.of("and"))
        };
        // "Break it into a, b and c" needs no word for what they are.
        let direct = || (lead > 1 && rest[lead - 1].of("into in of") && named(&0)).then_some(0);
        let n = of(PARTS).or_else(|| of(STEPS).filter(|n| colon(n) || named(n))).or_else(direct)?;
        let begin = lead + n + usize::from(colon(&n));
        (with.is_some() || set_off && (colon(&n) || named(&n))).then_some((at, at + begin))
    })
}
