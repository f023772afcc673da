//! What every journal must do for steps back and forth, and for a look at the past.

use super::*;

pub async fn undo_and_redo<P: Place>(place: P) {
    let db = open(&place).await;
    put(&db, "k1", "a", "1").await;
    put(&db, "k2", "a", "2").await;
    run(&db, "k3", |stage| stage.delete::<Card>("a")).await.unwrap();
    run(&db, "nothing", |_| ()).await.unwrap();
    let steps: [(&str, &[&str]); 9] = [
        ("undo", &["a=2"]),
        ("undo", &["a=1"]),
        ("redo", &["a=2"]),
        ("redo", &[]),
        ("redo", &[]), // nothing to redo
        ("undo", &["a=2"]),
        ("undo 2", &[]),
        ("redo", &["a=2"]),
        ("undo 9", &[]),
    ];
    for (step, (what, expected)) in steps.into_iter().enumerate() {
        // In the middle of it the worker is killed.
        let db = open(&place).await;
        let key = format!("step{step}");
        let done = match what {
            "redo" => redo(&db, &key).await,
            _ => undo(&db, &key, Undo::Last(what[4..].trim().parse().unwrap_or(1))).await,
        };
        assert_eq!(texts(&db), expected, "step {step}: {what} {done:?}");
        assert_eq!(texts(&open(&place).await), expected, "step {step} after a restart");
    }
    let db = open(&place).await;
    assert!(matches!(undo(&db, "u", Undo::Last(1)).await, Err(UndoError::NothingToUndo)));
}

pub async fn undo_by_key<P: Place>(place: P) {
    let db = open(&place).await;
    put(&db, "k1", "a", "1").await;
    put(&db, "k2", "b", "1").await;
    let key = |key: &str| Undo::Key(CallKey(key.to_owned()));
    let stage = db.stage_undo(&call("u1"), &key("k1")).await.unwrap();
    assert_eq!(stage.undone().iter().map(|change| change.rev).collect::<Vec<_>>(), [1]);
    let done = db.commit(stage, json!(null), Durability::Strict).await.unwrap();
    assert_eq!(done.change.undoes, [1]);
    assert_eq!(texts(&db), ["b=1"]);
    assert!(matches!(undo(&db, "u2", key("k1")).await, Err(UndoError::AlreadyUndone(_))));
    assert!(matches!(undo(&db, "u2", key("k9")).await, Err(UndoError::Unknown(_))));
    // Undoing the undo is a redo.
    undo(&db, "u3", key("u1")).await.unwrap();
    assert_eq!(texts(&db), ["a=1", "b=1"]);
    undo(&db, "u4", key("k1")).await.unwrap();
    assert_eq!(texts(&db), ["b=1"]);
}

pub async fn undo_never_overwrites<P: Place>(place: P) {
    let db = open(&place).await;
    put(&db, "k1", "a", "milk").await;
    put(&db, "k2", "a", "oat milk").await;
    put(&db, "k3", "b", "bread").await;
    let refused = undo(&db, "u", Undo::Key(CallKey("k1".to_owned()))).await.unwrap_err();
    assert_eq!(refused.to_string(), "Cannot undo: “oat milk” has changed since (tool_k2).");
    run(&db, "k4", |stage| stage.delete::<Card>("a")).await.unwrap();
    let refused = undo(&db, "u", Undo::Key(CallKey("k2".to_owned()))).await.unwrap_err();
    assert_eq!(refused.to_string(), "Cannot undo: “oat milk” has changed since (tool_k4).");
    assert_eq!((db.rev(), texts(&db)), (4, vec!["b=bread".into()]));
    // While the undo is on its way somebody else changes the row.
    let stage = db.stage_undo(&call("u"), &Undo::Key(CallKey("k3".to_owned()))).await.unwrap();
    put(&open(&place).await, "k5", "b", "rolls").await;
    assert_eq!(db.commit(stage, json!(null), Durability::Strict).await, Err(CommitError::Conflict));
    assert!(matches!(
        undo(&db, "u", Undo::Key(CallKey("k3".to_owned()))).await,
        Err(UndoError::ChangedSince(_))
    ));
    assert_eq!(texts(&db), ["b=rolls"]);
}

pub async fn the_past_stays_readable<P: Place>(place: P) {
    let db = open(&place).await;
    fill(&db, 150).await;
    let now = texts(&db);
    let db = open(&place).await;
    assert_eq!(texts(&db), now);
    for rev in [0_u64, 1, 6, 7, 8, 63, 64, 65, 149, 150] {
        let view = db.at(rev).await.unwrap();
        let seen: Vec<_> = view.all::<Card>().iter().map(|card| card.text.clone()).collect();
        let expected: Vec<_> = (0..7)
            .filter_map(|row| (0..rev).rev().find(|place| place % 7 == row))
            .map(|place| format!("v{place}"))
            .collect();
        assert_eq!(seen, expected, "at {rev}");
    }
    assert!(db.at(151).await.is_err());
    // Undo reaches back beyond what a start reads.
    undo(&db, "all", Undo::Last(1_000)).await.unwrap();
    assert_eq!(texts(&db), Vec::<String>::new());
}

/// Random runs with a fixed seed: back one by one, back at once and forth again give the same bytes.
pub async fn everything_goes_back_and_forth<P: Place>(place: P) {
    const SEED: u64 = 0x5a7c_4e1d;
    const RUNS: u64 = 8;
    let mut random = SEED;
    let mut pick = |below: u64| {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (random >> 33) % below
    };
    let db = open(&place).await;
    for round in 0..RUNS {
        let start = db.rev();
        let mut states = vec![texts(&db)];
        for step in 0..1 + pick(10) {
            let (id, text) = (format!("c{}", pick(4)), format!("{round}.{step}"));
            let deletes = pick(3) == 0;
            let stage_it = |stage: &mut Stage| {
                if deletes { stage.delete::<Card>(&id) } else { stage.put(card(&id, &text)) }
            };
            // What a preview shows is what is committed.
            let key = format!("w{round}.{step}");
            let mut preview = db.stage(&call(&key));
            stage_it(&mut preview);
            if preview.is_idle() {
                continue;
            }
            let done = run(&db, &key, stage_it).await.unwrap();
            assert_eq!(preview.ops(), done.change.ops, "seed {SEED:x}, run {round}, step {step}");
            states.push(texts(&db));
        }
        let made = states.len() - 1;
        for left in (0..made).rev() {
            undo(&db, &format!("u{round}.{left}"), Undo::Last(1)).await.unwrap();
            assert_eq!(texts(&db), states[left], "seed {SEED:x}, run {round}, undo to {left}");
        }
        for (again, state) in states.iter().enumerate().skip(1) {
            redo(&db, &format!("r{round}.{again}")).await.unwrap();
            assert_eq!(texts(&db), *state, "seed {SEED:x}, run {round}, redo to {again}");
        }
        let to = pick(made as u64 + 1) as usize;
        match undo(&db, &format!("t{round}"), Undo::To(start + to as u64)).await {
            Ok(_) => {}
            Err(UndoError::NothingToUndo) => assert_eq!(states[made], states[to]),
            Err(error) => panic!("seed {SEED:x}, run {round}: {error}"),
        }
        assert_eq!(texts(&db), states[to], "seed {SEED:x}, run {round}, at once to {to}");
        assert_eq!(texts(&open(&place).await), states[to], "seed {SEED:x}, run {round}, after a restart");
    }
}
