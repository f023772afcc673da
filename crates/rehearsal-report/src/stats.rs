//! Statistics of counts: intervals, exact tests, pass^k, percentiles. Pure functions, each held against known values.

use serde::Serialize;

/// The quantile of the normal distribution for 95 %, both sides.
const Z: f64 = 1.959_963_984_540_054;

/// How often the bootstrap draws.
const DRAWS: usize = 2000;

/// More values than this have a mean that is as good as normal: the bootstrap would say the same and take seconds.
const MANY: usize = 200;

/// The seed of the bootstrap: the same outcomes give the same report.
const SEED: u64 = 0x5EED;

/// A 95 % interval of a share, from 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Interval {
    /// Its lower end.
    pub low: f64,
    /// Its upper end.
    pub high: f64,
}

impl Interval {
    /// The interval, within 0 to 1 and around the value whose interval it is: rounding errors may not leave it outside.
    fn around(value: f64, low: f64, high: f64) -> Self {
        Self { low: low.min(value).max(0.0), high: high.max(value).min(1.0) }
    }

    /// The interval of the `k`th power of what this one is an interval of.
    pub(crate) fn to_the(self, k: u32) -> Self {
        let power = |value: f64| value.powf(f64::from(k));
        Self { low: power(self.low), high: power(self.high) }
    }
}

/// Wilson's 95 % interval of a share, of which `successes` of `trials` were seen. It holds with few trials, and where all or none
/// succeeded. The successes may be a sum of shares. None without a trial.
///
/// Wilson, "Probable inference, the law of succession, and statistical inference" (1927).
pub(crate) fn wilson(successes: f64, trials: u32) -> Option<Interval> {
    if trials == 0 {
        return None;
    }
    let n = f64::from(trials);
    let share = successes / n;
    let z2n = Z * Z / n;
    let middle = (share + z2n / 2.0) / (1.0 + z2n);
    let half = Z / (1.0 + z2n) * (share * (1.0 - share) / n + z2n / (4.0 * n)).sqrt();
    Some(Interval::around(share, middle - half, middle + half))
}

/// The chance that `k` of `n` trials, drawn without putting them back, all succeeded, where `c` of the `n` did: C(c, k) / C(n, k).
///
/// It is the unbiased estimator of pass^k of tau-bench (Yao et al., 2024) and tau²-bench. None with fewer than `k` trials.
pub(crate) fn pass_k(c: u32, n: u32, k: u32) -> Option<f64> {
    (k <= n).then(|| (0..k).map(|i| f64::from(c.saturating_sub(i)) / f64::from(n - i)).product())
}

/// The mean of shares that belong to one scenario each, and its 95 % interval. None without a share.
///
/// By the bootstrap over scenarios (percentiles of seeded draws), and where there are many by the normal approximation. Where all are
/// equal, a bootstrap has no width, which would be a certainty that is not there: then as for as many trials as there are scenarios,
/// which is the widest that shares of this mean can be.
pub(crate) fn mean_of(shares: &[f64]) -> Option<(f64, Interval)> {
    let first = shares.first()?;
    let n = shares.len() as f64;
    let mean = shares.iter().sum::<f64>() / n;
    if shares.iter().all(|share| share == first) {
        return Some((mean, wilson(shares.iter().sum(), shares.len() as u32)?));
    }
    if shares.len() > MANY {
        let variance = shares.iter().map(|share| (share - mean).powi(2)).sum::<f64>() / (n - 1.0);
        let half = Z * (variance / n).sqrt();
        return Some((mean, Interval::around(mean, mean - half, mean + half)));
    }
    let mut chance = fastrand::Rng::with_seed(SEED);
    let mut means: Vec<f64> = (0..DRAWS)
        .map(|_| (0..shares.len()).map(|_| shares[chance.usize(..shares.len())]).sum::<f64>() / n)
        .collect();
    order::sort_by(&mut means, f64::total_cmp);
    let at = |q: f64| percentile(&means, q).unwrap_or(mean);
    Some((mean, Interval::around(mean, at(0.025), at(0.975))))
}

/// The least of sorted values that a share `q` of them does not exceed (nearest rank). None without a value.
pub(crate) fn percentile<T: Copy>(sorted: &[T], q: f64) -> Option<T> {
    let rank = (q * sorted.len() as f64).ceil() as usize;
    sorted.get(rank.saturating_sub(1)).copied()
}

/// McNemar's exact test: of pairs that differ, `worse` went one way and `better` the other. The chance, where neither way is likelier,
/// that they are at least so unequal; both sides.
pub(crate) fn mcnemar(worse: u32, better: u32) -> f64 {
    let n = worse + better;
    let tail: f64 = (0..=worse.min(better)).map(|i| (ln_choose(n, i) - f64::from(n) * 2f64.ln()).exp()).sum();
    (2.0 * tail).min(1.0)
}

/// Fisher's exact test of two shares: `a` of `n` and `b` of `m` succeeded. The chance, where both have the same share and the sums are
/// given, of a table that is at most as likely; both sides. 1 where either has no trial.
pub(crate) fn fisher(a: u32, n: u32, b: u32, m: u32) -> f64 {
    let successes = a + b;
    let all = ln_choose(n + m, successes);
    let chance = |x: u32| (ln_choose(n, x) + ln_choose(m, successes - x) - all).exp();
    // Equally likely tables differ in the last digits.
    let seen = chance(a) * (1.0 + 1e-9);
    let (least, most) = (successes.saturating_sub(m), n.min(successes));
    (least..=most).map(chance).filter(|chance| *chance <= seen).sum::<f64>().min(1.0)
}

/// The logarithm of how many ways there are to choose `k` of `n`.
fn ln_choose(n: u32, k: u32) -> f64 {
    let ln_factorial = |n: u32| libm::lgamma(f64::from(n) + 1.0);
    ln_factorial(n) - ln_factorial(k) - ln_factorial(n - k)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn close(one: f64, other: f64) -> bool {
        (one - other).abs() < 1e-6
    }

    #[test]
    fn wilson_is_what_others_compute() {
        // statsmodels: proportion_confint(c, n, method="wilson").
        for (c, n, low, high) in [
            (81, 263, 0.255_288_520, 0.366_209_577),
            (0, 10, 0.0, 0.277_532_800),
            (10, 10, 0.722_467_200, 1.0),
            (4, 5, 0.375_534_630, 0.963_775_891),
            (1, 1, 0.206_549_3, 1.0),
        ] {
            let interval = wilson(f64::from(c), n).unwrap();
            assert!(close(interval.low, low) && close(interval.high, high), "{c} of {n}: {interval:?}");
        }
        assert_eq!(wilson(0.0, 0), None);
    }

    #[test]
    fn mcnemar_is_what_others_compute() {
        // By hand: 2 · Σ C(n, i) / 2^n.
        assert!(close(mcnemar(0, 0), 1.0));
        assert!(close(mcnemar(5, 0), 2.0 / 32.0));
        assert!(close(mcnemar(3, 1), 2.0 * 5.0 / 16.0));
        assert!(close(mcnemar(2, 2), 1.0));
        // binom.test(2, 12) of R; and the 86 and 150 of its mcnemar.test's help page, summed with Python's whole numbers.
        assert!(close(mcnemar(2, 10), 0.038_574_22));
        assert!(close(mcnemar(86, 150), 3.715_936e-5) && mcnemar(86, 150) > 3.715e-5);
        assert!(mcnemar(10_000, 9_000) < 1e-10);
    }

    #[test]
    fn fisher_is_what_others_compute() {
        // The lady tasting tea: 3 of 4 and 1 of 4; R says 0.4857.
        assert!(close(fisher(3, 4, 1, 4), 34.0 / 70.0));
        // All of 4 and none of 4.
        assert!(close(fisher(4, 4, 0, 4), 2.0 / 70.0));
        // Wikipedia's students: 1 of 12 and 9 of 12.
        assert!(close(fisher(1, 12, 9, 12), 0.002_759_456));
        // scipy's help page: [[6, 2], [1, 4]].
        assert!(close(fisher(6, 8, 1, 5), 0.102_564_1));
        assert!(close(fisher(3, 3, 7, 7), 1.0));
        assert!(close(fisher(0, 0, 3, 7), 1.0));
    }

    #[test]
    fn pass_k_is_what_tau_bench_computes() {
        assert_eq!(pass_k(3, 4, 1), Some(0.75));
        assert_eq!(pass_k(3, 4, 2), Some(0.5));
        assert_eq!(pass_k(3, 4, 3), Some(0.25));
        assert_eq!(pass_k(3, 4, 4), Some(0.0));
        assert_eq!(pass_k(4, 4, 4), Some(1.0));
        assert_eq!(pass_k(0, 4, 1), Some(0.0));
        assert_eq!(pass_k(3, 4, 5), None);
    }

    #[test]
    fn percentiles_are_by_nearest_rank() {
        // The example of Wikipedia's "nearest-rank method".
        let values = [15, 20, 35, 40, 50];
        assert_eq!(
            [0.05, 0.3, 0.4, 0.5, 1.0].map(|q| percentile(&values, q)),
            [Some(15), Some(20), Some(20), Some(35), Some(50)]
        );
        assert_eq!(percentile::<u64>(&[], 0.5), None);
        let hundred: Vec<u64> = (1..=100).collect();
        assert_eq!(
            [0.5, 0.9, 0.95, 0.99].map(|q| percentile(&hundred, q)),
            [Some(50), Some(90), Some(95), Some(99)]
        );
    }

    #[test]
    fn the_mean_of_shares_has_an_interval() {
        assert_eq!(mean_of(&[]), None);
        // All passed: not certain, but as certain as three trials are.
        assert_eq!(mean_of(&[1.0, 1.0, 1.0]), Some((1.0, wilson(3.0, 3).unwrap())));
        // Half of 100 passed: the bootstrap, the normal approximation (σ = 0.05) and Wilson agree.
        let half: Vec<f64> = (0..100).map(|place| f64::from(place % 2)).collect();
        let (mean, interval) = mean_of(&half).unwrap();
        assert!(close(mean, 0.5));
        assert!(
            (interval.low - 0.402).abs() < 0.015 && (interval.high - 0.598).abs() < 0.015,
            "{interval:?}"
        );
        // The same with more than are drawn from: σ = 0.025.
        let many: Vec<f64> = (0..400).map(|place| f64::from(place % 2)).collect();
        let (_, interval) = mean_of(&many).unwrap();
        assert!(
            (interval.low - 0.451).abs() < 0.001 && (interval.high - 0.549).abs() < 0.001,
            "{interval:?}"
        );
        assert_eq!(mean_of(&half), mean_of(&half));
    }

    proptest! {
        #[test]
        fn wilson_lies_around_the_share(n in 1u32..2000, part in 0.0..=1.0f64) {
            let c = (f64::from(n) * part).floor();
            let interval = wilson(c, n).unwrap();
            let share = c / f64::from(n);
            prop_assert!(0.0 <= interval.low && interval.low <= share);
            prop_assert!(share <= interval.high && interval.high <= 1.0);
            prop_assert!(interval.low < interval.high);
        }

        #[test]
        fn fisher_is_the_sum_over_all_tables(n in 0u32..25, m in 0u32..25, one in 0.0..=1.0f64, other in 0.0..=1.0f64) {
            let a = (f64::from(n) * one).floor() as u32;
            let b = (f64::from(m) * other).floor() as u32;
            let choose = |n: u32, k: u32| (0..k).fold(1u128, |ways, i| ways * u128::from(n - i) / u128::from(i + 1));
            let ways = |x: u32| choose(n, x) * choose(m, a + b - x);
            let all: u128 = choose(n + m, a + b);
            let as_rare: u128 = (0..=n.min(a + b)).filter(|x| a + b - x <= m).map(ways).filter(|x| *x <= ways(a)).sum();
            prop_assert!(close(fisher(a, n, b, m), as_rare as f64 / all as f64));
            prop_assert!(close(fisher(a, n, b, m), fisher(b, m, a, n)));
        }

        #[test]
        fn mcnemar_is_a_chance_and_the_same_both_ways(worse in 0u32..500, better in 0u32..500) {
            let p = mcnemar(worse, better);
            prop_assert!(0.0 < p && p <= 1.0);
            prop_assert_eq!(p, mcnemar(better, worse));
            // One more on the longer side is rarer.
            prop_assert!(mcnemar(worse.max(better) + 1, worse.min(better)) <= p + 1e-12);
        }

        #[test]
        fn pass_k_never_rises_with_k(n in 1u32..30, part in 0.0..=1.0f64) {
            let c = (f64::from(n) * part).round() as u32;
            let all: Vec<f64> = (1..=n).map(|k| pass_k(c, n, k).unwrap()).collect();
            prop_assert!(close(all[0], f64::from(c) / f64::from(n)));
            prop_assert!(all.windows(2).all(|pair| pair[1] <= pair[0]));
        }

        #[test]
        fn percentiles_are_values_in_order(mut values in prop::collection::vec(any::<u64>(), 1..60)) {
            values.sort_unstable();
            let found = [0.5, 0.9, 0.95, 0.99, 1.0].map(|q| percentile(&values, q).unwrap());
            prop_assert!(found.windows(2).all(|pair| pair[0] <= pair[1]));
            prop_assert!(found.iter().all(|value| values.contains(value)));
            prop_assert_eq!(found[4], values[values.len() - 1]);
        }

        #[test]
        fn a_mean_lies_in_its_interval(shares in prop::collection::vec(0.0..=1.0f64, 1..40)) {
            let (mean, interval) = mean_of(&shares).unwrap();
            prop_assert!(0.0 <= interval.low && interval.low <= mean && mean <= interval.high && interval.high <= 1.0);
        }
    }
}
