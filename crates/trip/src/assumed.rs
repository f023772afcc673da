//! What the checker reckons with: minutes at airports, speeds, sizes of rooms. Shown to the person, who may change each (issue 16).

use domain::row;
use schemars::JsonSchema;
use serde::Serialize;

/// What the checker reckons with. What is none is as in [`Assumed::DEFAULT`]; each can be shown and changed (issue 16).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(default)]
pub struct Assumptions {
    /// Minutes between two flights within a country.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub connection_domestic_min: Option<u32>,
    /// Minutes between two flights of which one crosses a border.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub connection_international_min: Option<u32>,
    /// Minutes at the airport before a flight leaves.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub before_flight_min: Option<u32>,
    /// Minutes from landing until one has left the airport.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub leave_airport_min: Option<u32>,
    /// Kilometres an hour on foot.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub walking_kmh: Option<u32>,
    /// Kilometres an hour on the road, as the crow flies.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub driving_kmh: Option<u32>,
    /// Kilometres an hour by rail, as the crow flies.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rail_kmh: Option<u32>,
    /// How many people a room holds of which nobody said.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub room_sleeps: Option<u32>,
}

row!(Assumptions = Self::default(), needed [], may [connection_domestic_min, connection_international_min, before_flight_min, leave_airport_min, walking_kmh, driving_kmh, rail_kmh, room_sleeps]);

/// [`Assumptions`] with every gap filled in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Assumed {
    /// [`Assumptions::connection_domestic_min`].
    pub connection_domestic_min: u32,
    /// [`Assumptions::connection_international_min`].
    pub connection_international_min: u32,
    /// [`Assumptions::before_flight_min`].
    pub before_flight_min: u32,
    /// [`Assumptions::leave_airport_min`].
    pub leave_airport_min: u32,
    /// [`Assumptions::walking_kmh`].
    pub walking_kmh: u32,
    /// [`Assumptions::driving_kmh`].
    pub driving_kmh: u32,
    /// [`Assumptions::rail_kmh`].
    pub rail_kmh: u32,
    /// [`Assumptions::room_sleeps`].
    pub room_sleeps: u32,
}

impl Assumed {
    /// What is reckoned with where the person says nothing. Airports publish minimum connections of 30 to 60 minutes within a country and 60
    /// to 90 across a border; airlines ask for two to three hours before long flights and one before short ones. Speeds are over the whole
    /// way as the crow flies, with detours and stops.
    pub const DEFAULT: Self = Self {
        connection_domestic_min: 45,
        connection_international_min: 75,
        before_flight_min: 90,
        leave_airport_min: 30,
        walking_kmh: 4,
        driving_kmh: 60,
        rail_kmh: 110,
        room_sleeps: 2,
    };
}

impl Assumptions {
    /// Whether the person changed none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// What is reckoned with: the person's figures over [`Assumed::DEFAULT`].
    #[must_use]
    pub fn filled(&self) -> Assumed {
        let usual = Assumed::DEFAULT;
        Assumed {
            connection_domestic_min: self.connection_domestic_min.unwrap_or(usual.connection_domestic_min),
            connection_international_min: self
                .connection_international_min
                .unwrap_or(usual.connection_international_min),
            before_flight_min: self.before_flight_min.unwrap_or(usual.before_flight_min),
            leave_airport_min: self.leave_airport_min.unwrap_or(usual.leave_airport_min),
            walking_kmh: self.walking_kmh.unwrap_or(usual.walking_kmh),
            driving_kmh: self.driving_kmh.unwrap_or(usual.driving_kmh),
            rail_kmh: self.rail_kmh.unwrap_or(usual.rail_kmh),
            room_sleeps: self.room_sleeps.unwrap_or(usual.room_sleeps),
        }
    }
}
