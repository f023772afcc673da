//! The day, event by event: people come, servers compute, clusters write one after the other, and a server dies at the height of it.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};

use crate::plan::{count, whole};
use crate::{CORES, Costs, People, Plan};

/// Where a day of a second is, in microseconds.
const SECOND: u64 = 1_000_000;

/// The first hours only fill what is open, and are not counted.
const WARM_UP: u64 = 4 * 3_600 * SECOND;

/// When the server dies: at the busiest moment.
const DEATH: u64 = 16 * 3_600 * SECOND;

/// How a day went.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Day {
    /// Messages that were answered.
    pub answered: u64,
    /// The most in one second, over a minute.
    pub peak_per_s: f64,
    /// People whose things were open at the height of it.
    pub open: u64,
    /// What the service adds to the model's time, in milliseconds: the middle, and of a hundred and of a thousand the longest but one.
    pub added_ms: [f64; 3],
    /// The longest of the messages that were under way on the server that died, or came while it was replaced, in seconds.
    pub longest_s: f64,
    /// How many those were.
    pub touched: u64,
    /// How busy the busiest core of an API server was in the busiest minute, from 0 to 1.
    pub busiest_core: f64,
    /// The same of the busiest cluster.
    pub busiest_cluster: f64,
}

/// Numbers that are the same in every run.
struct Random(u64);

impl Random {
    /// From 0 to 1, without both.
    fn next(&mut self) -> f64 {
        // SplitMix64.
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.0;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (count((bits ^ (bits >> 31)) >> 12) + 0.5) / count(1 << 52)
    }

    fn below(&mut self, below: u64) -> u64 {
        whole((self.next() * count(below)).floor()).min(below - 1)
    }

    /// A time between things that come independently of each other, in microseconds.
    fn pause(&mut self, mean_s: f64) -> u64 {
        whole(-self.next().ln() * mean_s * count(SECOND))
    }
}

/// Something that does one thing after the other.
#[derive(Clone, Default)]
struct Line {
    free_at: u64,
    minute: u64,
    busy: u64,
    busiest: u64,
}

impl Line {
    /// When something is done that came at a moment and takes so long.
    fn take(&mut self, at: u64, takes: u64) -> u64 {
        let minute = at / (60 * SECOND);
        if minute != self.minute {
            self.busiest = self.busiest.max(self.busy);
            (self.minute, self.busy) = (minute, 0);
        }
        self.busy += takes;
        self.free_at = self.free_at.max(at) + takes;
        self.free_at
    }

    fn busiest(&self) -> f64 {
        count(self.busiest.max(self.busy)) / count(60 * SECOND)
    }
}

/// A message under way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Message {
    owner: u64,
    came_at: u64,
    /// Entries that are written.
    written: u64,
    /// The rest of its session.
    left: u64,
    /// In which life of its server it is worked on.
    server: u64,
    was_cut_off: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Event {
    /// Somebody begins a session.
    Begins,
    /// A message is at its server.
    Comes(Message),
    /// Its next entry is written.
    Writes(Message),
}

struct Servers {
    /// The cores of each.
    cores: Vec<Vec<Line>>,
    /// The one that is dead.
    dead: Option<u64>,
    /// Until when things of an owner stay open, and where.
    open: HashMap<u64, (u64, u64)>,
}

impl Servers {
    /// Who holds an owner's things; chosen anew where nobody does.
    fn holder(&self, owner: u64, at: u64) -> Option<u64> {
        self.open.get(&owner).filter(|(_, until)| *until > at).map(|(server, _)| *server)
    }

    fn choose(&self, owner: u64) -> u64 {
        let all = self.cores.len() as u64;
        let first = owner % all;
        if self.dead == Some(first) { (first + 1 + (owner / all) % (all - 1)) % all } else { first }
    }

    /// When what takes so long is computed, on the owner's own core.
    fn compute(&mut self, server: u64, owner: u64, at: u64, takes: u64) -> u64 {
        let core = usize::try_from(owner / 7 % CORES).unwrap_or_default();
        let cores = usize::try_from(server).ok().and_then(|server| self.cores.get_mut(server));
        cores.and_then(|cores| cores.get_mut(core)).map_or(at, |core| core.take(at, takes))
    }
}

/// Plays a day of these people on what was planned.
#[must_use]
#[allow(
    clippy::too_many_lines,
    reason = "one loop over events, in the order in which they happen to a message"
)]
pub fn play(people: &People, costs: &Costs, plan: &Plan) -> Day {
    let micro = |ms: f64| whole(ms * 1_000.0);
    let (compute, open_it, append) = (micro(costs.compute_ms), micro(costs.open_ms), micro(costs.append_ms));
    let write = whole(count(SECOND) / costs.appends_per_s);
    let memory = whole(costs.memory_s * count(SECOND));
    let model = whole(people.model_s * count(SECOND));
    let takeover = whole(costs.takeover_s * count(SECOND));
    let mut random = Random(18);
    let mut servers = Servers {
        cores: vec![vec![Line::default(); CORES as usize]; plan.servers as usize],
        dead: None,
        open: HashMap::new(),
    };
    let mut clusters = vec![Line::default(); plan.clusters as usize];
    let mut events = BinaryHeap::from([Reverse((0, 0, Event::Begins))]);
    let mut number = 0;
    let mut day = Day::default();
    let (mut added, mut in_minute, mut minute) = (Vec::new(), 0_u64, 0);
    let mean = count(people.count) * people.sessions / 86_400.0;
    while let Some(Reverse((at, _, event))) = events.pop() {
        let mut later = |at: u64, event: Event| {
            number += 1;
            events.push(Reverse((at, number, event)));
        };
        if at >= DEATH && servers.dead.is_none() && plan.servers > 1 {
            servers.dead = Some(0);
            let open = servers.open.values().filter(|(_, until)| *until > at).count();
            day.open = open as u64;
        }
        match event {
            Event::Begins => {
                if at >= 24 * 3_600 * SECOND {
                    continue;
                }
                // A wave over the day with its height at 16 o'clock, thinned out of a steady stream.
                let hour = count(at) / count(3_600 * SECOND);
                let wave = 1.0 + (people.peak - 1.0) * ((hour - 16.0) / 24.0 * std::f64::consts::TAU).cos();
                if random.next() < wave.max(0.0) / people.peak {
                    let owner = random.below(people.count);
                    let left = 1 + random.pause(people.messages - 1.0) / SECOND;
                    let message =
                        Message { owner, came_at: at, written: 0, left, server: 0, was_cut_off: false };
                    later(at, Event::Comes(message));
                }
                later(at + random.pause(1.0 / (mean * people.peak)), Event::Begins);
            }
            Event::Comes(mut message) => {
                let held = servers.holder(message.owner, at);
                if held.is_some() && held == servers.dead {
                    // Everybody who asks waits until another one has it.
                    servers.open.remove(&message.owner);
                    message.was_cut_off = true;
                    later(at.max(DEATH + takeover), Event::Comes(message));
                    continue;
                }
                let server = held.unwrap_or_else(|| servers.choose(message.owner));
                let takes = if held.is_none() { open_it } else { 0 };
                servers.open.insert(message.owner, (server, at + model + memory));
                message.server = server;
                let done = servers.compute(server, message.owner, at, takes);
                later(done, Event::Writes(message));
            }
            Event::Writes(message) if Some(message.server) == servers.dead => {
                // It was under way there: whoever takes over goes on after what is written.
                later(at.max(DEATH + takeover), Event::Comes(Message { was_cut_off: true, ..message }));
            }
            Event::Writes(mut message) if message.written < costs.entries => {
                let computed = servers.compute(message.server, message.owner, at, compute);
                let place = message.owner % clusters.len() as u64;
                let cluster = usize::try_from(place).ok().and_then(|place| clusters.get_mut(place));
                let written = cluster.map_or(computed, |cluster| cluster.take(computed, write)) + append
                    - write.min(append);
                message.written += 1;
                // The model thinks once in the middle of it.
                let thinks = if message.written == costs.entries / 2 { model } else { 0 };
                later(written + thinks, Event::Writes(message));
            }
            Event::Writes(message) => {
                let took = at - message.came_at - model;
                if message.came_at > WARM_UP {
                    day.answered += 1;
                    added.push(took);
                    let now = message.came_at / (60 * SECOND);
                    if now != minute {
                        day.peak_per_s = day.peak_per_s.max(count(in_minute) / 60.0);
                        (minute, in_minute) = (now, 0);
                    }
                    in_minute += 1;
                }
                if message.was_cut_off {
                    day.touched += 1;
                    day.longest_s = day.longest_s.max(count(took) / count(SECOND));
                }
                if let Some((_, until)) = servers.open.get_mut(&message.owner) {
                    *until = at + memory;
                }
                if message.left > 1 {
                    let comes = at + random.pause(people.pause_s);
                    let next = Message {
                        came_at: comes,
                        written: 0,
                        left: message.left - 1,
                        was_cut_off: false,
                        ..message
                    };
                    later(comes, Event::Comes(next));
                }
            }
        }
    }
    added.sort_unstable();
    let at = |part: f64| {
        let place = usize::try_from(whole(count(added.len() as u64) * part)).unwrap_or_default();
        added.get(place.min(added.len().saturating_sub(1))).map_or(0.0, |took| count(*took) / 1_000.0)
    };
    day.added_ms = [at(0.5), at(0.99), at(0.999)];
    let busiest = |lines: &mut dyn Iterator<Item = &Line>| lines.map(Line::busiest).fold(0.0, f64::max);
    day.busiest_core = busiest(&mut servers.cores.iter().flatten());
    day.busiest_cluster = busiest(&mut clusters.iter());
    day
}
