//! The sign-in at a server elsewhere (2026-07-28, basic/authorization).
