//! What stands beside a field that is taken away: the value it is to have instead ("… any longer, it's on friday"), what
//! else is taken off the same to-do, and what is said of another one.

use dates::repeat::repeat;
use dates::when::when;

use crate::todo::intent::{self, Clause, Due, Field, Intent, Patch, Taken, Target};
use std::ops::Range;

use crate::lex::{Kind, Token, after, exactly, lex, longest, starts, text_of, trim_signs};
use crate::todo::attrs::{Lexicon, peel_whole};
use crate::todo::linking::telling;
use crate::todo::taken_words::{OVER, SMALL};
use crate::todo::taking::{alone, field_at};

/// What was read behind the clause that takes away.
#[derive(Default)]
pub struct Rest {
    /// What it is to have instead, as it was said and as a change.
    pub instead: Option<(String, Box<Patch>)>,
    /// What was not read.
    pub unread: Vec<String>,
}

/// Words that lead over to a new value.
const LEADS: &str = "it it's its is they they're are now rather instead put make move them should be but just due \
         needs goes belongs repeats comes actually only that's set will to";
/// How much something matters.
const LEVELS: &[&str] = &["low", "medium", "high", "urgent"];

impl Rest {
    /// Reads a clause in which no field was found by itself.
    pub fn read(
        &mut self,
        tokens: &[Token],
        clause: Range<usize>,
        lexicon: &Lexicon,
        fields: &mut Vec<Field>,
        used: &mut [bool],
    ) {
        let words = &tokens[clause.clone()];
        let before = clause.start.checked_sub(1).map(|at| &tokens[at]);
        if before.is_some_and(|t| t.of("because since although so")) {
            return;
        }
        if let Some((others, n)) = listed(words, lexicon) {
            fields.extend(others.into_iter().filter(|field| !fields.contains(field)).collect::<Vec<_>>());
            used[clause.start..clause.start + n].fill(true);
            return;
        }
        let lead = words.iter().take_while(|t| t.of(LEADS)).count();
        let value = &words[lead..];
        let days = |at: usize| when(&value[at..], lexicon.now).map(|(_, said)| said);
        let level = |t: &Token| LEVELS.iter().copied().find(|level| t.is(level));
        // "No time for the talk, thursday is fine": the day is told beside it.
        let only_time = fields.as_slice() == [Field::Time];
        let day = |at| days(at).is_some_and(|said| said.time.is_none());
        if only_time && lead == 0 && (0..value.len()).any(day) {
            return;
        }
        let change = match value {
            [word] if level(word).is_some() => Some(Patch { priority: level(word), ..Patch::default() }),
            _ => peel_whole(value, lexicon).map(intent::patch),
        };
        let said = text_of(value);
        let kept = only_time && !value.is_empty() && day(0);
        if let Some(change) = change.filter(|_| self.instead.is_none() && !kept) {
            self.instead = Some((said, Box::new(change)));
            used[clause].fill(true);
            return;
        }
        let value_in = (0..value.len()).any(|at| {
            let token = &value[at];
            days(at).is_some()
                || repeat(&value[at..], lexicon.now).is_some()
                || level(token).is_some()
                || token.lower.chars().any(|c| c.is_ascii_digit())
        });
        let turned = lead > 0 && words[0].of("put make move set it's") || before.is_some_and(|t| t.is("but"));
        let small = value.iter().all(|t| !telling(t));
        if value_in || turned && !small {
            self.unread.push(text_of(words));
            used[clause].fill(true);
        }
    }
}

/// "The talk isn't on thursday any longer, put it on friday": the day, or the hour, that goes is replaced at once, so
/// that the rest of it stays.
pub fn merged(clauses: &mut Vec<Clause>) {
    let mut at = 1;
    while at < clauses.len() {
        let (before, after) = clauses.split_at_mut(at);
        let next = &mut after[0];
        let only_due = |patch: &Patch| *patch == Patch { due: patch.due.clone(), ..Patch::default() };
        let Intent::Change(aim @ Target::It, patch) = &mut next.intent else {
            at += 1;
            continue;
        };
        if !only_due(patch) || !matches!(patch.due, Some(Due::At(_) | Due::Off(..))) {
            at += 1;
            continue;
        }
        // "It's no longer due thursday, move it to friday"
        if let Some(Clause { intent: Intent::Offer(of, gone, _), .. }) = before.last_mut()
            && only_due(gone)
            && matches!(gone.due, Some(Due::Never | Due::Day))
        {
            *aim = of.clone();
            clauses.remove(at - 1);
        } else if let Some(Clause { intent: Intent::Lift(taken), .. }) = before.last_mut()
            && taken.instead.is_none()
            && taken.more.is_empty()
            && taken.fields.iter().all(|field| matches!(field, Field::Date | Field::Time))
        {
            let tokens = lex(&next.text);
            let lead = tokens.iter().take_while(|t| t.of(LEADS)).count();
            taken.instead = Some((text_of(&tokens[lead..]), patch.clone()));
            clauses.remove(at);
        } else {
            at += 1;
        }
    }
}

/// "…, the tag or the date": fields and nothing else but of what; how many words.
fn listed(words: &[Token], lexicon: &Lexicon) -> Option<(Vec<Field>, usize)> {
    let mut fields = Vec::new();
    let mut at = 0;
    while at < words.len() {
        if let Some((n, field, _)) = field_at(words, at, Some(at), false, lexicon) {
            fields.push(field);
            at += n;
        } else if let Some(n) = longest(&words[at..], OVER) {
            at += n;
        } else if !fields.is_empty() && words[at].of("of on off from") {
            break;
        } else if words[at].any(SMALL) || words[at].of("and or nor") {
            at += 1;
        } else {
            return None;
        }
    }
    (!fields.is_empty()).then_some((fields, at))
}

/// Without the question behind a statement: "…, is it"; whether there was one.
pub fn unasked(tokens: &[Token]) -> (&[Token], bool) {
    const ASKS: &[&str] = &[
        "is|isn't|does|doesn't|can|can't|did|didn't|should|shouldn't|was|wasn't it",
        "are|aren't|do|don't they",
        "does|is it now|still",
        "am i right",
        "or is|does it",
        "or not",
    ];
    const BEHIND: &[&str] = &["right", "no", "correct", "yes", "yeah", "eh", "huh", "or", "true"];
    for at in 2..tokens.len() {
        // "No more than you do" compares.
        if starts(&tokens[at..], "any more|longer than").is_some() {
            return (&tokens[..at + 2], true);
        }
        let rest = &tokens[at..];
        let alone = rest.len() == 1 && rest[0].any(BEHIND) && tokens[at - 1].sign(",");
        if alone || exactly(rest, ASKS) {
            return (trim_signs(&tokens[..at]), true);
        }
    }
    (tokens, false)
}

/// With what was taken for talk at the end, where it asks or tells another time: "…, it's on friday".
pub fn uncut<'a>(all: &'a [Token], tokens: &'a [Token], lexicon: &Lexicon) -> &'a [Token] {
    if tokens.is_empty() || !tokens.iter().any(|t| t.of("longer anymore more")) {
        return tokens;
    }
    let Some(from) = all.windows(tokens.len()).position(|some| some == tokens) else { return tokens };
    let behind = trim_signs(&all[from + tokens.len()..]);
    let tells = behind.first().is_some_and(|t| t.of("it's its it they're"))
        && (0..behind.len()).any(|at| when(&behind[at..], lexicon.now).is_some());
    if tells || unasked(&all[from..]).1 { &all[from..] } else { tokens }
}

/// "The passport needs no date any longer and the dentist is urgent": each clause with its own to-do.
pub fn parted(tokens: &[Token], lexicon: &Lexicon) -> Option<Taken> {
    const CUTS: &[&str] = &["and", "but", "while", "whereas"];
    for at in 3..tokens.len().saturating_sub(2) {
        if !tokens[at].any(CUTS) && !tokens[at].sign(",") && !tokens[at].sign(";") && !tokens[at].sign(".") {
            continue;
        }
        let right = trim_signs(&tokens[at + 1..]);
        let right = after(right, &["and|but|while|whereas|then"]).unwrap_or(right);
        if !subject(right) {
            continue;
        }
        let Some(mut taken) = alone(trim_signs(&tokens[..at]), false, lexicon) else { continue };
        if !taken.words.iter().any(telling) {
            continue;
        }
        let meant = match crate::todo::parse::understood(right, lexicon) {
            // "Normal is fine" is said of the same.
            Intent::Lift(other) if !other.words.iter().any(telling) => continue,
            Intent::Lift(other) => {
                taken.firm |= other.firm;
                Some(Intent::Lift(other))
            }
            Intent::Change(aim, patch) => Some(Intent::Change(aim, patch)),
            _ => {
                taken.firm = false;
                None
            }
        };
        taken.more.push((text_of(right), meant));
        return Some(taken);
    }
    None
}

/// Whether the words begin with something of which they tell.
fn subject(words: &[Token]) -> bool {
    const POINTS: &[&str] = &[
        "it", "it's", "its", "that", "that's", "this", "they", "they're", "these", "those", "i", "i'm",
        "i'd", "i've", "we", "we're", "you", "he", "she", "there", "what", "so", "on", "in", "at", "for",
        "from", "of", "to", "just", "only", "by", "without", "or", "no", "not", "nothing", "because",
        "since", "nobody", "put", "make", "take", "remove", "set", "move", "scrap", "drop", "delete",
    ];
    const VERBS: &[&str] = &[
        "is", "are", "isn't", "aren't", "needs", "need", "needn't", "has", "have", "does", "do", "doesn't",
        "don't", "should", "shouldn't", "must", "can", "belongs", "belong", "no", "won't",
    ];
    let Some(first) = words.first() else { return false };
    let verb = words.iter().take(7).position(|t| t.any(VERBS));
    !first.any(POINTS)
        && verb.is_some_and(|verb| {
            verb > 0
                && words[..verb].iter().any(telling)
                && words[..verb].iter().all(|t| t.kind != Kind::Sign)
                && words[..verb].iter().all(|t| !t.any(POINTS))
        })
}
