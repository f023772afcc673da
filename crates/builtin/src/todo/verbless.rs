//! A to-do said without a verb: "dinner with the Hendersons on friday at half past seven", "shepherd costume (the brown
//! one) friday", "birthday card for Nina". It is offered, never added unasked.

use dates::when::when;

use crate::lex::{Kind, Token, nested, trim_signs};
use crate::phrases::plain;
use crate::todo::adding::draft;
use crate::todo::attrs::Lexicon;
use crate::todo::closing::unthanked;
use crate::todo::intent::Intent;
use crate::verbs::is_participle;

/// Words of people who talk about themselves, ask or order: none of them opens a thing.
const FIRST: &str = "i i'm i've i'd i'll we we're we've we'll you you're he she they they're it it's that that's this \
     these those there there's what what's how how's why who who's when when's where where's which whose \
     is are am was were do does did don't can could would should will may might must has have had not no \
     yes never nothing please thanks thank sorry if because but and or so since until then show list tell \
     give find search delete remove undo complete mark move change rename set tag help all any anything \
     everything everyone somebody someone nobody none hello hi hey ok okay well good great nice cool stop \
     wait let let's only just maybe also still already more less same as after before \
     from to with without for of on in at by about ignore forget pretend act repeat say speak write \
     translate explain describe summarize summarise print reveal see look done finished leave keep skip \
     drop off";
/// Words with which something is told, wherever they stand.
const TELLS: &str = "is isn't are aren't was wasn't were weren't am i'm has hasn't have haven't had did didn't does \
     doesn't don't can can't could couldn't would wouldn't should shouldn't will won't must might i i've \
     i'll i'd we we're we've we'll you you're it's that's there's he's she's they're what what's why how \
     which needs need wants please instead anymore because not never no longer todo todos to-do to-dos \
     task tasks overdue priority deadline list already";
/// What joins the parts of a thing's name: with one of these a few words are one, also without a date.
const LINKS: &str = "for with w at of about re from in & and on vs";

/// The to-do that words without a verb may be: with a day, or with words that link two things.
pub fn verbless(all: &[Token], lexicon: &Lexicon) -> Option<Intent> {
    if all.last().is_some_and(|t| t.sign("?")) {
        return None;
    }
    let ordered = day_last(trim_signs(unthanked(plain(all))), lexicon);
    let tokens = ordered.as_slice();
    let first = tokens.first()?;
    if !(2..=26).contains(&tokens.len()) || first.of(FIRST) || tokens.last()?.of("to and or the a") {
        return None;
    }
    // What stands in brackets is a remark, and may tell anything.
    let inner = nested(tokens);
    let outside = || tokens.iter().zip(&inner).filter(|(_, inner)| !**inner).map(|(token, _)| token);
    if outside().any(|t| t.of(TELLS)) {
        return None;
    }
    let signs =
        outside().filter(|t| t.kind == Kind::Sign && !t.sign(",") && !t.sign("(") && !t.sign(")")).count();
    let draft = draft(tokens, lexicon).filter(|draft| !draft.title.ends_with(" to"))?;
    let words = draft.title.split(' ').count();
    let dated = draft.attrs.when.is_some() || draft.attrs.repeat.is_some();
    let told = outside().any(|t| t.kind == Kind::Word && is_participle(&t.lower) && t.lower.ends_with("ed"));
    let letters = draft.title.chars().filter(|c| c.is_alphabetic()).count() > 2;
    if dated {
        return (words <= 14 && signs <= 2 && letters).then_some(Intent::Suggest(draft));
    }
    let linked = tokens.len() > 2 && (outside().skip(1).any(|t| t.of(LINKS)) && !tokens[1].of("in on and"))
        || tokens.iter().any(|t| t.sign("("));
    (linked && !told && words <= 9 && signs <= 1 && letters).then_some(Intent::Suggest(draft))
}

/// "School photos, wednesday, smart jumper": the day between the commas goes to the end.
fn day_last(tokens: &[Token], lexicon: &Lexicon) -> Vec<Token> {
    let comma = |at: usize| tokens.get(at).is_some_and(|t| t.sign(",") || t.sign(";"));
    let day = (2..tokens.len()).filter(|at| comma(at - 1)).find_map(|at| {
        let (n, found) = when(&tokens[at..], lexicon.now)?;
        (found.date.is_some() && comma(at + n)).then_some((at, n))
    });
    match day {
        Some((at, n)) => [&tokens[..at - 1], &tokens[at + n..], &tokens[at - 1..at + n]].concat(),
        None => tokens.to_vec(),
    }
}
