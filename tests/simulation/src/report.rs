//! Both as the tables of docs/beyond.md.

use crate::{Costs, Day, People, Plan};

/// A plan for each number of people, and the day of the last of them.
#[must_use]
pub fn report(plans: &[(People, Plan)], costs: &Costs, day: &Day) -> String {
    let mut text = String::new();
    let mut row = |name: &str, of: &dyn Fn(&People, &Plan) -> String| {
        let cells: Vec<String> = plans.iter().map(|(people, plan)| of(people, plan)).collect();
        text.push_str(&format!("| {name} | {} |\n", cells.join(" | ")));
    };
    row("People", &|people, _| grouped(people.count));
    row("---", &|_, _| "---:".to_owned());
    row("Messages a second, busiest hour", &|_, plan| format!("{:.1}", plan.messages_per_s));
    row("Appends a second", &|_, plan| format!("{:.0}", plan.appends_per_s));
    row("People whose things are open", &|_, plan| grouped(crate::plan::whole(plan.open)));
    row("Servers of `satchel api`, one of them to spare", &|_, plan| {
        format!("{} ({})", plan.servers, plan.servers_by)
    });
    row("Clusters of three NATS servers", &|_, plan| format!("{} ({})", plan.clusters, plan.clusters_by));
    row("The same where expired sessions were put together (not built)", &|_, plan| {
        plan.clusters_put_together.to_string()
    });
    row("Journals after a year", &|_, plan| grouped(plan.journals));
    row("Disk after a year, three copies", &|_, plan| format!("{} GB", grouped(plan.disk / 1_000_000_000)));
    row("Signs of life a second, if each open owner had one", &|_, plan| {
        format!("{:.0}", plan.renewals_by_owner)
    });
    row("Signs of life a second, one for each server", &|_, plan| format!("{:.1}", plan.renewals_by_server));
    row("Machines and disks, dollars a month", &|_, plan| grouped(crate::plan::whole(plan.machines_usd)));
    row("The model, dollars a month", &|_, plan| grouped(crate::plan::whole(plan.models_usd)));
    let [middle, most, nearly_all] = day.added_ms;
    let lines = [
        ("Messages answered after the first four hours", grouped(day.answered)),
        ("The most in a second", format!("{:.1}", day.peak_per_s)),
        ("People whose things are open at the height", grouped(day.open)),
        ("Time added to the model's, middle", format!("{middle:.0} ms")),
        ("Time added, 99 of 100", format!("{most:.0} ms")),
        ("Time added, 999 of 1,000", format!("{nearly_all:.0} ms")),
        ("The busiest core in its busiest minute", format!("{:.0} %", day.busiest_core * 100.0)),
        ("The busiest cluster", format!("{:.0} %", day.busiest_cluster * 100.0)),
        ("Messages that the death of a server held up", grouped(day.touched)),
        (
            "The longest of them",
            format!("{:.1} s, {:.0} s of it until another server has them", day.longest_s, costs.takeover_s),
        ),
    ];
    text += "\n| The day | |\n| --- | ---: |\n";
    for (name, value) in lines {
        text.push_str(&format!("| {name} | {value} |\n"));
    }
    text
}

/// A number with commas.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}
