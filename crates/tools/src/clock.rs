//! The port to the clock on the wall.

use store::Moment;

/// Tells the time where the person is. The edge has one; nothing below it does.
pub trait Clock {
    /// Now, in a zone by its IANA name (`Europe/Berlin`), or in the device's own where none is given or
    /// the name is unknown.
    fn now(&self, zone: Option<&str>) -> Moment;
}

/// A closure is a clock.
impl<F: Fn(Option<&str>) -> Moment> Clock for F {
    fn now(&self, zone: Option<&str>) -> Moment {
        self(zone)
    }
}
