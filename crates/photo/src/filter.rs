//! Which photos are meant by words, numbers and days.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use dates::iso::read_day;
use dates::names::month_name;
use jiff::civil::Date;
use mcp::ToolError;
use schemars::JsonSchema;
use serde::Deserialize;
use store::Stage;

use crate::images::{Images, best_first};
use crate::list::Sort;
use crate::model::{Album, Photo};
use crate::person::{Person, existing, is_on, must_be_on, shown};

/// Filters (all have to hold), among which photos, and in which order.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Filter {
    /// Only among these: ids, or the reference of an earlier result. All photos when left out.
    pub images: Option<Images>,
    /// Only with all of these words in tags, places, dates, albums, people, camera, lens or the file's name.
    pub text: Option<String>,
    /// Only with all of these tags.
    pub tags: Option<Vec<String>>,
    /// Only with all of these people: names, or as group_by_person calls them.
    pub people: Option<Vec<String>>,
    /// Only taken in this city or country, or near this landmark, by GPS.
    pub place: Option<String>,
    /// Only taken on or after this day (2026-11-21).
    pub from: Option<String>,
    /// Only taken on or before this day.
    pub to: Option<String>,
    /// Only with at least this many faces.
    pub min_faces: Option<u32>,
    /// Only with at most this many faces.
    pub max_faces: Option<u32>,
    /// Only of at least this quality, 0 to 100.
    pub min_quality: Option<u32>,
    /// Only of at most this quality, 0 to 100.
    pub max_quality: Option<u32>,
    /// Only with at least this many stars, 1 to 5.
    pub min_stars: Option<u32>,
    /// Only in this album.
    pub album: Option<String>,
    /// Only of this shape.
    pub orientation: Option<Orientation>,
    /// true: only those that have near-duplicates; false: of near-duplicates only the best.
    pub duplicates: Option<bool>,
    /// The order; newest when left out.
    pub sort: Option<Sort>,
}

/// The shape of a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
pub(crate) enum Orientation {
    /// Wider than high.
    Landscape,
    /// Higher than wide.
    Portrait,
    /// As wide as high, within a twentieth.
    Square,
}

/// A filter, read once.
pub(crate) struct Sieve {
    filter: Filter,
    words: Vec<String>,
    tags: Vec<String>,
    place: Option<String>,
    from: Option<Date>,
    to: Option<Date>,
    /// The photos of each person that is meant.
    people: Vec<HashSet<String>>,
    /// The photos of the album that is meant.
    album: Option<HashSet<String>>,
    /// The names of a photo's albums in lower case, by its id; empty where nobody asks for words.
    albums: HashMap<String, Vec<String>>,
    /// The names of the people on a photo, by its id; empty where nobody asks for words, and where people are not recognised.
    names: HashMap<String, Vec<String>>,
}

impl Filter {
    /// Reads it.
    ///
    /// # Errors
    /// [`ToolError::Rejected`] for a day that is none, an album that is not there, and people who are not known.
    pub fn read(self, stage: &Stage) -> Result<Sieve, ToolError> {
        let day = |text: &Option<String>| match text {
            None => Ok(None),
            Some(text) => read_day(text).map(Some).ok_or_else(|| {
                let shown: String = text.chars().take(40).collect();
                ToolError::Rejected(format!("{shown:?} is no day; write it as 2026-11-21."))
            }),
        };
        let album = self.album.as_deref().map(|name| crate::albums::existing(stage, name)).transpose()?;
        let lower = |text: &String| text.trim().to_lowercase();
        let asks_for_words = self.text.is_some() || self.tags.is_some();
        let mut albums: HashMap<String, Vec<String>> = HashMap::new();
        for album in stage.all::<Album>().iter().filter(|_| asks_for_words) {
            for id in &album.photos {
                albums.entry(id.clone()).or_default().push(album.name.to_lowercase());
            }
        }
        if self.people.is_some() {
            must_be_on(stage)?;
        }
        let of_person = |name: &String| Ok(photos_of_person(&*existing(stage, name)?));
        let people = self.people.iter().flatten().map(of_person).collect::<Result<_, ToolError>>()?;
        let mut names: HashMap<String, Vec<String>> = HashMap::new();
        if self.text.is_some() && is_on(stage) {
            for person in shown(stage).iter().filter(|person| !person.name.is_empty()) {
                for id in person.photos() {
                    names.entry(id.to_owned()).or_default().push(person.name.clone());
                }
            }
        }
        Ok(Sieve {
            people,
            names,
            words: self.text.iter().flat_map(|text| text.split_whitespace()).map(str::to_lowercase).collect(),
            tags: self.tags.iter().flatten().map(lower).collect(),
            place: self.place.as_ref().map(lower).filter(|place| !place.is_empty()),
            from: day(&self.from)?,
            to: day(&self.to)?,
            album: album.map(|album| album.photos.iter().cloned().collect()),
            albums,
            filter: self,
        })
    }
}

impl Sieve {
    /// Whether a photo is meant.
    pub fn lets_through(&self, photo: &Photo) -> bool {
        let filter = &self.filter;
        let within = |number: Option<u32>, least: Option<u32>, most: Option<u32>| {
            (least.is_none() && most.is_none())
                || number.is_some_and(|number| {
                    least.is_none_or(|least| number >= least) && most.is_none_or(|most| number <= most)
                })
        };
        let quality = photo.quality.as_ref().map(|quality| quality.score);
        within(photo.faces, filter.min_faces, filter.max_faces)
            && within(quality, filter.min_quality, filter.max_quality)
            && filter.min_stars.is_none_or(|least| photo.stars >= least)
            && (filter.duplicates != Some(true) || !photo.twin_of.is_empty())
            && filter.orientation.is_none_or(|shape| has_shape(photo, shape))
            && self.people.iter().all(|on| on.contains(&photo.id))
            && self.album.as_ref().is_none_or(|album| album.contains(&photo.id))
            && self.is_of_the_days(photo)
            && self.tags.iter().all(|tag| self.is_called(photo, tag))
            && self.place.as_ref().is_none_or(|place| is_at(photo, place))
            && self.has_all_words(photo)
    }

    /// Takes out of what was let through what is spare: of each group of near-duplicates among it all but the best.
    pub fn take_out_spare(&self, found: &mut Vec<Rc<Photo>>) {
        if self.filter.duplicates != Some(false) {
            return;
        }
        let mut groups = HashSet::new();
        // As the groups of duplicates have it: what a person gave stars comes first.
        let mut best = best_first(found.clone());
        order::sort_by_key(&mut best, |photo| std::cmp::Reverse(photo.stars));
        let is_kept = |photo: &&Rc<Photo>| photo.twin_of.is_empty() || groups.insert(photo.twin_of.clone());
        let kept: HashSet<String> = order::gather(best.iter().filter(is_kept).map(|photo| photo.id.clone()));
        found.retain(|photo| kept.contains(&photo.id));
    }

    fn is_of_the_days(&self, photo: &Photo) -> bool {
        if self.from.is_none() && self.to.is_none() {
            return true;
        }
        // What has no date of its own is of no day: that it was added then says nothing of when it was taken.
        let day = photo.taken.as_deref().and_then(|taken| read_day(taken.get(..10)?));
        day.is_some_and(|day| self.from.is_none_or(|from| day >= from) && self.to.is_none_or(|to| day <= to))
    }

    /// Whether it has a tag, or is in an album of that name.
    fn is_called(&self, photo: &Photo, tag: &str) -> bool {
        photo.has_tag(tag) || self.albums_of(photo).any(|album| album == tag)
    }

    fn albums_of(&self, photo: &Photo) -> impl Iterator<Item = &String> {
        self.albums.get(&photo.id).into_iter().flatten()
    }

    fn has_all_words(&self, photo: &Photo) -> bool {
        if self.words.is_empty() {
            return true;
        }
        let mut text = format!("{} {}", photo.camera, photo.lens);
        let mut add = |part: &str| {
            text.push(' ');
            text.push_str(part);
        };
        photo.tags.iter().for_each(|tag| add(&tag.name));
        if let Some(place) = &photo.place {
            add(&place.words());
            place.landmarks.iter().for_each(|landmark| add(landmark));
        }
        if let Some(taken) = &photo.taken {
            add(taken);
            let month = taken.get(5..7).and_then(|month| month.parse().ok());
            month.filter(|month| (1..=12).contains(month)).iter().for_each(|month| add(month_name(*month)));
        }
        self.albums_of(photo).for_each(|album| add(album));
        self.names.get(&photo.id).into_iter().flatten().for_each(|name| add(name));
        let (text, name) = (text.to_lowercase(), photo.name.to_lowercase());
        let words: HashSet<&str> = text.split(|letter: char| !letter.is_alphanumeric()).collect();
        // Of a file's name a part is enough: nobody types the whole of it.
        self.words.iter().all(|word| has_word(&words, word) || text_has(&text, word) || name.contains(word))
    }
}

/// The photos that somebody is on.
fn photos_of_person(person: &Person) -> HashSet<String> {
    order::gather(person.photos().into_iter().map(str::to_owned))
}

/// Whether a word is among these, as it is or as its plural or singular: who looks for "dogs" means what is tagged "dog".
fn has_word(words: &HashSet<&str>, word: &str) -> bool {
    let stem = |end: &str| word.strip_suffix(end).filter(|stem| stem.len() > 2);
    words.contains(word) || [stem("s"), stem("es")].into_iter().flatten().any(|stem| words.contains(stem))
}

/// Whether a text has what is no plain word: `2026-06`, `saint-denis`.
fn text_has(text: &str, word: &str) -> bool {
    word.chars().any(|letter| !letter.is_alphanumeric()) && text.contains(word)
}

/// Whether a photo was taken at a place: its city, its country, or near a landmark.
pub(crate) fn is_at(photo: &Photo, place: &str) -> bool {
    photo.place.as_ref().is_some_and(|at| {
        at.city.to_lowercase() == place
            || at.country.to_lowercase() == place
            || at.words().to_lowercase() == place
            || at.landmarks.iter().any(|landmark| landmark.to_lowercase().contains(place))
    })
}

fn has_shape(photo: &Photo, shape: Orientation) -> bool {
    let (width, height) = (u64::from(photo.width), u64::from(photo.height));
    let is_square = width.abs_diff(height) * 20 <= width.max(height);
    width > 0
        && match shape {
            Orientation::Square => is_square,
            Orientation::Landscape => !is_square && width > height,
            Orientation::Portrait => !is_square && width < height,
        }
}
