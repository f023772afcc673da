//! The nets and the table of places, fetched when they are first needed and kept as long as this worker lives.

use std::cell::RefCell;
use std::rc::Rc;

use places::Places;
use vision::look::Eyes;

use crate::scope::file;

thread_local! {
    static EYES: RefCell<Option<Rc<Eyes>>> = const { RefCell::new(None) };
    static PEOPLE: RefCell<Option<Rc<Eyes>>> = const { RefCell::new(None) };
    static PLACES: RefCell<Option<Rc<Places>>> = const { RefCell::new(None) };
}

/// What photos are looked at with, and whether all of it is there: without a network at the first time it is not, and is asked
/// for again with the next photo.
pub async fn eyes() -> (Rc<Eyes>, bool) {
    if let Some(eyes) = EYES.with_borrow(Clone::clone) {
        return (eyes, true);
    }
    let made = async {
        let (faces, tags) = (file("yunet-s.onnx").await?, file("image-tags.onnx").await?);
        Eyes::new().with_faces(&faces).ok()?.with_tags(&tags).ok()
    };
    match made.await {
        Some(eyes) => {
            let eyes = Rc::new(eyes);
            EYES.set(Some(Rc::clone(&eyes)));
            (eyes, true)
        }
        None => (Rc::new(Eyes::new()), false),
    }
}

/// What people are told apart with, fetched only where the person turned that on; none where it cannot be had now.
pub async fn people() -> Option<Rc<Eyes>> {
    if let Some(eyes) = PEOPLE.with_borrow(Clone::clone) {
        return Some(eyes);
    }
    let faces = file("yunet-s.onnx").await?;
    let (landmarks, embedding) = (file("face-landmarks.onnx").await?, file("face-embedding.onnx").await?);
    let eyes = Eyes::new().with_faces(&faces).ok()?.with_people(&landmarks, &embedding).ok()?;
    let eyes = Rc::new(eyes);
    PEOPLE.set(Some(Rc::clone(&eyes)));
    Some(eyes)
}

/// The table of cities; none where it cannot be had now.
pub async fn places() -> Option<Rc<Places>> {
    if let Some(places) = PLACES.with_borrow(Clone::clone) {
        return Some(places);
    }
    let places = Rc::new(Places::read(&file("cities.bin").await?).ok()?);
    PLACES.set(Some(Rc::clone(&places)));
    Some(places)
}
