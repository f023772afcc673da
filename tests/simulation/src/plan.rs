//! How many of everything, by arithmetic.

use crate::{CORES, Costs, MEMORY, People};

/// No more than this part of what something can do is planned with: the rest is for what is uneven, and for what dies.
const LOAD: f64 = 0.5;

/// After how many days a session takes no more messages (S4-33).
const EXPIRES: f64 = 30.0;

/// What a day takes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Plan {
    /// Messages in a second of the busiest hour.
    pub messages_per_s: f64,
    /// Appends in that second.
    pub appends_per_s: f64,
    /// People whose things are open in that hour.
    pub open: f64,
    /// Servers of `satchel api`.
    pub servers: u64,
    /// What the servers are chosen by: "computing" or "memory".
    pub servers_by: &'static str,
    /// Clusters of three NATS servers.
    pub clusters: u64,
    /// What they are chosen by: "appends" or "memory".
    pub clusters_by: &'static str,
    /// The same where sessions that have expired were put together, one journal for each of their owners. Nobody has built that.
    pub clusters_put_together: u64,
    /// Journals when conversations have been kept for as long as they are.
    pub journals: u64,
    /// Bytes on disk then, on each of three servers together.
    pub disk: u64,
    /// Renewals of leases in a second, where each owner has one.
    pub renewals_by_owner: f64,
    /// The same where each server has one.
    pub renewals_by_server: f64,
    /// Dollars a month: servers and disks.
    pub machines_usd: f64,
    /// Dollars a month: models.
    pub models_usd: f64,
}

/// Plans for people at some costs.
#[must_use]
pub fn plan(people: &People, costs: &Costs) -> Plan {
    let messages_per_day = count(people.count) * people.sessions * people.messages;
    let messages_per_s = messages_per_day / 86_400.0 * people.peak;
    let appends_per_s = messages_per_s * count(costs.entries);
    // Little's law: how many arrive, and how long each stays.
    let sessions_per_s = messages_per_s / people.messages;
    let open = sessions_per_s * (people.messages * (people.pause_s + people.model_s) + costs.memory_s);
    let computing = (appends_per_s * costs.compute_ms + sessions_per_s * costs.open_ms) / 1_000.0;
    let (servers, servers_by) = larger(
        (computing / count(CORES) / LOAD, "computing"),
        (open * count(costs.open_bytes) / count(MEMORY) / LOAD, "memory"),
    );
    let journals_kept = count(people.count) * (1.0 + people.sessions * count(people.days));
    let (clusters, clusters_by) = larger(
        (appends_per_s / costs.appends_per_s / LOAD, "appends"),
        (journals_kept * count(costs.journal_bytes) / count(MEMORY) / LOAD, "memory"),
    );
    let few = count(people.count) * (2.0 + people.sessions * EXPIRES);
    let (clusters_put_together, _) = larger(
        (appends_per_s / costs.appends_per_s / LOAD, "appends"),
        (few * count(costs.journal_bytes) / count(MEMORY) / LOAD, "memory"),
    );
    // One more than it takes: one of them may be gone.
    let servers = servers + 1;
    let disk_bytes =
        messages_per_day * count(people.days) * count(costs.entries) * count(costs.entry_bytes) * 3.0;
    let machines = count(servers + 3 * clusters) * costs.server_usd + disk_bytes / 1e9 * costs.gb_usd;
    Plan {
        messages_per_s,
        appends_per_s,
        open,
        servers,
        servers_by,
        clusters,
        clusters_by,
        clusters_put_together,
        journals: whole(journals_kept),
        disk: whole(disk_bytes),
        renewals_by_owner: open / costs.renewal_s,
        renewals_by_server: count(servers) / costs.renewal_s,
        machines_usd: machines,
        models_usd: messages_per_day * 30.0 * people.model_usd,
    }
}

fn larger(one: (f64, &'static str), other: (f64, &'static str)) -> (u64, &'static str) {
    let (most, by) = if one.0 >= other.0 { one } else { other };
    (whole(most.ceil()).max(1), by)
}

/// A count as a number to reckon with: all here are far below what is exact.
#[allow(clippy::cast_precision_loss, reason = "counts below 2^52")]
pub(crate) fn count(count: u64) -> f64 {
    count as f64
}

#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "positive, and below 2^52")]
pub(crate) fn whole(number: f64) -> u64 {
    number.round() as u64
}
