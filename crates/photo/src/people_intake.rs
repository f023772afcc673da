//! How people are found and shown: for the app's own screens and for a terminal, not for models. The one place where vectors and boxes
//! come in and go out; whoever computes with them does so off the page (`vision::people::regroup`).

use std::collections::HashMap;

use async_trait::async_trait;
use mcp::{Hints, NoArguments, Tool, ToolError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use store::Stage;

use crate::change::{Changed, changed};
use crate::found::photos;
use crate::grouping;
use crate::images::photos_of;
use crate::intake::MAX_PER_IMPORT;
use crate::model::Photo;
use crate::person::{Face, FaceOf, Faces, Person, Recognition, existing, is_on, must_be_on, not_looked_at};

/// The most faces of one photo.
const MAX_FACES: usize = 500;

/// The whole of a side, in thousandths.
const WHOLE: u32 = 1_000;

/// What such a tool answers: a sentence, and how many it was about. No name and no face.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Done {
    /// One sentence for a person.
    summary: String,
    /// How many.
    count: usize,
}

pub(crate) struct PhotoPeopleOn;

/// On or off.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct OnArgs {
    /// true: people are recognised from now on.
    on: bool,
}

#[async_trait(?Send)]
impl Tool<Stage> for PhotoPeopleOn {
    const NAME: &'static str = "photo_people_on";
    const TITLE: &'static str = "Recognise people";
    const DESCRIPTION: &'static str = "Turns on that people are recognised on photos, or off. What was found is kept when it is turned off.";
    const HINTS: Hints = Hints::SET;
    const APP_ONLY: bool = true;
    type Args = OnArgs;
    type Output = Changed;

    async fn run(&self, args: OnArgs, stage: &mut Stage) -> Result<Changed, ToolError> {
        if is_on(stage) != args.on {
            let since_ms = stage.moment().at_ms;
            stage.put(Recognition { id: Recognition::ID.to_owned(), on: args.on, since_ms });
        }
        let summary = match args.on {
            true => "People are recognised on this device from now on.",
            false => "People are not recognised any more. What was found is kept until it is erased.",
        };
        changed(stage, summary.to_owned())
    }
}

pub(crate) struct PhotoFaces;

/// What was found.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct FacesArgs {
    /// 1 to 250 photos that were looked at.
    items: Vec<FacesOf>,
}

/// The faces of a photo.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct FacesOf {
    /// The photo's id.
    id: String,
    /// Its faces; none for a photo without any.
    faces: Vec<Face>,
}

#[async_trait(?Send)]
impl Tool<Stage> for PhotoFaces {
    const NAME: &'static str = "photo_faces";
    const TITLE: &'static str = "Keep faces";
    const DESCRIPTION: &'static str = "Keeps which faces were found on photos, where people are recognised. A photo that was looked at keeps \
         what was found first.";
    const HINTS: Hints = Hints::SET;
    const APP_ONLY: bool = true;
    type Args = FacesArgs;
    type Output = Done;

    async fn run(&self, args: FacesArgs, stage: &mut Stage) -> Result<Done, ToolError> {
        if !(1..=MAX_PER_IMPORT).contains(&args.items.len()) {
            return Err(ToolError::Rejected(format!("Say it of 1 to {MAX_PER_IMPORT} photos at once.")));
        }
        // A worker that is late must not bring back what was erased.
        if !is_on(stage) {
            return Ok(Done { summary: "People are not recognised: nothing was kept.".into(), count: 0 });
        }
        let mut count = 0;
        for FacesOf { id, faces } in args.items {
            let is_whole = |face: &Face| {
                let [left, top, width, height] = face.at;
                let fits = |from: u32, length: u32| from.checked_add(length).is_some_and(|end| end <= WHOLE);
                let is_vector = face.vector.is_empty() || vision::people::unpack(&face.vector).is_some();
                fits(left, width) && fits(top, height) && is_vector
            };
            if faces.len() > MAX_FACES || !faces.iter().all(is_whole) {
                return Err(ToolError::Rejected(format!(
                    "A photo has up to {MAX_FACES} faces, each with a box in thousandths and a packed vector or none."
                )));
            }
            // It may have been deleted for good while it was looked at.
            if stage.get::<Photo>(&id).is_some() && stage.get::<Faces>(&id).is_none() {
                count += 1;
                stage.put(Faces { id, faces });
            }
        }
        Ok(Done { summary: format!("Looked for people on {}.", photos(count)), count })
    }
}

pub(crate) struct PhotoPeopleLooks;

/// What people are grouped by: `vision::people::Looks`.
#[derive(Debug, Default, Serialize, JsonSchema)]
pub(crate) struct Looks {
    /// Whether people are recognised; nothing is here where they are not.
    on: bool,
    /// The photos of the library with faces.
    photos: Vec<Sighted>,
    /// What was said of people.
    said: Vec<Said>,
}

/// What tells whose the faces of a photo are.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Sighted {
    /// The photo's id.
    id: String,
    /// The vector of each face, in order; empty where it is too narrow to be compared.
    vectors: Vec<String>,
}

/// What was said of a person.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Said {
    /// Faces that are theirs.
    same: Vec<FaceOf>,
    /// Faces that are not.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    not: Vec<FaceOf>,
}

#[async_trait(?Send)]
impl Tool<Stage> for PhotoPeopleLooks {
    const NAME: &'static str = "photo_people_looks";
    const TITLE: &'static str = "Give what people are grouped by";
    const DESCRIPTION: &'static str = "Gives what people are grouped by.";
    const HINTS: Hints = Hints::READ;
    const APP_ONLY: bool = true;
    type Args = NoArguments;
    type Output = Looks;

    async fn run(&self, _: NoArguments, stage: &mut Stage) -> Result<Looks, ToolError> {
        if !is_on(stage) {
            return Ok(Looks::default());
        }
        let with_faces = stage.filter::<Faces>(|kept| !kept.faces.is_empty());
        let here = with_faces
            .iter()
            .filter(|kept| stage.get::<Photo>(&kept.id).is_some_and(|photo| photo.is_here()))
            .map(|kept| Sighted {
                id: kept.id.clone(),
                vectors: kept.faces.iter().map(|face| face.vector.clone()).collect(),
            });
        let said = stage.filter::<Person>(|person| !person.same.is_empty());
        let said = said.iter().map(|person| Said { same: person.same.clone(), not: person.not.clone() });
        Ok(Looks { on: true, photos: here.collect(), said: said.collect() })
    }
}

pub(crate) struct PhotoPeopleGroups;

/// Who is who, as it was computed.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct GroupsArgs {
    /// The faces of each person.
    groups: Vec<Vec<FaceOf>>,
}

#[async_trait(?Send)]
impl Tool<Stage> for PhotoPeopleGroups {
    const NAME: &'static str = "photo_people_groups";
    const TITLE: &'static str = "Keep who is who";
    const DESCRIPTION: &'static str = "Keeps which faces are one person's, in place of what was computed before. Names and what was said stay.";
    const HINTS: Hints = Hints::SET;
    const APP_ONLY: bool = true;
    type Args = GroupsArgs;
    type Output = Done;

    async fn run(&self, args: GroupsArgs, stage: &mut Stage) -> Result<Done, ToolError> {
        if !is_on(stage) {
            return Ok(Done { summary: "People are not recognised: nothing was kept.".into(), count: 0 });
        }
        let count = grouping::keep(stage, args.groups);
        Ok(Done { summary: "Grouped faces by person.".into(), count })
    }
}

pub(crate) struct PhotoPeopleGrid;

/// What the panel shows of people. Nothing where they are not recognised.
#[derive(Debug, Default, Serialize, JsonSchema)]
pub(crate) struct PeopleGrid {
    /// Whether people are recognised.
    on: bool,
    /// Whether anything is kept of faces and names, also while people are not recognised.
    kept: bool,
    /// Who there is, those on most photos first; hidden ones too.
    people: Vec<Cell>,
    /// The photos with faces, for the frames around them.
    photos: Vec<Framed>,
    /// The ids of photos that were not looked at for people yet.
    not_looked_at: Vec<String>,
}

/// A person in the grid.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Cell {
    /// Names them in calls.
    id: String,
    /// What they are called: a name, or "unnamed person 2".
    title: String,
    /// Whether that is a name.
    named: bool,
    /// They are not to be shown.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    hidden: bool,
    /// On how many photos of the library they are.
    count: usize,
    /// The face that stands for them; none where all their photos are in the bin.
    #[serde(skip_serializing_if = "Option::is_none")]
    cover: Option<Cover>,
}

/// A face to be shown.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Cover {
    /// The photo's id.
    photo: String,
    /// Where on it, in thousandths: left, top, width, height.
    #[serde(rename = "box")]
    at: [u32; 4],
}

/// A photo and its faces.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Framed {
    /// The photo's id.
    id: String,
    /// Its faces, in order.
    faces: Vec<Frame>,
}

/// A face and whose it is.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Frame {
    /// Where, in thousandths: left, top, width, height.
    #[serde(rename = "box")]
    at: [u32; 4],
    /// The id of the person; empty where nobody is known.
    #[serde(skip_serializing_if = "String::is_empty")]
    person: String,
    /// What person_name takes as `person` to name somebody by this face alone.
    face: String,
}

#[async_trait(?Send)]
impl Tool<Stage> for PhotoPeopleGrid {
    const NAME: &'static str = "photo_people_grid";
    const TITLE: &'static str = "Show all people";
    const DESCRIPTION: &'static str = "Gives what the panel shows of people.";
    const HINTS: Hints = Hints::READ;
    const APP_ONLY: bool = true;
    type Args = NoArguments;
    type Output = PeopleGrid;

    async fn run(&self, _: NoArguments, stage: &mut Stage) -> Result<PeopleGrid, ToolError> {
        let kept = !stage.all::<Faces>().is_empty() || !stage.all::<Person>().is_empty();
        if !is_on(stage) {
            return Ok(PeopleGrid { kept, ..PeopleGrid::default() });
        }
        let here = photos_of(stage, None)?;
        let all = stage.all::<Person>();
        let whose: HashMap<&FaceOf, &str> = order::gather(
            all.iter().flat_map(|person| person.faces.iter().map(move |face| (face, person.id.as_str()))),
        );
        let mut people: Vec<(u32, Cell)> = Vec::new();
        for person in &all {
            people.push((
                person.number,
                Cell {
                    id: person.id.clone(),
                    title: person.title(),
                    named: !person.name.is_empty(),
                    hidden: person.hidden,
                    count: person.count(stage),
                    cover: cover(stage, person),
                },
            ));
        }
        order::sort_by_key(&mut people, |(number, cell)| (std::cmp::Reverse(cell.count), *number));
        let mut framed = Vec::new();
        for photo in &here {
            let Some(kept) = stage.get::<Faces>(&photo.id).filter(|kept| !kept.faces.is_empty()) else {
                continue;
            };
            let frames = (0..).zip(&kept.faces).map(|(number, face)| {
                let of = FaceOf { photo: photo.id.clone(), face: number };
                Frame {
                    at: face.at,
                    person: whose.get(&of).copied().unwrap_or_default().to_owned(),
                    face: format!("{}#{number}", photo.id),
                }
            });
            framed.push(Framed { id: photo.id.clone(), faces: frames.collect() });
        }
        Ok(PeopleGrid {
            on: true,
            kept,
            people: people.into_iter().map(|(_, cell)| cell).collect(),
            photos: framed,
            not_looked_at: not_looked_at(stage, &here),
        })
    }
}

/// The face that was chosen for a person, or the largest on the photos of the library.
fn cover(stage: &Stage, person: &Person) -> Option<Cover> {
    let shown = |of: &FaceOf| {
        stage.get::<Photo>(&of.photo).filter(|photo| photo.is_here())?;
        let kept = stage.get::<Faces>(&of.photo)?;
        Some(Cover { photo: of.photo.clone(), at: kept.faces.get(of.face as usize)?.at })
    };
    let largest = || {
        let all = person.faces.iter().filter_map(shown);
        // Of two as large the first: `max_by_key` gives the last.
        all.min_by_key(|cover| std::cmp::Reverse(cover.at[2] * cover.at[3]))
    };
    person.cover.as_ref().and_then(shown).or_else(largest)
}

pub(crate) struct PhotoPeopleSet;

/// Who, and what is set.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct SetArgs {
    /// The person's id.
    person: String,
    /// true: they are not shown any more, and no tool tells of them.
    hidden: Option<bool>,
    /// The face that stands for them: one of theirs.
    cover: Option<FaceOf>,
}

#[async_trait(?Send)]
impl Tool<Stage> for PhotoPeopleSet {
    const NAME: &'static str = "photo_people_set";
    const TITLE: &'static str = "Hide a person";
    const DESCRIPTION: &'static str =
        "Hides a person, shows them again, or sets the face that stands for them.";
    const HINTS: Hints = Hints::SET;
    const APP_ONLY: bool = true;
    type Args = SetArgs;
    type Output = Changed;

    async fn run(&self, args: SetArgs, stage: &mut Stage) -> Result<Changed, ToolError> {
        must_be_on(stage)?;
        let person = existing(stage, &args.person)?;
        let mut after = Person::clone(&person);
        let mut summary = "Nothing was to be changed.".to_owned();
        if let Some(cover) = args.cover {
            if !person.faces.contains(&cover) {
                return Err(ToolError::Rejected("That face is not theirs.".into()));
            }
            summary = format!("Another face stands for {}.", person.words());
            after.cover = Some(cover);
        }
        if let Some(hidden) = args.hidden {
            after.hidden = hidden;
            // Who is hidden is known by the faces that were in view, as with a name.
            after.same.clone_from(&after.faces);
            let what = if hidden { "not shown any more" } else { "shown again" };
            summary = format!("From now on {} is {what}.", person.words());
        }
        if after != *person {
            stage.put(after);
        }
        changed(stage, summary)
    }
}
