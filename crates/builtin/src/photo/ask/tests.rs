//! How people ask about photos: a line each.

use jiff::civil::date;

use super::*;

/// What was asked, in short: `faces those`, `search {"place":"Paris"}`.
fn short(ask: &Ask) -> String {
    let of = |of: &Of| if *of == Of::Those { " those" } else { "" };
    let who = |whom: &Whom| match whom {
        Whom::Place(place) => format!("#{place}"),
        Whom::Last => "#last".to_owned(),
        Whom::Named(name) => name.clone(),
    };
    match ask {
        Ask::What => "what".into(),
        Ask::CannotKnow => "cannot know".into(),
        Ask::ByPerson(which) => format!("by person{}", of(which)),
        Ask::With { whom, of: which, best } => {
            let best = if *best { "best " } else { "" };
            format!("{best}with {}{}", whom.iter().map(who).collect::<Vec<_>>().join(" and "), of(which))
        }
        Ask::Name { whom, name } => format!("name {} {name}", who(whom)),
        Ask::Same { from, into } => format!("same {} into {}", who(from), who(into)),
        Ask::NotThem { name, on: On::All } => format!("not {name} all"),
        Ask::NotThem { name, on: On::One } => format!("not {name}"),
        Ask::NotThem { name, on: On::Number(number) } => format!("not {name} {number}"),
        Ask::List => "list".into(),
        Ask::Faces { of: which, least } => format!("faces {least}{}", of(which)),
        Ask::Best { of: which, top } => format!("best {}{}", top.unwrap_or(0), of(which)),
        Ask::Search { of: which, filter } => {
            format!("search{} {}", of(which), serde_json::to_string(filter).unwrap())
        }
        Ask::Events(which) => format!("events{}", of(which)),
        Ask::Event(Which::Number(number)) => format!("event {number}"),
        Ask::Event(Which::Last) => "event last".into(),
        Ask::BestOfEach(Each::Event) => "best of each event".into(),
        Ask::BestOfEach(Each::Person) => "best of each person".into(),
        Ask::BestOfEach(Each::Group) => "best of each".into(),
        Ask::Rank { of: which, filter, by, top } => {
            let mut said = format!("rank {} {}{}", by.name(), top.unwrap_or(0), of(which));
            if !filter.is_empty() {
                said.push_str(&format!(" {}", serde_json::to_string(filter).unwrap()));
            }
            said
        }
        Ask::More => "more".into(),
        Ask::Duplicates(which) => format!("duplicates{}", of(which)),
        Ask::KeepBest(which) => format!("keep best{}", of(which)),
        Ask::Places(which) => format!("places{}", of(which)),
        Ask::Delete(which) => format!("delete{}", of(which)),
        Ask::Tag { of: which, tag } => format!("tag {tag}{}", of(which)),
        Ask::Rate { of: which, stars } => format!("rate {stars}{}", of(which)),
        Ask::Album { of: which, name } => format!("album {name}{}", of(which)),
        Ask::Albums => "albums".into(),
        Ask::Export { of: which, filter, best, small, gps } => {
            let mut said = format!("export{}", of(which));
            for (is, word) in [(best, " best"), (small, " small"), (gps, " with places")] {
                said.push_str(if *is { word } else { "" });
            }
            if !filter.is_empty() {
                said.push_str(&format!(" {}", serde_json::to_string(filter).unwrap()));
            }
            said
        }
    }
}

/// How people ask. A line is `said => what was asked`; `+` before it: photos were found in the turn before; `*`: people
/// were listed. `-` is what is none of the photos' business.
#[test]
fn what_people_say_of_photos() {
    let others = ["errand", "errands"].map(str::to_owned);
    let mut wrong = Vec::new();
    for line in include_str!("../rows.txt").lines().filter(|line| !line.is_empty() && !line.starts_with('#'))
    {
        let (said, expected) = line.split_once(" => ").unwrap();
        let (before, said) = match said.split_once(' ') {
            Some(("+", said)) => (Before { found: true, people: false }, said),
            Some(("*", said)) => (Before { found: true, people: true }, said),
            _ => (Before::default(), said),
        };
        let asked = ask(said, &others, before, Some(date(2026, 11, 24)));
        let asked = asked.as_ref().map_or_else(|| "-".to_owned(), short);
        if asked != expected {
            wrong.push(format!("{line}\n    but: {asked}"));
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}
