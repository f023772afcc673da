//! Photos that belong together: what was taken at one time in one region, by the rule of `vision::events`.

use std::rc::Rc;

use vision::events::{Shot, events as grouped};
use vision::exif::Point;
use vision::likeness::PerceptualHash;
use vision::moment::Moment;

use crate::model::Photo;

/// The events among some photos, the newest first; in each the photos in the order in which they were taken. What has no date
/// belongs to none: where it was taken says nothing of when.
pub(crate) fn events(photos: &[Rc<Photo>]) -> Vec<Vec<Rc<Photo>>> {
    let dated: Vec<&Rc<Photo>> = photos.iter().filter(|photo| photo.taken.is_some()).collect();
    let shots: Vec<Shot> = dated.iter().map(|photo| shot(photo)).collect();
    let mut events: Vec<Vec<Rc<Photo>>> = grouped(&shots)
        .into_iter()
        .filter(|event| event.begins.is_some())
        .map(|event| event.photos.into_iter().map(|at| Rc::clone(dated[at])).collect())
        .collect();
    events.reverse();
    events
}

fn shot(photo: &Photo) -> Shot {
    Shot {
        taken: photo.taken.as_deref().and_then(Moment::read),
        place: photo.gps.and_then(|gps| Point::new(gps.lat, gps.lon)),
        hash: u64::from_str_radix(&photo.look, 16).ok().map(PerceptualHash),
    }
}
