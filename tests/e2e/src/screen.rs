//! The screens of the app, for tests: what is on each, by name. A test id stands here and nowhere else.

/// Declares a screen: its elements, each a method of this name that finds what has this test id.
macro_rules! screen {
    ($(#[$doc:meta])* $screen:ident { $($name:ident $testid:literal)* }) => {
        $(#[$doc])*
        pub struct $screen<'p, P>(pub(crate) &'p P);

        impl<'p, P: crate::Page> $screen<'p, P> {
            $(
                #[doc = concat!("The element whose test id is `", $testid, "`.")]
                pub fn $name(&self) -> crate::Element<'p, P> {
                    crate::Element::of(self.0, $testid)
                }
            )*
        }
    };
}
pub(crate) use screen;

/// Gives a way to each screen from both kinds of pages.
macro_rules! screens {
    ($($name:ident $screen:ident)*) => {
        $(pub use crate::$name::$screen;)*
        screens!(@of crate::Browser, $($name $screen)*);
        screens!(@of crate::Tab, $($name $screen)*);
    };
    (@of $page:ty, $($name:ident $screen:ident)*) => {
        impl $page {
            $(
                #[doc = concat!("What is on [`", stringify!($screen), "`] of this page.")]
                pub fn $name(&self) -> $screen<'_, Self> {
                    $screen(self)
                }
            )*

            /// What a selector finds on this page, where no screen names it.
            pub fn find(&self, selector: &str) -> crate::Element<'_, Self> {
                crate::Element::css(self, selector)
            }

            /// Waits until the page shows these words, wherever.
            pub async fn says(&self, words: &str) {
                self.find("body").says(words).await;
            }
        }
    };
}

screens! {
    chat Chat
    approvals Approvals
    conversations Conversations
    workspace Workspace
    notes Notes
    settings Settings
    own_model OwnModel
    data Data
    memory Memory
    history History
    servers Servers
    programs Programs
    trace Trace
    trip_sections TripSections
    trips Trips
    palette Palette
    photos Photos
    privacy Privacy
    rehearsals Rehearsals
    reminders Reminders
}
