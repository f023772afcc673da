//! The queue at length: a cluster, workers that are killed, leaders that are killed.

use super::*;

const JOBS: usize = 2_000;

/// The processes of `count` workers, one conversation at once each.
fn workers(servers: &Servers, count: usize) -> Vec<Running> {
    (0..count).map(|_| worker(servers, &["--parallel", "1", "--replicas", "3"])).collect()
}

/// 2,000 conversations, four workers on three servers; ten workers and two leaders are killed. Then how fast one, two and four workers are.
#[test]
#[ignore = "minutes: cargo xtask soak"]
fn two_thousand_jobs_ten_workers_and_two_leaders_killed() {
    let mut servers = Servers::start(3);
    let folder = folder("queue-soak", &[("short.yaml", SHORT)]);
    let (scenarios, out, repeat) = (folder.join("scenarios"), folder.join("out"), JOBS.to_string());
    let scenarios = scenarios.to_str().unwrap();
    let common = ["--replicas", "3", "--keep"];
    let mut arguments = vec![scenarios, "--out", out.to_str().unwrap(), "--repeat", &repeat];
    arguments.extend(common);
    let mut parent = parent(&servers, &arguments);
    let mut playing = workers(&servers, 4);
    let results = out.join("results.jsonl");
    for kill in 0..10 {
        until(|| lines(&results) >= (kill + 1) * JOBS / 12 || parent.0.try_wait().unwrap().is_some());
        playing.remove(0).signal(Signal::KILL);
        playing.extend(workers(&servers, 1));
        if kill == 3 || kill == 7 {
            let leader = on_runtime(leader(&servers));
            println!("{} results: server {leader}, the leader, is killed", lines(&results));
            servers.kill(leader);
            let there = lines(&results);
            until(|| lines(&results) > there + JOBS / 50);
            servers.run(leader);
        }
    }
    assert_eq!(parent.code(), Some(0));
    let verdicts = verdicts(&out);
    assert!(verdicts.len() == JOBS && verdicts.values().all(|verdict| verdict == "passed"));
    assert_eq!(traced(&out).len(), JOBS);
    // As the stream has them: one message on the subject of each.
    let (ends, most) = on_runtime(ends(&servers));
    assert_eq!((ends, most), (JOBS, 1));
    drop(playing);

    for count in [1, 2, 4] {
        let out = folder.join(format!("by-{count}"));
        let _playing = workers(&servers, count);
        until(|| status(&servers)["workers"].as_array().is_some_and(|all| all.len() == count));
        let began = Instant::now();
        let mut arguments = vec![scenarios, "--out", out.to_str().unwrap(), "--repeat", "500"];
        arguments.extend(common);
        assert_eq!(super::parent(&servers, &arguments).code(), Some(0));
        let seconds = began.elapsed().as_secs_f64();
        println!("{count} workers: 500 conversations in {seconds:.1} s, {:.0}/s", 500.0 / seconds);
    }
}

fn on_runtime<T>(work: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(work)
}

async fn context(servers: &Servers) -> async_nats::jetstream::Context {
    async_nats::jetstream::new(async_nats::connect(servers.addresses()).await.unwrap())
}

/// Which server leads the stream of jobs.
async fn leader(servers: &Servers) -> usize {
    let context = context(servers).await;
    loop {
        if let Ok(stream) = context.get_stream("SATCHEL_WORK-rehearsals-jobs").await
            && let Some(leader) = stream.cached_info().cluster.clone().and_then(|cluster| cluster.leader)
        {
            return leader.trim_start_matches('n').parse().unwrap();
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}

/// On how many subjects ends are, and how many are on the one that has most.
async fn ends(servers: &Servers) -> (usize, usize) {
    use futures::TryStreamExt as _;
    let stream = context(servers).await.get_stream("SATCHEL_ENDS-rehearsals-jobs").await.unwrap();
    let subjects = stream.info_with_subjects("satchel-ends.rehearsals.jobs.end.>").await.unwrap();
    let subjects: Vec<(String, usize)> = subjects.try_collect().await.unwrap();
    (subjects.len(), subjects.iter().map(|(_, count)| *count).max().unwrap_or(0))
}
