//! `group_by_person`, `person_name`, `person_merge` and `person_split`: who is on photos, and what the person of this device says of it.
//!
//! They tell names and numbers of photos, and only where people are recognised. No vector, no box and no face goes out of here.

use std::collections::HashSet;
use std::rc::Rc;

use async_trait::async_trait;
use mcp::{Hints, Tool, ToolError, one_line};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use store::Stage;

use crate::change::{Changed, changed};
use crate::found::{ids, photos};
use crate::grouping;
use crate::images::{Images, meant, photos_of};
use crate::model::Photo;
use crate::person::{
    FaceOf, Faces, MAX_NAME, Person, existing, find, is_name, must_be_on, not_looked_at, not_looked_at_words,
    shown,
};

/// How many people are told.
const SHOWN: usize = 100;

pub(crate) struct GroupByPerson;

/// Which photos.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Args {
    /// Only among these: ids, or the reference of an earlier result. All photos when left out.
    images: Option<Images>,
}

/// Photos by person.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct People {
    /// One sentence for a person.
    summary: String,
    /// How many people.
    num_people: usize,
    /// How many photos they are on.
    num_images: usize,
    /// How many were not looked at for people yet.
    #[serde(skip_serializing_if = "Option::is_none")]
    not_looked_at: Option<usize>,
    /// The people, those on most photos first, at most 100.
    clusters: Vec<OfPerson>,
}

/// The photos of a person.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct OfPerson {
    /// Its place here, from 1: show_cluster takes it.
    number: usize,
    /// A name that was given, or "unnamed person 2".
    name: String,
    /// How many photos.
    count: usize,
    /// The ids of the photos, the newest first.
    ids: Vec<String>,
}

#[async_trait(?Send)]
impl Tool<Stage> for GroupByPerson {
    const NAME: &'static str = "group_by_person";
    const TITLE: &'static str = "Group photos by person";
    const DESCRIPTION: &'static str = "Groups photos by who is on them, with the names that were given. The result can be given to \
         show_cluster and other tools as `images`.";
    const HINTS: Hints = Hints::READ;
    type Args = Args;
    type Output = People;

    async fn run(&self, args: Args, stage: &mut Stage) -> Result<People, ToolError> {
        must_be_on(stage)?;
        let among = photos_of(stage, args.images.as_ref())?;
        let unseen = not_looked_at(stage, &among).len();
        let mut groups: Vec<(Rc<Person>, Vec<Rc<Photo>>)> = shown(stage)
            .into_iter()
            .map(|person| {
                let on = person.photos();
                let theirs = among.iter().filter(|photo| on.contains(photo.id.as_str())).cloned().collect();
                (person, crate::images::in_order(theirs))
            })
            .filter(|(_, photos)| !photos.is_empty())
            .collect();
        // A stable sort: of two on as many photos the smaller number is first.
        order::sort_by_key(&mut groups, |(_, photos)| std::cmp::Reverse(photos.len()));
        let on: HashSet<&String> =
            groups.iter().flat_map(|(_, photos)| photos).map(|photo| &photo.id).collect();
        let once = of_nobody(stage, &among);
        let mut summary = match groups.len() {
            0 => "Nobody is on two of them.".to_owned(),
            count => format!("{} on {}.", domain::counted(count, "person", "people"), photos(on.len())),
        };
        if once > 0 {
            let faces = domain::counted(once, "more face is", "more faces are");
            summary = format!("{summary} {faces} like no other.");
        }
        summary.push_str(&not_looked_at_words(unseen));
        let clusters = (1..).zip(groups.iter().take(SHOWN)).map(|(number, (person, photos))| OfPerson {
            number,
            name: person.title(),
            count: photos.len(),
            ids: ids(photos),
        });
        Ok(People {
            summary,
            num_people: groups.len(),
            num_images: on.len(),
            not_looked_at: (unseen > 0).then_some(unseen),
            clusters: clusters.collect(),
        })
    }
}

/// How many faces of these photos are nobody's.
fn of_nobody(stage: &Stage, among: &[Rc<Photo>]) -> usize {
    let all = stage.all::<Person>();
    let theirs: HashSet<&FaceOf> = order::gather(all.iter().flat_map(|person| &person.faces));
    let faces = among.iter().filter_map(|photo| stage.get::<Faces>(&photo.id));
    let of_photo = |kept: Rc<Faces>| {
        let face = |number: u32| FaceOf { photo: kept.id.clone(), face: number };
        (0..).zip(&kept.faces).filter(|(number, _)| !theirs.contains(&face(*number))).count()
    };
    faces.map(of_photo).sum()
}

pub(crate) struct PersonName;

/// Who, and the name.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NameArgs {
    /// As group_by_person calls them: "unnamed person 2", or a name.
    person: String,
    /// What they are called.
    name: String,
}

#[async_trait(?Send)]
impl Tool<Stage> for PersonName {
    const NAME: &'static str = "person_name";
    const TITLE: &'static str = "Name a person";
    const DESCRIPTION: &'static str = "Names somebody on photos, as the person says. Never guess a name.";
    const HINTS: Hints = Hints::SET;
    type Args = NameArgs;
    type Output = Changed;

    async fn run(&self, args: NameArgs, stage: &mut Stage) -> Result<Changed, ToolError> {
        must_be_on(stage)?;
        let name = one_line(&args.name);
        if !is_name(&name) {
            return Err(ToolError::Rejected(format!(
                "A name has 1 to {MAX_NAME} characters, no # in it, and is not one of those that stand for people without one."
            )));
        }
        let person = match find(stage, &args.person) {
            Some(person) => person,
            None => of_face(stage, &args.person)?.map_or_else(|| existing(stage, &args.person), Ok)?,
        };
        if let Some(other) = find(stage, &name).filter(|other| other.id != person.id) {
            return Err(ToolError::Rejected(format!(
                "Somebody is called {} already: person_merge says that they are one, or give another name.",
                other.words()
            )));
        }
        let before = person.title();
        // What was in view when the name was given stays with it, whatever is computed later.
        let after = Person { name, same: person.faces.clone(), ..Person::clone(&person) };
        let count = photos(after.count(stage));
        let summary = match after.name == before {
            true => format!("{} is called that already: {count}.", after.words()),
            false => format!("From now on {before} is called {}: {count}.", after.words()),
        };
        if after != *person {
            stage.put(after);
        }
        changed(stage, summary)
    }
}

/// Whose the face is that the app points at (`photo_…#2`): the person it belongs to, or a new one of this face alone.
fn of_face(stage: &mut Stage, said: &str) -> Result<Option<Rc<Person>>, ToolError> {
    let Some((photo, number)) = said.rsplit_once('#') else { return Ok(None) };
    let Ok(face) = number.parse::<u32>() else { return Ok(None) };
    let face = FaceOf { photo: photo.to_owned(), face };
    if !grouping::is_kept(stage, &face) {
        return Err(ToolError::Rejected("That face is not there any more.".into()));
    }
    let whose = stage.filter::<Person>(|person| person.faces.contains(&face)).into_iter().next();
    Ok(Some(whose.unwrap_or_else(|| Rc::new(grouping::add(stage, vec![face])))))
}

pub(crate) struct PersonMerge;

/// Who are one.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct MergeArgs {
    /// As group_by_person calls them; goes into the other.
    from: String,
    /// As group_by_person calls them; keeps the name.
    into: String,
}

#[async_trait(?Send)]
impl Tool<Stage> for PersonMerge {
    const NAME: &'static str = "person_merge";
    const TITLE: &'static str = "Say that two are one person";
    const DESCRIPTION: &'static str = "Makes two people one, where the person says that they are.";
    // Undo makes them two again.
    const HINTS: Hints = Hints::SET;
    type Args = MergeArgs;
    type Output = Changed;

    async fn run(&self, args: MergeArgs, stage: &mut Stage) -> Result<Changed, ToolError> {
        must_be_on(stage)?;
        let (from, into) = (existing(stage, &args.from)?, existing(stage, &args.into)?);
        if from.id == into.id {
            return Err(ToolError::Rejected(format!("{} is one person already.", capital(&into.words()))));
        }
        let mut after = Person::clone(&into);
        if after.name.is_empty() {
            after.name.clone_from(&from.name);
        }
        after.faces.extend(from.faces.iter().cloned());
        order::sort(&mut after.faces);
        after.faces.dedup();
        after.same.clone_from(&after.faces);
        // What was said later holds.
        after.not.extend(from.not.iter().cloned());
        let theirs: HashSet<&FaceOf> = after.faces.iter().collect();
        after.not.retain(|face| !theirs.contains(face));
        order::sort(&mut after.not);
        after.not.dedup();
        after.cover = into.cover.clone().or_else(|| from.cover.clone());
        let summary = format!(
            "{} and {} are one person now, called {}: {}.",
            capital(&from.words()),
            into.words(),
            after.words(),
            photos(after.count(stage))
        );
        stage.delete::<Person>(&from.id);
        stage.put(after);
        changed(stage, summary)
    }
}

pub(crate) struct PersonSplit;

/// Who, and on which photos they are not.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct SplitArgs {
    /// As group_by_person calls them.
    person: String,
    /// The photos they are not on: ids, or the reference of an earlier result.
    images: Images,
}

#[async_trait(?Send)]
impl Tool<Stage> for PersonSplit {
    const NAME: &'static str = "person_split";
    const TITLE: &'static str = "Say that it is not them";
    const DESCRIPTION: &'static str =
        "Takes photos away from somebody who is not on them, where the person says so.";
    const HINTS: Hints = Hints::SET;
    type Args = SplitArgs;
    type Output = Changed;

    async fn run(&self, args: SplitArgs, stage: &mut Stage) -> Result<Changed, ToolError> {
        must_be_on(stage)?;
        let person = existing(stage, &args.person)?;
        let named = meant(stage, &args.images)?;
        let named: HashSet<&str> = named.iter().map(|photo| photo.id.as_str()).collect();
        let is_gone = |face: &FaceOf| named.contains(face.photo.as_str());
        let (gone, left): (Vec<FaceOf>, Vec<FaceOf>) = person.faces.iter().cloned().partition(is_gone);
        let who = person.words();
        if gone.is_empty() {
            return changed(stage, format!("{} is on none of them.", capital(&who)));
        }
        if left.is_empty() {
            return Err(ToolError::Rejected(format!(
                "These are all photos of {who}, and nothing would be left: person_name gives another name."
            )));
        }
        let count = gone.iter().map(|face| &face.photo).collect::<HashSet<_>>().len();
        let mut after = Person::clone(&person);
        after.cover = after.cover.filter(|cover| !gone.contains(cover));
        after.not.extend(gone);
        after.same.clone_from(&left);
        after.faces = left;
        stage.put(after);
        changed(stage, format!("{} is not on {} any more.", capital(&who), photos(count)))
    }
}

/// With a capital, as a sentence begins.
fn capital(words: &str) -> String {
    let mut text = words.to_owned();
    if let Some(first) = text.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    text
}
