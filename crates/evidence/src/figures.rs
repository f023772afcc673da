//! Numbers of a sentence against those of the sources, and what follows from those: sums, differences,
//! shares, other units.

use super::Origin;
use super::ground::{Found, Ground, Hit, found};
use super::lex::Figure;
use super::phrases::{adds_up, subtracts};
use super::sentence::Said;
use super::vocabulary::Unit;
use super::whens::days_apart;

/// The most numbers of one field, and of one source, that are compared in pairs.
pub(super) const MOST_PAIRS: usize = 200;

/// The most numbers of one field that are added up.
pub(super) const MOST_ADDED: usize = 30;

/// Looks up a number that is no count. `lone` is true when the sentence says only one of the kind; `about`
/// when it is not meant exactly.
pub(super) fn look_up(
    ground: &Ground<'_>,
    said: &Said<'_>,
    figure: Figure,
    unit: Option<Unit>,
    lone: bool,
    about: bool,
) -> Found {
    let direct = direct(ground, figure, unit);
    let allowed = |hits: &[Hit]| hits.iter().any(|hit| ground.allows(said.cited, hit.source));
    if lone && ground.belongs_to_another(said, &direct) {
        return Found::Nowhere;
    }
    if allowed(&direct) {
        return Found::In(direct);
    }
    let derived = derived(ground, said, figure, unit);
    if allowed(&derived) {
        return Found::In(derived);
    }
    if about && near(ground, said, figure) {
        return Found::Unsure;
    }
    // What follows from a call that is not cited is no sign that the wrong one is.
    found(direct)
}

/// Looks up a number that labels something (a page, a line, a room): it must be there as it is.
pub(super) fn look_up_label(ground: &Ground<'_>, figure: Figure) -> Found {
    let mut hits = Vec::new();
    for (source, facts) in ground.facts.iter().enumerate() {
        let known = facts.figures.iter().filter(|fact| figure.is(fact.value.value));
        hits.extend(known.map(|fact| Hit { source, record: fact.record }));
    }
    found(hits)
}

/// Whether a number has the digits of one in the sources in another order, or, where it has three or more,
/// all but one of them: then it is more likely that one misread than a new one.
pub(super) fn is_like_one(ground: &Ground<'_>, figure: Figure) -> bool {
    let written = |value: f64| value.abs().to_string().replace('.', "");
    let sorted = |text: &str| {
        let mut digits: Vec<u8> = text.bytes().collect();
        order::sort(&mut digits);
        digits
    };
    let shown = written(figure.value);
    let of_shown = sorted(&shown);
    ground.facts.iter().flat_map(|facts| facts.figures.iter().take(1_000)).any(|fact| {
        let known = written(fact.value.value);
        let other = shown.bytes().zip(known.bytes()).filter(|(one, other)| one != other).count();
        shown.len() == known.len()
            && shown.len() > 1
            && (of_shown == sorted(&known) || (shown.len() > 2 && other == 1))
    })
}

/// Whether two units can be the same.
fn compatible(one: Option<Unit>, other: Option<Unit>) -> bool {
    match (one, other) {
        (Some(one), Some(other)) => std::mem::discriminant(&one) == std::mem::discriminant(&other),
        _ => true,
    }
}

/// The places where the number itself is, in this unit or in one it is a power of ten of.
fn direct(ground: &Ground<'_>, figure: Figure, unit: Option<Unit>) -> Vec<Hit> {
    let mut hits = Vec::new();
    for (source, facts) in ground.facts.iter().enumerate() {
        for fact in &facts.figures {
            let known = fact.value;
            let says = match unit {
                Some(Unit::Days(factor)) => match known.unit {
                    Some(Unit::Days(of_known)) => {
                        (figure.value * factor - known.value * of_known).abs() < 0.5
                    }
                    Some(_) => false,
                    None => figure.is(known.value),
                },
                Some(Unit::Seconds(factor)) => match known.unit {
                    Some(Unit::Seconds(of_known)) => seconds(figure, factor, known.value * of_known),
                    Some(_) => false,
                    None => {
                        figure.is(known.value)
                            || [0.001, 1.0, 60.0, 3600.0]
                                .iter()
                                .any(|of| seconds(figure, factor, known.value * of))
                    }
                },
                Some(Unit::Percent) => {
                    compatible(unit, known.unit)
                        && (figure.says(known.value)
                            || (known.value.abs() <= 1.5 && figure.says(known.value * 100.0)))
                }
                Some(Unit::Bytes) => {
                    let mega = [1.0, 1e3, 1e6, 1e9, 1024.0, 1_048_576.0, 1_073_741_824.0];
                    mega.iter().any(|of| figure.says(known.value / of) && known.value / of >= 0.05)
                }
                Some(Unit::Fahrenheit) => {
                    figure.says(known.value) || figure.says(known.value.mul_add(1.8, 32.0))
                }
                Some(Unit::Megapixels) => figure.says(known.value),
                Some(Unit::Other) => {
                    compatible(unit, known.unit)
                        && [1.0, 1000.0, 0.001, 100.0].iter().any(|of| {
                            let value = known.value * of;
                            figure.says(value) && (*of == 1.0 || value.abs() >= 0.05)
                        })
                }
                Some(Unit::Money) => {
                    compatible(unit, known.unit)
                        && (figure.says(known.value)
                            // Cents of a price.
                            || (known.value.abs() < 1.5 && figure.is(known.value * 100.0)))
                }
                None => figure.says(known.value) && (figure.decimals > 0 || figure.is(known.value)),
            };
            if says {
                hits.push(Hit { source, record: fact.record });
            }
        }
    }
    hits
}

/// Whether a length of time, rounded as it is said, is so many seconds.
fn seconds(figure: Figure, factor: f64, known: f64) -> bool {
    let tolerance = 0.5 * factor * 10_f64.powi(-i32::from(figure.decimals));
    (figure.value * factor - known).abs() <= tolerance.min(1800.0) * 0.999 + 1e-6
}

/// What follows from the numbers of a source.
fn derived(ground: &Ground<'_>, said: &Said<'_>, figure: Figure, unit: Option<Unit>) -> Vec<Hit> {
    let mut hits = Vec::new();
    if let Some(Unit::Days(factor)) = unit {
        hits.extend(days_apart(ground, figure.value, factor, figure.decimals));
        hits.extend(different_days(ground, figure));
    }
    for (source, facts) in ground.facts.iter().enumerate() {
        if ground.sources[source].origin != Origin::Call {
            continue;
        }
        let hit = Hit { source, record: None };
        let sums = || facts.tables.iter().flat_map(|table| &table.sums);
        let summed = |sum: f64| match unit {
            Some(Unit::Seconds(factor)) => {
                [1.0, 60.0, 3600.0].iter().any(|of| seconds(figure, factor, sum * of))
            }
            _ => figure.says(sum),
        };
        let cue = adds_up(&said.folded);
        if ((unit.is_some() || figure.decimals > 0 || cue) && sums().any(|sum| summed(*sum)))
            || (cue && is_sum_of_some(ground, source, figure))
        {
            hits.push(hit);
        }
        let follows = match unit {
            Some(Unit::Seconds(factor)) if is_until(ground, source, figure, factor) => true,
            Some(Unit::Seconds(factor)) => {
                let times: Vec<(i16, u32)> =
                    facts.times.iter().map(|fact| (fact.value.minute, fact.group)).collect();
                times.iter().enumerate().any(|(at, (from, group))| {
                    let same = times[at + 1..].iter().take(12).filter(|(_, other)| other == group);
                    same.into_iter().any(|(to, _)| {
                        seconds(figure, factor, f64::from((to - from).rem_euclid(1_440)) * 60.0)
                    })
                })
            }
            Some(Unit::Percent) => {
                is_share(ground, source, figure) || is_difference(ground, said, source, figure, unit)
            }
            Some(Unit::Megapixels) => groups(ground, source)
                .any(|values| pairs(&values).any(|(one, other)| figure.says(one * other / 1e6))),
            Some(_) => is_difference(ground, said, source, figure, unit),
            None => figure.decimals > 0 && is_difference(ground, said, source, figure, unit),
        };
        if follows {
            hits.push(hit);
        }
        if unit == Some(Unit::Money) && lasts_or_shares(said) && is_multiple(ground, source, figure) {
            hits.push(hit);
        }
    }
    if subtracts(&said.folded) && (unit == Some(Unit::Money) || figure.decimals > 0) {
        let values: Vec<(usize, f64)> = ground
            .facts
            .iter()
            .enumerate()
            .filter(|(source, _)| ground.allows(said.cited, *source))
            .flat_map(|(source, facts)| {
                let known = facts.figures.iter().filter(|fact| fact.value.field.is_some());
                known.map(move |fact| (source, fact.value.value))
            })
            .take(MOST_PAIRS)
            .collect();
        let pair = values.iter().enumerate().find_map(|(at, (source, one))| {
            values[at + 1..].iter().any(|(_, other)| figure.says(one - other)).then_some(*source)
        });
        hits.extend(pair.map(|source| Hit { source, record: None }));
    }
    hits
}

/// Whether a sentence speaks of several times a price, or of a part of it for each.
fn lasts_or_shares(said: &Said<'_>) -> bool {
    let cues = [" nights ", " for ", " each ", " per ", " a person ", " apiece ", " jeweils ", " pro "];
    adds_up(&said.folded) || cues.iter().any(|cue| said.folded.contains(cue))
}

/// Lists whose rows, or whose different values, are as many as these days.
fn different_days(ground: &Ground<'_>, figure: Figure) -> Vec<Hit> {
    #[expect(clippy::cast_precision_loss, reason = "rows of a list")]
    let is = |rows: usize| rows > 1 && figure.is(rows as f64);
    let of_call = |source: &usize| ground.sources[*source].origin == Origin::Call;
    let counted = |source: &usize| {
        let tables = &ground.facts[*source].tables;
        tables.iter().any(|table| is(table.len) || table.distinct.iter().any(|(_, many)| is(*many)))
    };
    let sources = (0..ground.facts.len()).filter(of_call).filter(counted);
    sources.map(|source| Hit { source, record: None }).collect()
}

/// Whether two or three numbers of one field come to this one.
fn is_sum_of_some(ground: &Ground<'_>, source: usize, figure: Figure) -> bool {
    ground.facts[source].first_of_fields.iter().any(|values| {
        values.iter().enumerate().any(|(at, one)| {
            pairs(&values[at + 1..]).any(|(two, three)| figure.says(one + two + three))
                || values[at + 1..].iter().any(|two| figure.says(one + two))
        })
    })
}

fn pairs(values: &[f64]) -> impl Iterator<Item = (f64, f64)> + '_ {
    let values = &values[..values.len().min(MOST_PAIRS)];
    values
        .iter()
        .enumerate()
        .flat_map(move |(at, one)| values[at + 1..].iter().map(move |other| (*one, *other)))
}

/// The numbers of each object of a source.
fn groups<'a>(ground: &'a Ground<'_>, source: usize) -> impl Iterator<Item = Vec<f64>> + 'a {
    let figures = ground.facts[source].figures.iter().filter(|fact| fact.value.field.is_some());
    let mut figures: Vec<(u32, f64)> = figures.map(|fact| (fact.group, fact.value.value)).collect();
    order::sort_by_key(&mut figures, |(group, _)| *group);
    figures
        .chunk_by(|one, other| one.0 == other.0)
        .map(|chunk| chunk.iter().map(|(_, value)| *value).take(12).collect())
        .collect::<Vec<Vec<f64>>>()
        .into_iter()
}

/// A difference of two numbers of one field, or of two shares or amounts in one text.
pub(super) fn is_difference(
    ground: &Ground<'_>,
    said: &Said<'_>,
    source: usize,
    figure: Figure,
    unit: Option<Unit>,
) -> bool {
    if !subtracts(&said.folded) {
        return false;
    }
    let facts = &ground.facts[source];
    if facts.of_fields.iter().any(|values| has_difference(values, figure)) {
        return true;
    }
    if !unit.is_some_and(|unit| matches!(unit, Unit::Money | Unit::Percent)) {
        return false;
    }
    let of_texts = facts.figures.iter().filter(|fact| {
        fact.value.field.is_none() && fact.value.unit.is_some() && compatible(fact.value.unit, unit)
    });
    let mut values: Vec<f64> = of_texts.map(|fact| fact.value.value).take(MOST_PAIRS).collect();
    order::sort_by(&mut values, f64::total_cmp);
    has_difference(&values, figure)
}

/// Whether two of these numbers, which are sorted, are as far apart as this one says. Every pair is not looked at: a
/// sentence asks this of all fields of a source.
fn has_difference(values: &[f64], figure: Figure) -> bool {
    let of = |far: f64, slack: f64| {
        values.iter().enumerate().any(|(at, one)| {
            let from = at + values[at..].partition_point(|other| other - one < far - slack);
            let near = values[from..].iter().take_while(|other| *other - one <= far + slack);
            near.into_iter().any(|other| one != other && figure.says(other - one))
        })
    };
    // As wide as `Figure::says` is at the most.
    let slack = 0.5_f64.mul_add(10_f64.powi(-i32::from(figure.decimals)), 1e-8 * figure.value.abs().max(1.0));
    of(figure.value.abs(), slack)
        || figure.otherwise.is_some_and(|other| of(other.abs(), 1e-8 * other.abs().max(1.0)))
}

/// A difference of two numbers of one object: what is left of a stock.
pub(super) fn is_difference_in_object(
    ground: &Ground<'_>,
    said: &Said<'_>,
    source: usize,
    figure: Figure,
) -> bool {
    subtracts(&said.folded)
        && groups(ground, source).any(|values| pairs(&values).any(|(one, other)| figure.is(one - other)))
}

/// A share of one number in another of the same object, or of a group in its list.
fn is_share(ground: &Ground<'_>, source: usize, figure: Figure) -> bool {
    let of_numbers = groups(ground, source).any(|values| {
        pairs(&values).any(|(one, other)| {
            let (less, more) = if one.abs() < other.abs() { (one, other) } else { (other, one) };
            let whole = [(less, more), (less, less + more), (more, less + more)];
            less > 0.0 && whole.iter().any(|(part, whole)| figure.says(100.0 * part / whole))
        })
    });
    #[expect(clippy::cast_precision_loss, reason = "rows of a list")]
    let of_rows = ground.facts[source].tables.iter().any(|table| {
        table.groups.iter().any(|group| {
            table.len > 2
                && group.count < table.len
                && figure.says(100.0 * group.count as f64 / table.len as f64)
        })
    });
    of_numbers || of_rows
}

/// Where two numbers of one object come to this one together: "26 of 30".
pub(super) fn is_whole(ground: &Ground<'_>, figure: Figure) -> Found {
    let whole = |source: &usize| {
        groups(ground, *source).any(|values| pairs(&values).any(|(one, other)| figure.is(one + other)))
    };
    found((0..ground.facts.len()).filter(whole).map(|source| Hit { source, record: None }).collect())
}

/// Whether it is as long from now to a time of a source.
fn is_until(ground: &Ground<'_>, source: usize, figure: Figure, factor: f64) -> bool {
    let of_context =
        ground.sources.iter().zip(&ground.facts).filter(|(source, _)| source.origin == Origin::Context);
    let mut now = of_context.flat_map(|(_, facts)| facts.times.iter().map(|fact| fact.value.minute));
    now.any(|now| {
        let times = ground.facts[source].times.iter().map(|fact| fact.value.minute);
        times
            .into_iter()
            .any(|minute| seconds(figure, factor, f64::from((minute - now).rem_euclid(1_440)) * 60.0))
    })
}

/// A price a small number of times, or a small part of it.
fn is_multiple(ground: &Ground<'_>, source: usize, figure: Figure) -> bool {
    let known = ground.facts[source]
        .figures
        .iter()
        .filter(|fact| fact.value.field.is_some() && fact.value.unit.is_none_or(|unit| unit == Unit::Money));
    known.take(MOST_PAIRS).any(|fact| {
        let value = fact.value.value;
        let (times, parts) = (figure.value / value, value / figure.value);
        let small = |times: f64| (1.9..31.1).contains(&times) && value.abs() > 5.0;
        (small(times) && figure.says(value * times.round()))
            || (small(parts) && figure.decimals > 0 && figure.says(value / parts.round()))
    })
}

/// Whether a number of the sources is not far from this one.
fn near(ground: &Ground<'_>, said: &Said<'_>, figure: Figure) -> bool {
    ground.facts.iter().enumerate().filter(|(source, _)| ground.allows(said.cited, *source)).any(
        |(_, facts)| {
            let close = |value: f64| value != 0.0 && (0.7..1.4).contains(&(figure.value.abs() / value.abs()));
            facts.figures.iter().any(|fact| close(fact.value.value))
        },
    )
}

/// A number of things: what the sentence says about them decides what may be counted.
pub(super) struct Count<'a> {
    pub(super) number: f64,
    /// The words after it, up to the next mark, folded, without plural, with their spaces.
    pub(super) after: &'a str,
    /// True when no thing follows: "two were late".
    pub(super) bare: bool,
    /// What the answer itself lists: as many items, rows or titles.
    pub(super) listed: bool,
    /// The sentence speaks of a part of what there is, or of a span of time.
    pub(super) parts: bool,
}

/// Looks up a number of things.
pub(super) fn look_up_count(ground: &Ground<'_>, said: &Said<'_>, count: &Count<'_>) -> Found {
    let mut hits = Vec::new();
    let mut most = 0;
    let mut overdue_elsewhere = false;
    let mut narrowed = false;
    let mut own_says = false;
    let overdue = [" overdue ", " late ", " past due "].iter().any(|cue| count.after.contains(cue));
    #[expect(clippy::cast_precision_loss, reason = "rows of a list")]
    let is = |rows: usize| rows as f64 == count.number;
    for (source, facts) in ground.facts.iter().enumerate() {
        let of_call = ground.sources[source].origin == Origin::Call;
        let hit = |record: Option<u32>| Hit { source, record };
        for fact in facts.figures.iter().filter(|fact| (fact.value.value - count.number).abs() < 1e-9) {
            let field = fact.value.field.and_then(|field| facts.fields.get(usize::from(field)));
            let named = field.is_some_and(|field| {
                field.split_whitespace().any(|word| {
                    // "renewed" says what `renewals` counts.
                    let root = word.char_indices().nth(5).map_or(word, |(end, _)| &word[..end]);
                    word.len() > 2 && said.stemmed.contains(&format!(" {root}"))
                })
            });
            let own = fact.record.is_some_and(|record| said.records.contains(&(source, record)));
            let foreign = fact.value.unit.is_some_and(|unit| !matches!(unit, Unit::Other));
            own_says |= own && !foreign;
            let late = field.is_none_or(|field| field.contains("overdue") || field.contains("late"));
            if overdue && !(late && fact.record.is_none()) {
                continue;
            }
            if !foreign && (fact.record.is_none() || named || own || count.bare || field.is_none()) {
                hits.push(hit(fact.record));
            }
        }
        if !of_call && ground.sources[source].origin == Origin::Person {
            continue;
        }
        if ground.allows(said.cited, source) && of_call && facts.tables.is_empty() {
            most = most.max(facts.lines);
        }
        for (place, table) in facts.tables.iter().enumerate() {
            if ground.allows(said.cited, source) {
                most = most.max(table.len);
            }
            let mentioned = ground.groups_named(said, source, place);
            if overdue {
                if table.overdue.is_some_and(is) {
                    hits.push(hit(None));
                }
                overdue_elsewhere |= table.overdue.is_some_and(|late| !is(late));
                continue;
            }
            if mentioned.iter().any(|group| is(group.count)) {
                hits.push(hit(None));
            }
            let close = mentioned.iter().filter(|group| count.after.contains(&group.value));
            let narrow: Vec<_> = close.filter(|group| group.count < table.len).collect();
            narrowed |= !narrow.is_empty() && !narrow.iter().any(|group| is(group.count));
            if (narrow.is_empty() && is(table.len))
                || table.distinct.iter().any(|(field, many)| {
                    is(*many)
                        && field.split_whitespace().any(|word| count.after.contains(&format!(" {word} ")))
                })
            {
                hits.push(hit(None));
            }
            // "Two high or urgent ones" are those of both kinds.
            let either = [" or ", " and ", " oder ", " und "].iter().any(|cue| count.after.contains(cue));
            if either && narrow.len() > 1 && is(narrow.iter().map(|group| group.count).sum()) {
                narrowed = false;
                hits.push(hit(None));
            }
            if adds_up(&said.folded) && table.sums.iter().any(|sum| (sum - count.number).abs() < 1e-9) {
                hits.push(hit(None));
            }
        }
    }
    let allowed = hits.iter().any(|hit| ground.allows(said.cited, hit.source));
    if allowed && (own_says || !narrowed) {
        return Found::In(hits);
    }
    #[expect(clippy::cast_precision_loss, reason = "rows of a list")]
    let possible = count.number <= most as f64;
    if count.listed || (possible && !overdue_elsewhere && (count.parts || tables_nowhere(ground, said))) {
        return Found::Unsure;
    }
    if narrowed || overdue_elsewhere { Found::Nowhere } else { found(hits) }
}

/// A number that is a bound of something counted: one from below is at most what there is; one from above may be anything.
pub(super) fn bounded(ground: &Ground<'_>, said: &Said<'_>, figure: Figure, upper: bool) -> Found {
    let calls = ground.facts.iter().enumerate().filter(|(source, _)| {
        ground.sources[*source].origin == Origin::Call && ground.allows(said.cited, *source)
    });
    let most = calls.flat_map(|(_, facts)| facts.tables.iter().map(|table| table.len)).max().unwrap_or(0);
    #[expect(clippy::cast_precision_loss, reason = "rows of a list")]
    let possible = upper || figure.value <= most as f64;
    if possible { Found::Unsure } else { Found::Nowhere }
}

/// How old a day of a source makes somebody, or something, today or this year.
pub(super) fn look_up_age(ground: &Ground<'_>, figure: Figure) -> Found {
    let Some(today) = ground.now.today else { return Found::Nowhere };
    let mut hits = Vec::new();
    for (source, facts) in ground.facts.iter().enumerate() {
        let years = facts.days.iter().map(|fact| (f64::from(today.year() - fact.value.year()), fact.record));
        let old = years.filter(|(years, _)| *years > 1.0 && (figure.is(*years) || figure.is(years - 1.0)));
        hits.extend(old.map(|(_, record)| Hit { source, record }));
    }
    found(hits)
}

/// A year: one of a day in the sources, or one near now.
pub(super) fn look_up_year(ground: &Ground<'_>, said: &Said<'_>, figure: Figure) -> Found {
    let mut hits = Vec::new();
    for (source, facts) in ground.facts.iter().enumerate() {
        let days = facts.days.iter().filter(|fact| figure.is(f64::from(fact.value.year())));
        hits.extend(days.map(|fact| Hit { source, record: fact.record }));
        let figures = facts.figures.iter().filter(|fact| figure.is(fact.value.value));
        hits.extend(figures.map(|fact| Hit { source, record: fact.record }));
    }
    let near = ground.now.today.is_some_and(|today| (figure.value - f64::from(today.year())).abs() <= 1.0);
    match found(hits) {
        Found::Nowhere if near || said.cited.is_empty() => Found::Unsure,
        found => found,
    }
}

/// Digits in groups, as of a telephone number, however they are grouped.
pub(super) fn look_up_digits(ground: &Ground<'_>, digits: &str) -> Found {
    let holds = |source: &usize| ground.facts[*source].digits.contains(digits);
    found((0..ground.facts.len()).filter(holds).map(|source| Hit { source, record: None }).collect())
}

/// Whether the calls a sentence may rest on have no list: their text may be counted in ways nobody foresees.
fn tables_nowhere(ground: &Ground<'_>, said: &Said<'_>) -> bool {
    let calls = ground.facts.iter().enumerate().filter(|(source, _)| {
        ground.sources[*source].origin == Origin::Call && ground.allows(said.cited, *source)
    });
    calls.into_iter().all(|(_, facts)| facts.tables.iter().all(|table| table.len == 0))
}
