//! A place right behind another to-do, and the room for it: the order of a person's hand is a number, and numbers between two come to an
//! end. Those beyond make room then, in the same change (ADR 0072).

use mcp::ToolError;

use crate::change::{Changing, quoted};
use crate::model::Todo;
use crate::target::existing;

/// The least that two may lie apart, as a share of what they are: a number that went through JSON may come back as its neighbour.
const FINE: f64 = 1e-12;

/// What is room between two, where others have to share it.
const GAP: f64 = 1e-6;

/// The number with which a to-do stands right behind the one with this id. Others of the same date and priority get new ones where there
/// is no room.
///
/// # Errors
/// [`ToolError::Rejected`] where there is no such to-do, or it has another date or priority.
pub fn behind(changing: &mut Changing<'_>, id: &str, todo: &Todo) -> Result<f64, ToolError> {
    let before = existing(changing.stage, id)?;
    if before.id == todo.id {
        return Ok(todo.order);
    }
    if !is_alike(&before, todo) {
        let why = format!(
            "{} stands by its date and priority first: it goes behind one that has the same.",
            quoted(&todo.title)
        );
        return Err(ToolError::Rejected(why));
    }
    let is_beyond = |row: &Todo| {
        let place = row.order.total_cmp(&before.order).then_with(|| row.id.cmp(&before.id));
        place.is_gt() && row.id != todo.id && is_alike(row, todo)
    };
    let mut beyond = changing.stage.filter::<Todo>(is_beyond);
    order::sort_by(&mut beyond, |one, other| {
        one.order.total_cmp(&other.order).then_with(|| one.id.cmp(&other.id))
    });
    let (order, pushed) = with_room(before.order, &beyond.iter().map(|row| row.order).collect::<Vec<_>>());
    for (row, order) in beyond.iter().zip(pushed) {
        changing.replace(row, Todo { order, ..Todo::clone(row) });
    }
    Ok(order)
}

/// Whether a person arranges these two.
fn is_alike(one: &Todo, other: &Todo) -> bool {
    (one.status, one.due, one.priority) == (other.status, other.due, other.priority)
}

/// A number behind one, and new ones for as many of those beyond as it takes for each to have room again. Beyond the last there is no end.
fn with_room(before: f64, beyond: &[f64]) -> (f64, Vec<f64>) {
    let least = FINE * before.abs().max(1.0);
    let order = match beyond.first() {
        Some(next) => before + (next - before) / 2.0,
        None => before + 1.0_f64.max(2.0 * least),
    };
    if order - before > least || beyond.is_empty() {
        return (order, Vec::new());
    }
    for count in 1..=beyond.len() {
        let share = match beyond.get(count) {
            Some(next) => (next - before) / (count as f64 + 2.0),
            None => 1.0_f64.max(2.0 * least),
        };
        if share > GAP.max(2.0 * least) {
            let place = |at: usize| before + share * at as f64;
            return (place(1), (2..count + 2).map(place).collect());
        }
    }
    (order, Vec::new())
}

#[cfg(test)]
mod tests {
    use super::with_room;

    #[test]
    fn a_place_lies_between_its_neighbours() {
        assert_eq!(with_room(1.0, &[2.0]), (1.5, vec![]));
        assert_eq!(with_room(2.0, &[]), (3.0, vec![]));
        // Those that came in with one number all stand apart once one goes between them.
        assert_eq!(with_room(0.0, &[0.0, 0.0, 4.0]), (1.0, vec![2.0, 3.0]));
        // A number so large that the next whole one is itself.
        let (order, _) = with_room(1e17, &[]);
        assert!(order > 1e17);
    }

    /// Into the same gap again and again there is always room, and those beyond keep their order.
    #[test]
    fn there_is_always_room() {
        let mut rows: Vec<f64> = (2..12).map(f64::from).collect();
        let mut pushes = 0;
        for _ in 0..500 {
            let (order, pushed) = with_room(1.0, &rows);
            pushes += usize::from(!pushed.is_empty());
            for (row, order) in rows.iter_mut().zip(pushed) {
                *row = order;
            }
            rows.insert(0, order);
            assert!(rows[0] > 1.0 && rows.windows(2).all(|two| two[0] < two[1]), "{rows:?}");
        }
        assert!(pushes <= 50, "{pushes} of 500 made others move");
    }
}
