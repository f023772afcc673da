//! The phrases that make a sentence something other than a statement, or say how its numbers are meant.
//! English and German, folded, between bars; each is found with a space on both sides, so that it is whole
//! words.

/// Phrases (folded, with their spaces) that make a sentence advice, an offer, a draft or general knowledge.
const SOFT: &str = " \
    if | should | could | would | might | maybe | perhaps | shall | suggest | recommend | for example | \
    for instance | e g | such as | let me know | i can | id | how about | usually | often | typically | \
    generally | in general | normally | rule of thumb | tip | commonly | remember to | most people | \
    say | something like | along the lines | to reach | try | reply | type | please | want me | \
    want to | you can | consider | assuming | planned to | wenn | soll | sollte | konnte | vielleicht | \
    normalerweise | meist | ublicherweise | zum beispiel | z b | bitte | vorschlag | tipp | kannst | \
    mochtest | sag ";

/// Words (folded) that say that something is not.
const NEGATIONS: &str = " \
    no | not | nothing | none | never | nobody | without | cannot | cant | couldnt | didnt | doesnt | \
    dont | isnt | arent | wasnt | werent | wont | havent | hasnt | unable | fail | failed | fails | \
    error | declined | refused | nor | neither | instead | kein | keine | keinen | nicht | nichts | \
    ohne | leider ";

/// Words (folded) that claim that something was done.
const DONE: &str = " \
    added | created | completed | deleted | removed | moved | changed | updated | renamed | saved | \
    sent | booked | marked | ticked | done | finished | restored | imported | cancelled | canceled | \
    scheduled | geloscht | erledigt | angelegt | verschoben | geandert | gesendet | gebucht | \
    gespeichert | entfernt ";

/// Words (folded) after which a number is a part of what there is, which nobody can count from outside.
const PARTS: &str = " \
    of the | of them | of these | of those | of your | of my | of which | other | others | remaining | \
    rest | first | last | next | only | least | top | davon | andere | anderen | ersten | letzten | \
    nur | kann warten | konnen warten | besides | further | another ";

/// Words (folded) of a sum.
const SUMS: &str = " \
    total | totals | altogether | together | sum | in all | overall | combined | would be | \
    would cost | comes to | came to | adds up | insgesamt | zusammen | summe | gesamt ";

/// Words (folded) of a difference between two different things.
const DIFFERENCES: &str = " \
    left | leaves | remain | remains | remaining | over budget | under | above | below | short | \
    difference | more | less | than | cheaper | warmer | colder | higher | lower | bigger | smaller | \
    larger | longer | shorter | faster | slower | older | younger | heavier | lighter | further | \
    ahead | behind | apart | rose | fell | dropped | grew | gained | lost | up by | down by | \
    increase | increased | decrease | decreased | save | gap | between | margin | saves | ubrig | \
    bleiben | bleibt | mehr | weniger | als | unterschied ";

/// Words (folded) before a number that is not meant exactly.
const ABOUT: &str = " \
    about | around | roughly | nearly | almost | approximately | approx | circa | ca | over | \
    more than | less than | some | etwa | rund | knapp | ungefahr | uber | fast ";

/// Phrases (folded) before a number that is a bound: nobody is held to how near it is.
const BOUNDS: &str = " \
    more than | less than | fewer than | at least | at most | up to | under | over | within | \
    the next | no later than | mehr als | weniger als | mindestens | hochstens | bis zu | innerhalb von ";

/// The same of a bound from above.
const UPPER: &str = " less than | fewer than | at most | up to | under | weniger als | hochstens | bis zu ";

/// Words (folded) that put two things beside each other.
const COMPARISONS: &str = " \
    before | after | than | until | unlike | while | whereas | then | same | since | instead | from | \
    previously | vor | nach | als | von | but | moved | originally | later | earlier ";

/// German words that a German sentence hardly does without.
const GERMAN: &str = " \
    der | die | das | und | ist | dein | deine | mit | fur | sind | hast | zwei | drei | vier | ein | \
    eine | einen | im | den | auf | es | wird | werden | noch | bis | heute | hat | sich | von | zum | \
    zur | nach | auch | kostet | kosten ";

fn any(folded: &str, phrases: &str) -> bool {
    phrases.split('|').any(|phrase| folded.contains(phrase))
}

/// A sentence that states nothing about what the tools said.
pub(super) fn is_soft(folded: &str) -> bool {
    any(folded, SOFT)
}

/// A sentence that says that something is not.
pub(super) fn is_negated(folded: &str) -> bool {
    any(folded, NEGATIONS)
}

/// A sentence that claims that something was done.
pub(super) fn claims_done(folded: &str) -> bool {
    any(folded, DONE)
}

/// A sentence that speaks of a part.
pub(super) fn speaks_of_parts(folded: &str) -> bool {
    any(folded, PARTS)
}

/// A sentence that adds up.
pub(super) fn adds_up(folded: &str) -> bool {
    any(folded, SUMS)
}

/// A sentence that takes one thing from another.
pub(super) fn subtracts(folded: &str) -> bool {
    any(folded, DIFFERENCES)
}

/// The words before a number that make it one among many.
pub(super) fn is_about(folded: &str) -> bool {
    any(folded, ABOUT)
}

/// The words before a number that is a bound.
pub(super) fn is_bound(folded: &str) -> bool {
    any(folded, BOUNDS)
}

/// The words before a number that is a bound from above.
pub(super) fn is_upper_bound(folded: &str) -> bool {
    any(folded, UPPER)
}

/// A sentence that puts two things beside each other.
pub(super) fn compares(folded: &str) -> bool {
    any(folded, COMPARISONS)
}

/// An answer that proposes what to do when.
pub(super) fn is_plan(folded: &str) -> bool {
    any(folded, " plan | schedule | suggestion | proposal | id | vorschlag | wochenplan ")
}

/// A sentence in which capitals mean nothing.
pub(super) fn is_german(folded: &str) -> bool {
    GERMAN.split('|').filter(|word| folded.contains(*word)).count() >= 2
}

/// Words (folded, without plural) that label and connect and name nothing: a title made of them is no title.
const COMMON: &str = "\
    a about action added after afternoon all also altogether am an and another answer any are as at \
    average be before best both but by can change cheapest check christma completed could date day \
    deadline detail did do done dr due each early easter eight english error evening every everything \
    first five fix for four frau french from full german good great had has have he hello her here herr \
    hi high his how however i id if im important in into is it item its ive just key last late later \
    least less let line list location low main may me medium might minor month more morning most mr mrs \
    ms my name nearest need new news next night nine no none not note nothing now of ok on one only \
    open option or other our out over overall overdue overview page pdf per place plan please pm price \
    priority problem prof question quick reason recommendation remaining result say see seven shall she \
    should since six so some soon sorry st status step still suggestion summary sure task ten thank \
    thanksgiving that the their them then there these they thing this those three time tip title to \
    today todo tomorrow tonight too top total two type under unfortunately until up upcoming urgent \
    very warning was we week weekend well were what when where which while who why will win with \
    without would yes yesterday you your youre";

/// Whether a word (folded, without plural) names nothing.
pub(super) fn is_common(word: &str) -> bool {
    word.chars().count() < 2 || COMMON.split(' ').any(|common| common == word)
}
