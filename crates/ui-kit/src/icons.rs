//! The page's drawings: 24 by 24, one stroke, coloured by the text around them.

use leptos::prelude::*;

/// A drawing, by what it stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Icon {
    /// A tick.
    Check,
    /// A cross.
    Close,
    /// A plus.
    Plus,
    /// A bin.
    Trash,
    /// An arrow that turns back.
    Undo,
    /// An arrow up.
    Send,
    /// A square.
    Stop,
    /// An arrow that goes round.
    Retry,
    /// Two sliders.
    Settings,
    /// Three lines.
    Menu,
    /// A pen on paper.
    NewChat,
    /// A broom.
    Clear,
    /// A calendar.
    Calendar,
    /// A bell.
    Bell,
    /// Two arrows in a loop.
    Repeat,
    /// An arrow down.
    Down,
    /// An arrowhead to the left.
    Back,
    /// An arrowhead to the right.
    Forward,
    /// A sheet with lines.
    List,
    /// A speech balloon.
    Chat,
    /// A shield with a mark.
    Ask,
    /// A flag.
    Flag,
    /// A triangle with a mark.
    Warning,
    /// Three dots.
    More,
    /// A pin.
    Pin,
    /// A clock that turns back.
    History,
    /// An arrow that turns forward.
    Redo,
    /// A sheet with a folded corner.
    File,
    /// Two sheets, one behind the other.
    Copy,
    /// A triangle to the side.
    Play,
    /// An arrowhead before a line, as where commands are typed.
    Command,
    /// Bars that begin one after the other.
    Trace,
    /// Bars that stand beside each other.
    Chart,
    /// A thumb up.
    ThumbUp,
    /// A thumb down.
    ThumbDown,
    /// A frame with a mountain and a sun.
    Picture,
    /// A microphone.
    Microphone,
    /// A loudspeaker.
    Speaker,
    /// A suitcase.
    Suitcase,
    /// An aeroplane.
    Plane,
    /// A bed.
    Bed,
    /// A ticket.
    Ticket,
    /// A bus.
    Bus,
    /// Two people.
    People,
}

impl Icon {
    fn path(self) -> &'static str {
        match self {
            Self::Check => "M5 12.5l4.5 4.5L19 7.5",
            Self::Close => "M6 6l12 12M18 6L6 18",
            Self::Plus => "M12 5v14M5 12h14",
            Self::Trash => "M4 7h16M10 11v6M14 11v6M6 7l1 13h10l1-13M9 7V4h6v3",
            Self::Undo => "M8 5L4 9l4 4M4 9h10a6 6 0 0 1 0 12H9",
            Self::Send => "M12 19V5M6 11l6-6 6 6",
            Self::Stop => "M7 7h10v10H7z",
            Self::Retry => "M20 12a8 8 0 1 1-2.5-5.8M20 3v5h-5",
            Self::Settings => {
                "M4 8h9M19 8h1M4 16h1M11 16h9M16 5.5a2.5 2.5 0 1 1 0 5 2.5 2.5 0 0 1 0-5zM8 13.5a2.5 2.5 0 1 1 0 5 2.5 2.5 0 0 1 0-5z"
            }
            Self::Menu => "M4 7h16M4 12h16M4 17h10",
            Self::NewChat => "M12 4H5v15h15v-7M9.5 14.5l1-3.5L18 3.5l2.5 2.5L13 13.5z",
            Self::Clear => "M14 4l-3.5 8M7 12h9l2 8H5c1.5-2 1.5-5 2-8zM10 16v4M14 16v4",
            Self::Bell => "M6 17h12l-1.5-2.5V10a4.5 4.5 0 0 0-9 0v4.5zM10 19.5h4",
            Self::Calendar => "M5 6h14v14H5zM5 10h14M9 3.5v4M15 3.5v4",
            Self::Repeat => "M5 11V9a2 2 0 0 1 2-2h11M15 4l3 3-3 3M19 13v2a2 2 0 0 1-2 2H6M9 20l-3-3 3-3",
            Self::Down => "M12 5v14M6 13l6 6 6-6",
            Self::Back => "M14.5 6l-6 6 6 6",
            Self::Forward => "M9.5 6l6 6-6 6",
            Self::List => "M9 7h11M9 12h11M9 17h11M4.5 7h.01M4.5 12h.01M4.5 17h.01",
            Self::Chat => "M5 5h14v11h-7l-4.5 4v-4H5z",
            Self::Ask => "M12 3.5l7 2.5v6c0 4.5-3 7-7 8.5-4-1.5-7-4-7-8.5V6zM12 8.5v4M12 15.5h.01",
            Self::Flag => "M6 21V4h11l-2.5 4 2.5 4H6",
            Self::Warning => "M12 4l9 16H3zM12 10v4.5M12 17h.01",
            Self::More => "M5 12h.01M12 12h.01M19 12h.01",
            Self::Pin => "M9 4h6l-1 6 3 3H7l3-3zM12 13v7",
            Self::History => "M4.5 12a7.5 7.5 0 1 0 2.3-5.4M4.5 4v4h4M12 8v4.5l3 2",
            Self::Redo => "M16 5l4 4-4 4M20 9H10a6 6 0 0 0 0 12h5",
            Self::File => "M7 3h7l4 4v14H7zM14 3v4h4",
            Self::Copy => "M9 8h11v13H9zM9 16H4V3h11v5",
            Self::Play => "M8 5l11 7-11 7z",
            Self::Picture => "M4 5h16v14H4zM4 16l5-5 4 4 3-3 4 4M15.5 9h.01",
            Self::Microphone => {
                "M12 4a2.5 2.5 0 0 1 2.5 2.5v5a2.5 2.5 0 0 1-5 0v-5A2.5 2.5 0 0 1 12 4zM6 11.5a6 6 0 0 0 12 0M12 17.5V21"
            }
            Self::Speaker => "M5 9.5v5h3.5L13 18V6L8.5 9.5zM16 9.5a3.5 3.5 0 0 1 0 5M18.5 7a7 7 0 0 1 0 10",
            Self::Suitcase => "M4 8h16v11H4zM9 8V5h6v3M8.500 8v11M15.500 8v11",
            Self::Plane => {
                "M3 13.500l1.500-1 3.500 1 4-3.500-6-5 1.700-.500 7.800 3.500 2.500-2c1.500-1 3-.500 3 .500s-1 2-2 2.500L8 16z"
            }
            Self::Bed => "M3 18V6M3 15h18v3M21 15v-2.500a2.500 2.500 0 0 0-2.500-2.500H10v5M6.500 10.500h.01",
            Self::Ticket => "M4 7h16v3.500a1.500 1.500 0 0 0 0 3V17H4v-3.500a1.500 1.500 0 0 0 0-3zM14 7v10",
            Self::Bus => "M5 5h14v12H5zM5 11h14M8 17v2.500M16 17v2.500M8 14.200h.01M16 14.200h.01",
            Self::People => {
                "M9 11a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM3 19c0-3.500 2.500-5.500 6-5.500s6 2 6 5.500M16 5.500a3 3 0 0 1 0 5.500M17.500 14c2 .700 3.500 2.500 3.500 5"
            }
            Self::Command => "M6 7l5 5-5 5M13 17h6",
            Self::Trace => "M4 6h8M8 12h9M14 18h6",
            Self::Chart => "M6 19v-6M12 19V5M18 19v-9",
            Self::ThumbUp => {
                "M8 11v9H4.500v-9zM8 11l4-7c1.500 0 2.500 1 2.500 2.500V10h4.500l-1.500 8.500a2 2 0 0 1-2 1.500H8"
            }
            Self::ThumbDown => {
                "M8 13V4H4.500v9zM8 13l4 7c1.500 0 2.500-1 2.500-2.500V14h4.500l-1.500-8.500a2 2 0 0 0-2-1.500H8"
            }
        }
    }

    /// The drawing as a node. It says nothing to a screen reader: the button around it does.
    #[must_use]
    pub fn draw(self) -> impl IntoView {
        view! {
            <svg class="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
                <path d=self.path() />
            </svg>
        }
    }
}

/// The satchel itself.
#[component]
pub fn Brand() -> impl IntoView {
    view! {
        <svg class="brand-mark" viewBox="0 0 48 48" aria-hidden="true" focusable="false">
            <path class="brand-strap" d="M15 17c0-12 18-12 18 0" />
            <rect class="brand-bag" x="6" y="15" width="36" height="26" rx="6" />
            <path class="brand-flap" d="M6 21a6 6 0 0 1 6-6h24a6 6 0 0 1 6 6v3c0 5-8 8-18 8S6 29 6 24z" />
            <path class="brand-stitch" d="M9.5 22.5c0 4.5 7 6.5 14.5 6.5s14.5-2 14.5-6.5" />
            <rect class="brand-clasp" x="18.5" y="26" width="11" height="11" rx="3" />
            <path class="brand-check" d="M21.5 31.600l2 2 3.300-3.800" />
        </svg>
    }
}
