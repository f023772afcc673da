//! What is asked of a domain where its rows change past its tools: an undo, a file, a saved copy.

use store::Stage;

use crate::Domain;

/// The functions of a [`Domain`] that whatever works on the journal as a whole asks before it hands a stage in, and nothing else does. A
/// program in parts has them where that is, since [`Bare`](crate::Bare) is without them.
pub trait Guard {
    /// [`Domain::check`].
    ///
    /// # Errors
    /// What would be wrong, in a sentence for a person.
    fn check(&self, stage: &mut Stage) -> Result<(), String>;

    /// [`Domain::mend`].
    fn mend(&self, stage: &mut Stage) -> Option<String>;

    /// [`Domain::hold_back`].
    fn hold_back(&self, stage: &mut Stage) -> Option<String>;
}

impl<D: Domain + ?Sized> Guard for &'static D {
    fn check(&self, stage: &mut Stage) -> Result<(), String> {
        D::check(self, stage)
    }

    fn mend(&self, stage: &mut Stage) -> Option<String> {
        D::mend(self, stage)
    }

    fn hold_back(&self, stage: &mut Stage) -> Option<String> {
        D::hold_back(self, stage)
    }
}
