//! Taking what was erased out of the journal's entries, and keeping it from coming back with an old snapshot.

use std::{cell::RefCell, rc::Rc};

use js_sys::{Array, Object, Reflect};
use wasm_bindgen::{JsCast, JsValue, closure::Closure};
use web_sys::{IdbObjectStore, IdbTransaction, IdbTransactionMode};

use super::connection::{Connection, ConnectionError};
use super::schema::{JOURNAL, SNAPSHOTS};
use super::{from_entry, replace_in, revs, to_entry};
use crate::{Change, Durability, Rev, Snapshot};

/// So many entries are looked at in one transaction.
const STRETCH: u64 = 256;

/// The key beside the snapshot under which the revision of the last erasure is.
const ERASED: &str = "erased";

/// What is asked for in a transaction and acted on within it.
type Outcome<T> = Rc<RefCell<Option<Result<T, ConnectionError>>>>;

/// Takes out of the entries before a revision what they say of some tables, and the texts that cannot be read.
pub(super) async fn entries(
    connection: &Connection,
    tables: &[String],
    before: Rev,
) -> Result<(), ConnectionError> {
    let mut from = 1;
    while from < before {
        let until = before.min(from + STRETCH);
        stretch(connection, tables, from, until).await?;
        from = until;
    }
    Ok(())
}

/// A stretch of them in one transaction: what is read is what is written over.
async fn stretch(
    connection: &Connection,
    tables: &[String],
    from: Rev,
    until: Rev,
) -> Result<(), ConnectionError> {
    let transaction = connection.begin(&[JOURNAL], IdbTransactionMode::Readwrite, Durability::Strict)?;
    let store = transaction.store(JOURNAL)?;
    let request = store.get_all_with_key(&revs(from, until)?.into())?;
    let outcome: Outcome<()> = Rc::default();
    let on_entries = {
        let (request, outcome, tables) = (request.clone(), outcome.clone(), tables.to_vec());
        Closure::once(move || {
            let replace = || {
                for entry in Array::from(&request.result()?).iter() {
                    erase_in(&store, &entry, &tables)?;
                }
                Ok(())
            };
            *outcome.borrow_mut() = Some(replace());
        })
    };
    request.set_onsuccess(Some(on_entries.as_ref().unchecked_ref()));
    let done = transaction.settled().await;
    request.set_onsuccess(None);
    done?;
    outcome.take().unwrap_or_else(|| Err(broken_off()))
}

/// Puts what is left of an entry in its place, where it is less.
fn erase_in(store: &IdbObjectStore, entry: &JsValue, tables: &[String]) -> Result<(), ConnectionError> {
    match from_entry(entry) {
        Ok(change) => {
            if let Some(left) = change.without(tables) {
                store.put(&to_entry(&left)?)?;
            }
        }
        Err(_) => {
            // What it is called stays, so that it is not taken for one that never was.
            let blank = Object::new();
            for name in ["rev", "key"] {
                let name = JsValue::from(name);
                let value = Reflect::get(entry, &name)?;
                if !value.is_undefined() {
                    Reflect::set(&blank, &name, &value)?;
                }
            }
            Reflect::set(&blank, &"body".into(), &"".into())?;
            store.put(&blank)?;
        }
    }
    Ok(())
}

/// The stores that an append writes to.
pub(super) fn stores_of(changes: &[Rc<Change>]) -> &'static [&'static str] {
    if erased_by(changes).is_none() { &[JOURNAL] } else { &[JOURNAL, SNAPSHOTS] }
}

/// Keeps the revision of the erasure among some changes, within the transaction that adds them.
pub(super) fn note_in(transaction: &IdbTransaction, changes: &[Rc<Change>]) -> Result<(), ConnectionError> {
    if let Some(rev) = erased_by(changes) {
        transaction.object_store(SNAPSHOTS)?.put_with_key(&(rev as f64).into(), &ERASED.into())?;
    }
    Ok(())
}

fn erased_by(changes: &[Rc<Change>]) -> Option<Rev> {
    changes.iter().filter(|change| !change.erases.is_empty()).map(|change| change.rev).max()
}

/// Replaces the snapshot, but not by one of before the last erasure: another instance may not know of it yet.
pub(super) async fn put_snapshot(
    connection: &Connection,
    snapshot: &Snapshot,
) -> Result<(), ConnectionError> {
    let transaction = connection.begin(&[SNAPSHOTS], IdbTransactionMode::Readwrite, Durability::Relaxed)?;
    let request = transaction.store(SNAPSHOTS)?.get(&ERASED.into())?;
    let outcome: Outcome<()> = Rc::default();
    let on_erased = {
        let (request, outcome) = (request.clone(), outcome.clone());
        let (parts, snapshot) = (transaction.parts(), snapshot.clone());
        Closure::once(move || {
            let erased = request.result().ok().and_then(|erased| erased.as_f64());
            let is_before = erased.is_some_and(|erased| (snapshot.rev as f64) < erased);
            *outcome.borrow_mut() = Some(if is_before { Ok(()) } else { replace_in(&parts, &snapshot) });
        })
    };
    request.set_onsuccess(Some(on_erased.as_ref().unchecked_ref()));
    let done = transaction.settled().await;
    request.set_onsuccess(None);
    done?;
    outcome.take().unwrap_or_else(|| Err(broken_off()))
}

fn broken_off() -> ConnectionError {
    ConnectionError::Gone("the connection was closed in the middle of a write".to_owned())
}
