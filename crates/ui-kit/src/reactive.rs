//! Leptos' effects and memos, with their code in the page once for each kind of value instead of once for each use.
//!
//! What they do is leptos': see [`Effect::new`] and [`Memo::new`]. Both are generic over the function they are given and
//! bring a loop, or a comparison, of their own for each; here the function is behind a pointer.

use leptos::prelude::*;

/// Runs `f` after what is drawn now, and again whenever what it read has changed; it is given what it returned before.
pub fn effect<T: 'static>(f: impl FnMut(Option<T>) -> T + 'static) {
    boxed_effect(Box::new(f));
}

fn boxed_effect<T: 'static>(f: Box<dyn FnMut(Option<T>) -> T>) {
    Effect::new(f);
}

/// A value derived from others, which tells its readers only when it is another one; `f` is given the one before.
#[track_caller]
pub fn memo<T: PartialEq + Send + Sync + 'static>(
    f: impl Fn(Option<&T>) -> T + Send + Sync + 'static,
) -> Memo<T> {
    boxed_memo(Box::new(f))
}

/// What makes a memo's value of the one before.
type Derive<T> = Box<dyn Fn(Option<&T>) -> T + Send + Sync>;

#[track_caller]
fn boxed_memo<T: PartialEq + Send + Sync + 'static>(f: Derive<T>) -> Memo<T> {
    Memo::new(f)
}
