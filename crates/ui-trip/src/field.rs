//! The fields of a segment's form: which of them a kind has, in which order, and what they are called. Pure.

use serde::{Deserialize, Serialize};
use ui_kit::language::Word;

use crate::model::Kind;
use crate::words;

use Field as F;

/// A field of the form.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Field {
    /// What it is called.
    Title,
    /// Where one sets out.
    From,
    /// Where one arrives.
    To,
    /// Where it is.
    Place,
    /// The day it begins.
    StartDay,
    /// The time it begins.
    StartTime,
    /// The day it ends.
    EndDay,
    /// The time it ends.
    EndTime,
    /// How one goes.
    Mode,
    /// Who flies or drives.
    Carrier,
    /// The flight's or train's number.
    Number,
    /// How settled it is.
    Status,
    /// What it costs.
    Cost,
    /// In which currency.
    Currency,
    /// The confirmation code.
    Code,
    /// How many rooms.
    Rooms,
    /// How many people a room holds.
    Sleeps,
    /// When the place is open.
    Opening,
    /// Addresses, each in a line.
    Links,
    /// More about it.
    Note,
    /// The zone it begins in.
    StartZone,
    /// The zone it ends in.
    EndZone,
}

impl Field {
    /// The fields of a kind, in the order of the form.
    #[must_use]
    pub fn of(kind: Kind) -> &'static [Self] {
        match kind {
            Kind::Flight => &[
                F::From,
                F::To,
                F::StartDay,
                F::StartTime,
                F::EndDay,
                F::EndTime,
                F::Number,
                F::Carrier,
                F::Status,
                F::Code,
                F::Cost,
                F::Currency,
                F::Title,
                F::StartZone,
                F::EndZone,
                F::Links,
                F::Note,
            ],
            Kind::Hotel => &[
                F::Place,
                F::StartDay,
                F::StartTime,
                F::EndDay,
                F::EndTime,
                F::Rooms,
                F::Sleeps,
                F::Status,
                F::Code,
                F::Cost,
                F::Currency,
                F::Title,
                F::StartZone,
                F::Links,
                F::Note,
            ],
            Kind::Transfer => &[
                F::From,
                F::To,
                F::Mode,
                F::StartDay,
                F::StartTime,
                F::EndDay,
                F::EndTime,
                F::Number,
                F::Carrier,
                F::Status,
                F::Code,
                F::Cost,
                F::Currency,
                F::Title,
                F::StartZone,
                F::EndZone,
                F::Links,
                F::Note,
            ],
            Kind::Activity => &[
                F::Title,
                F::Place,
                F::StartDay,
                F::StartTime,
                F::EndDay,
                F::EndTime,
                F::Opening,
                F::Status,
                F::Code,
                F::Cost,
                F::Currency,
                F::StartZone,
                F::Links,
                F::Note,
            ],
            Kind::Meeting => &[
                F::Title,
                F::Place,
                F::StartDay,
                F::StartTime,
                F::EndDay,
                F::EndTime,
                F::Status,
                F::Code,
                F::Cost,
                F::Currency,
                F::StartZone,
                F::Links,
                F::Note,
            ],
            Kind::Note => {
                &[F::Title, F::Place, F::StartDay, F::StartTime, F::EndDay, F::EndTime, F::Links, F::Note]
            }
        }
    }

    /// The end of its test id.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            F::Title => "title",
            F::From => "from",
            F::To => "to",
            F::Place => "place",
            F::StartDay => "start-day",
            F::StartTime => "start-time",
            F::EndDay => "end-day",
            F::EndTime => "end-time",
            F::Mode => "mode",
            F::Carrier => "carrier",
            F::Number => "number",
            F::Status => "status",
            F::Cost => "cost",
            F::Currency => "currency",
            F::Code => "code",
            F::Rooms => "rooms",
            F::Sleeps => "sleeps",
            F::Opening => "opening",
            F::Links => "links",
            F::Note => "note",
            F::StartZone => "start-zone",
            F::EndZone => "end-zone",
        }
    }

    /// What it is called in the form of a kind.
    #[must_use]
    pub fn name(self, kind: Kind) -> &'static str {
        let name: Word = match (self, kind) {
            (F::Title, _) => words::field_title,
            (F::From, _) => words::field_from,
            (F::To, _) => words::field_to,
            (F::Place, Kind::Hotel) => words::field_hotel,
            (F::Place, _) => words::field_place,
            (F::StartDay, Kind::Hotel) => words::field_arrival_day,
            (F::StartDay, Kind::Flight | Kind::Transfer) => words::field_departure_day,
            (F::StartDay, _) => words::field_start_day,
            (F::StartTime, Kind::Hotel) => words::field_arrival_time,
            (F::StartTime, Kind::Flight | Kind::Transfer) => words::field_departure_time,
            (F::StartTime, _) => words::field_start_time,
            (F::EndDay, Kind::Hotel) => words::field_leaving_day,
            (F::EndDay, Kind::Flight | Kind::Transfer) => words::field_arrival_day,
            (F::EndDay, _) => words::field_end_day,
            (F::EndTime, Kind::Hotel) => words::field_leaving_time,
            (F::EndTime, Kind::Flight | Kind::Transfer) => words::field_arrival_time,
            (F::EndTime, _) => words::field_end_time,
            (F::Mode, _) => words::field_mode,
            (F::Carrier, Kind::Flight) => words::field_airline,
            (F::Carrier, _) => words::field_carrier,
            (F::Number, _) => words::field_number,
            (F::Status, _) => words::field_status,
            (F::Cost, _) => words::field_cost,
            (F::Currency, _) => words::field_currency,
            (F::Code, _) => words::field_code,
            (F::Rooms, _) => words::field_rooms,
            (F::Sleeps, _) => words::field_sleeps,
            (F::Opening, _) => words::field_opening,
            (F::Links, _) => words::field_links,
            (F::Note, _) => words::field_note,
            (F::StartZone, _) => words::field_start_zone,
            (F::EndZone, _) => words::field_end_zone,
        };
        name()
    }

    /// Whether a segment of a kind cannot be without it: as the tools have it.
    #[must_use]
    pub fn is_needed(self, kind: Kind) -> bool {
        match kind {
            Kind::Flight => matches!(self, F::From | F::To | F::StartDay),
            Kind::Hotel => matches!(self, F::Place | F::StartDay | F::EndDay),
            Kind::Transfer => matches!(self, F::From | F::To),
            Kind::Meeting => matches!(self, F::Title | F::StartDay),
            Kind::Activity | Kind::Note => self == F::Title,
        }
    }
}

/// Which field a refusal of a tool is about, by the words it has; none where it says none.
#[must_use]
pub fn blamed(sentence: &str, kind: Kind) -> Option<Field> {
    let said = sentence.to_lowercase();
    let signs: [(&str, Field); 18] = [
        ("currency", F::Currency),
        ("a sum ", F::Cost),
        ("link", F::Links),
        ("note has", F::Note),
        ("title", F::Title),
        ("opening", F::Opening),
        ("rooms", F::Rooms),
        ("sleeps", F::Sleeps),
        ("confirmation code", F::Code),
        ("airport code", F::From),
        ("time zone", F::StartZone),
        ("the end", F::EndDay),
        ("it ends", F::EndDay),
        ("ends at an earlier", F::EndDay),
        ("leaves", F::EndDay),
        ("the start", F::StartDay),
        ("clocks", F::StartTime),
        ("place", F::Place),
    ];
    let field = signs.into_iter().find(|(sign, _)| said.contains(sign)).map(|(_, field)| field)?;
    Field::of(kind).contains(&field).then_some(field)
}

#[cfg(test)]
mod tests {
    use super::{Field, blamed};
    use crate::model::Kind;

    #[test]
    fn a_refusal_stands_at_the_field_it_is_about() {
        let of = |said, kind| blamed(said, kind);
        assert_eq!(
            of("The currency “EURO” must be three letters of ISO 4217, like EUR.", Kind::Hotel),
            Some(Field::Currency)
        );
        assert_eq!(
            of("The airport code “XX” must be three letters, like CDG.", Kind::Flight),
            Some(Field::From)
        );
        assert_eq!(of("The airport code “XX” must be three letters, like CDG.", Kind::Hotel), None);
        assert_eq!(of("Something else.", Kind::Hotel), None);
    }
}
