//! What holds over several to-dos: what a to-do is a part of is there, and nothing is a part of itself.
//!
//! The tools of this crate see to it when they write. What comes back as a whole (an undo, a redo, a saved copy) was
//! right at its time and may be wrong beside what is there now; so it is shown to [`check`] before it is committed.
//! Data of an older version may have faults of both kinds. They are left alone where nobody touches them, and no walk
//! here goes on for ever because of them.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use store::{Changed, Stage};

use crate::change::quoted;
use crate::model::Todo;

/// Whether a to-do is another one, or a part of it, or a part of its parts.
pub(crate) fn is_within(stage: &Stage, id: &str, whole: &str) -> bool {
    let mut seen = BTreeSet::new();
    let mut at = Some(id.to_owned());
    while let Some(id) = at {
        if id == whole {
            return true;
        }
        at = stage.get::<Todo>(&id).and_then(|todo| todo.parent.clone());
        // Above a circle there is no further.
        if !seen.insert(id) {
            return false;
        }
    }
    false
}

/// Looks at what a stage changes, and says what would be wrong with it.
///
/// Only what the stage itself makes wrong is refused. A fault that the rows it brings back had among themselves is none of
/// its making: a circle of them is opened, and what was a part of nothing at that time already still is.
///
/// # Errors
/// A sentence for a person: what would be wrong, and what to do first.
pub(crate) fn check(stage: &mut Stage) -> Result<(), String> {
    let Links { made, deleted } = Links::of(stage);
    let mut walk = Walk::default();
    for (id, todo) in &made {
        let Some(parent) = &todo.parent else { continue };
        let title = quoted(&todo.title);
        if let Some(circle) = walk.circle(stage, id) {
            let is_old = circle.iter().all(|id| made.contains_key(id));
            if !is_old {
                let part = stage.get::<Todo>(parent).map(|part| quoted(&part.title)).unwrap_or_default();
                return Err(format!(
                    "This would make {title} a part of itself: {part} is one of its parts now. Take {part} out of it first."
                ));
            }
            stand_alone(stage, todo);
        } else if stage.get::<Todo>(parent).is_none() {
            let gone = deleted.get(parent).cloned().or_else(|| stage.deleted_since::<Todo>(parent));
            if let Some(gone) = gone {
                let whole = quoted(&gone.title);
                return Err(format!(
                    "{title} would be a part of {whole}, which is not there any more. Bring {whole} back first."
                ));
            }
        }
    }
    if let Some((part, whole)) = left_behind(stage, &deleted).first() {
        let (part, whole) = (quoted(&part.title), quoted(&whole.title));
        return Err(format!(
            "{part} is a part of {whole}, which would be gone. Take {part} out of it first."
        ));
    }
    Ok(())
}

/// Puts on its own what a stage makes a part of nothing or of itself; says how many. For what has to come back whatever
/// it is like: a saved copy is all there is of its time.
pub(crate) fn mend(stage: &mut Stage) -> usize {
    let Links { made, deleted } = Links::of(stage);
    let mut walk = Walk::default();
    let mut alone: BTreeMap<String, Rc<Todo>> = BTreeMap::new();
    for (id, todo) in &made {
        let is_lost = todo.parent.as_ref().is_some_and(|parent| stage.get::<Todo>(parent).is_none());
        if is_lost || walk.circle(stage, id).is_some() {
            stand_alone(stage, todo);
            alone.insert(id.clone(), todo.clone());
        }
    }
    for (part, _) in left_behind(stage, &deleted) {
        stand_alone(stage, &part);
        alone.insert(part.id.clone(), part);
    }
    alone.len()
}

/// Says how many to-dos stand on their own because what they were a part of cannot be.
pub(crate) fn stands_alone(count: usize) -> String {
    match count {
        1 => "1 to-do stands on its own, because what it is a part of is not there.".to_owned(),
        count => format!("{count} to-dos stand on their own, because what they are a part of is not there."),
    }
}

/// What a stage does to families.
struct Links {
    /// The to-dos that it makes parts of others, by their ids.
    made: BTreeMap<String, Rc<Todo>>,
    /// The to-dos that it deletes, by their ids.
    deleted: BTreeMap<String, Rc<Todo>>,
}

impl Links {
    fn of(stage: &Stage) -> Self {
        let mut links = Self { made: BTreeMap::new(), deleted: BTreeMap::new() };
        for Changed { before, after } in stage.changed::<Todo>() {
            match (before, after) {
                (before, Some(after)) => {
                    let parent = before.as_ref().and_then(|before| before.parent.as_ref());
                    if after.parent.is_some() && after.parent.as_ref() != parent {
                        links.made.insert(after.id.clone(), after);
                    }
                }
                (Some(before), None) => drop(links.deleted.insert(before.id.clone(), before)),
                (None, None) => {}
            }
        }
        links
    }
}

/// The to-dos that are still parts of deleted ones, with those.
fn left_behind(stage: &Stage, deleted: &BTreeMap<String, Rc<Todo>>) -> Vec<(Rc<Todo>, Rc<Todo>)> {
    // Looking at every to-do is only for what deletes some.
    if deleted.is_empty() {
        return Vec::new();
    }
    let whole = |todo: &Todo| todo.parent.as_ref().and_then(|parent| deleted.get(parent)).cloned();
    let parts = stage.filter::<Todo>(|todo| whole(todo).is_some());
    parts.into_iter().filter_map(|part| whole(&part).map(|whole| (part, whole))).collect()
}

fn stand_alone(stage: &mut Stage, todo: &Todo) {
    stage.put(Todo { parent: None, ..todo.clone() });
}

/// Walks up from many to-dos, over each stretch once: a saved copy may bring back a hundred thousand of them.
#[derive(Default)]
struct Walk {
    /// Who is in no circle.
    sound: BTreeSet<String>,
}

impl Walk {
    /// The circle a to-do is in, as the stage leaves it; none for one that is only below a circle.
    fn circle(&mut self, stage: &Stage, id: &str) -> Option<Vec<String>> {
        let mut path: Vec<String> = Vec::new();
        let mut places: BTreeMap<String, usize> = BTreeMap::new();
        let mut at = Some(id.to_owned());
        while let Some(id) = at {
            if self.sound.contains(&id) {
                break;
            }
            if let Some(place) = places.get(&id) {
                let circle = path.split_off(*place);
                let is_in_it = path.is_empty();
                self.sound.extend(path);
                return is_in_it.then_some(circle);
            }
            at = stage.get::<Todo>(&id).and_then(|todo| todo.parent.clone());
            places.insert(id.clone(), path.len());
            path.push(id);
        }
        self.sound.extend(path);
        None
    }
}
