//! Faces and people: what is kept of them, who is meant, and when nobody is.
//!
//! Faces are biometric and names are a person's own: they are in tables of their own, which are erased whole (ADR 0063), and in no row
//! of a photo or an album. A model is told names and counts; vectors, boxes and which face it is stay here.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use domain::{Erasure, quoted};
use mcp::{ToolError, one_line};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use store::{Json, Record, Stage};

use crate::grouping;
use crate::model::Photo;

/// What is said where people are not recognised, and nothing besides.
pub(crate) const OFF: &str = "People are not recognised: that is turned on by hand in Photos → People.";

/// What is erased together: everything biometric, and every name.
pub(crate) const ERASURES: &[Erasure] = &[Erasure {
    id: "people",
    title: "Faces and names",
    tables: &[Faces::TABLE, Person::TABLE, Recognition::TABLE],
}];

/// The most characters of a name.
pub(crate) const MAX_NAME: usize = 60;

/// How a person without a name is called, before their number.
const UNNAMED: &str = "unnamed person";

/// The faces of a photo that was looked at for people: none of them where it has no face.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Faces {
    /// The photo's id.
    pub id: String,
    /// In the order in which they were found: a face is known by its place here.
    pub faces: Vec<Face>,
}

/// A face on a photo.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Face {
    /// Left, top, width and height in thousandths of the upright photo's width and height.
    #[serde(rename = "box")]
    pub at: [u32; 4],
    /// What tells whose it is (`vision::people::pack`); empty where it is too narrow for that.
    pub vector: String,
}

/// Which face: one of a photo.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct FaceOf {
    /// The photo's id.
    pub photo: String,
    /// Its place among the photo's faces, from 0.
    pub face: u32,
}

/// A person: faces that are one's.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Person {
    /// Names them in calls of the app; never shown.
    pub id: String,
    /// What the person of this device calls them; empty until they do.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub name: String,
    /// What they are called by until then: "unnamed person 2". It stays while they are there.
    pub number: u32,
    /// They are not to be shown.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub hidden: bool,
    /// Their faces, as they were grouped last, in order.
    pub faces: Vec<FaceOf>,
    /// Faces that were said to be theirs: those that were in view when something was said. A new grouping keeps them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub same: Vec<FaceOf>,
    /// Faces that were said to be somebody else's.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub not: Vec<FaceOf>,
    /// The face that stands for them, where one was chosen.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cover: Option<FaceOf>,
}

/// Whether people are recognised: one row.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Recognition {
    /// [`Self::ID`].
    pub id: String,
    /// They are.
    pub on: bool,
    /// Since when that is so, in milliseconds since 1970.
    pub since_ms: i64,
}

impl Recognition {
    /// The id of its only row.
    pub const ID: &str = "people";
}

impl Record for Faces {
    const TABLE: &'static str = "faces";
    type Index = ();

    fn id(&self) -> &str {
        &self.id
    }

    fn label(&self) -> &'static str {
        "the faces of a photo"
    }
}

impl Record for Person {
    const TABLE: &'static str = "people";
    type Index = ();

    fn id(&self) -> &str {
        &self.id
    }

    fn label(&self) -> &str {
        if self.name.is_empty() { UNNAMED } else { &self.name }
    }
}

impl Record for Recognition {
    const TABLE: &'static str = "photo_people";
    type Index = ();

    fn id(&self) -> &str {
        &self.id
    }

    fn label(&self) -> &'static str {
        "recognising people"
    }
}

impl Person {
    /// Their name, or `unnamed person 2`.
    pub fn title(&self) -> String {
        if self.name.is_empty() { format!("{UNNAMED} {}", self.number) } else { self.name.clone() }
    }

    /// The same as a sentence names them: a name in quotation marks.
    pub fn words(&self) -> String {
        if self.name.is_empty() { self.title() } else { quoted(&self.name) }
    }

    /// Whether anything was said of them, which is not to be lost.
    pub fn is_said(&self) -> bool {
        !self.name.is_empty() || self.hidden || !self.same.is_empty()
    }

    /// The ids of the photos they are on, each once, those in the bin too.
    pub fn photos(&self) -> HashSet<&str> {
        order::gather(self.faces.iter().map(|face| face.photo.as_str()))
    }

    /// How many photos of the library they are on.
    pub fn count(&self, stage: &Stage) -> usize {
        let here = |id: &&str| stage.get::<Photo>(id).is_some_and(|photo| photo.is_here());
        self.photos().into_iter().filter(here).count()
    }
}

/// Whether people are recognised.
pub(crate) fn is_on(stage: &Stage) -> bool {
    stage.get::<Recognition>(Recognition::ID).is_some_and(|kept| kept.on)
}

/// # Errors
/// [`ToolError::Rejected`] where people are not recognised.
pub(crate) fn must_be_on(stage: &Stage) -> Result<(), ToolError> {
    if is_on(stage) { Ok(()) } else { Err(ToolError::Rejected(OFF.into())) }
}

/// Everybody who may be told of, in the order of their numbers.
pub(crate) fn shown(stage: &Stage) -> Vec<Rc<Person>> {
    let mut people = stage.filter::<Person>(|person| !person.hidden);
    order::sort_by_key(&mut people, |person| (person.number, person.id.clone()));
    people
}

/// Who is meant by a name, by `unnamed person 2`, or by an id; a hidden one by their id alone.
///
/// # Errors
/// [`ToolError::Rejected`] for nobody.
pub(crate) fn existing(stage: &Stage, said: &str) -> Result<Rc<Person>, ToolError> {
    find(stage, said).ok_or_else(|| {
        let short: String = one_line(said).chars().take(MAX_NAME).collect();
        ToolError::Rejected(format!(
            "There is nobody called {}; group_by_person shows who there is.",
            quoted(&short)
        ))
    })
}

/// The same, where nobody is no error.
pub(crate) fn find(stage: &Stage, said: &str) -> Option<Rc<Person>> {
    if let Some(person) = stage.get::<Person>(said) {
        return Some(person);
    }
    let said = one_line(said).to_lowercase();
    let called = |person: &&Rc<Person>| person.title().to_lowercase() == said;
    shown(stage).iter().find(called).cloned()
}

/// Whether somebody may be called so: what stands for people without a name is no name.
pub(crate) fn is_name(name: &str) -> bool {
    (1..=MAX_NAME).contains(&name.chars().count())
        && !name.to_lowercase().starts_with(UNNAMED)
        && !name.starts_with("person_")
        && !name.contains('#')
}

/// Photos that could be looked at for people, and were not yet. One with no face needs no look.
pub(crate) fn not_looked_at(stage: &Stage, photos: &[Rc<Photo>]) -> Vec<String> {
    let is_new = |photo: &&Rc<Photo>| {
        photo.has_file()
            && photo.trouble.is_empty()
            && photo.faces != Some(0)
            && stage.get::<Faces>(&photo.id).is_none()
    };
    photos.iter().filter(is_new).map(|photo| photo.id.clone()).collect()
}

/// The sentence for photos that nobody looked at for people yet; empty for none.
pub(crate) fn not_looked_at_words(count: usize) -> String {
    match count {
        0 => String::new(),
        1 => " 1 photo was not looked at for people yet.".to_owned(),
        count => format!(" {count} photos were not looked at for people yet."),
    }
}

/// Takes the faces of photos that are deleted for good out of everything; a person of whom nothing is left goes with them.
pub(crate) fn forget(stage: &mut Stage, photos: &HashSet<&String>) {
    for id in photos.iter().filter(|id| stage.get::<Faces>(id).is_some()).copied().collect::<Vec<_>>() {
        stage.delete::<Faces>(id);
    }
    for person in stage.all::<Person>() {
        let mut after = Person::clone(&person);
        for faces in [&mut after.faces, &mut after.same, &mut after.not] {
            faces.retain(|face| !photos.contains(&face.photo));
        }
        after.cover = after.cover.filter(|face| !photos.contains(&face.photo));
        if after.faces.is_empty() {
            stage.delete::<Person>(&person.id);
        } else if after != *person {
            stage.put(after);
        }
    }
}

/// Sees to it that no face is two people's, and nobody is left without any, where rows of people come back past the tools: the undo of a
/// split gives somebody the faces back of which a new person was grouped since.
///
/// # Errors
/// Where somebody else was said to have them meanwhile: which of the two holds is not for an undo to say.
pub(crate) fn settle(stage: &mut Stage) -> Result<(), String> {
    let changed = stage.changed::<Person>();
    if changed.is_empty() {
        return Ok(());
    }
    // Whose faces come back; of the photos that are there.
    let mut whose: HashMap<FaceOf, String> = HashMap::new();
    for row in &changed {
        let Some(after) = &row.after else { continue };
        let kept = |face: &FaceOf| grouping::is_kept(stage, face);
        let mut person = Person::clone(after);
        for faces in [&mut person.faces, &mut person.same, &mut person.not] {
            faces.retain(kept);
        }
        person.cover = person.cover.filter(kept);
        let before: HashSet<&FaceOf> =
            order::gather(row.before.iter().flat_map(|before| before.faces.iter()));
        for face in person.faces.iter().filter(|face| !before.contains(face)) {
            whose.insert(face.clone(), person.id.clone());
        }
        if person.faces.is_empty() && !after.faces.is_empty() {
            stage.delete::<Person>(&person.id);
        } else if person != **after {
            stage.put(person);
        }
    }
    for person in stage.all::<Person>() {
        let is_others = |face: &FaceOf| whose.get(face).is_some_and(|id| *id != person.id);
        if !person.faces.iter().any(is_others) {
            continue;
        }
        let is_said = |face: &FaceOf| person.same.contains(face);
        let comes_back =
            changed.iter().any(|row| row.after.as_ref().is_some_and(|after| after.id == person.id));
        if !comes_back && person.faces.iter().any(|face| is_others(face) && is_said(face)) {
            // Without a name: it may be one that is not to be told.
            return Err("These faces were said to be somebody else’s since.".to_owned());
        }
        let mut after = Person::clone(&person);
        after.faces.retain(|face| !is_others(face) || is_said(face));
        after.cover = after.cover.filter(|face| after.faces.contains(face));
        if after.faces.is_empty() && !after.is_said() {
            stage.delete::<Person>(&person.id);
        } else {
            stage.put(after);
        }
    }
    Ok(())
}

/// A person as a change shows them: no face, and not which.
#[derive(Serialize)]
struct Brief<'a> {
    name: &'a str,
    photos: usize,
    hidden: bool,
}

/// The same as JSON.
///
/// # Errors
/// [`ToolError::Failed`] where it cannot be written.
pub(crate) fn brief(person: &Person) -> Result<Json, ToolError> {
    let brief = Brief { name: &person.name, photos: person.photos().len(), hidden: person.hidden };
    Json::of(&brief).map_err(ToolError::Failed)
}
