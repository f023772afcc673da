//! What a trip costs: by currency, by kind, and against the budget. Sums of two currencies are never added. Pure.

use crate::model::{Itinerary, Kind, Money, Segment, Status};

/// What is planned costs, in one currency.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sum {
    /// Three letters of ISO 4217.
    pub currency: String,
    /// All of it, in minor units.
    pub all: i64,
    /// By kind, in the order in which kinds are offered; only those that cost something.
    pub kinds: Vec<(Kind, i64)>,
    /// Of it what the person booked.
    pub booked: i64,
    /// Of it what is from the demo catalogue: made-up prices (S4-10).
    pub demo: i64,
}

/// What is left of a budget.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Left {
    /// So much is left, or nothing to the cent.
    Room(Money),
    /// So much more is planned than the budget.
    Above(Money),
}

/// What a trip costs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Spending {
    /// By currency, in the order of their letters.
    pub sums: Vec<Sum>,
    /// What costs nobody knows: planned or booked, and no note.
    pub unpriced: Vec<String>,
    /// How many ideas have a price: one of several is not counted.
    pub ideas: usize,
    /// The budget, where one was said.
    pub budget: Option<Money>,
    /// What is left of it, in its own currency.
    pub left: Option<Left>,
    /// What is not counted against it, since it is in other currencies.
    pub beside: Vec<Money>,
}

impl Sum {
    /// An amount in its currency.
    pub fn money(&self, minor: i64) -> Money {
        Money { minor, currency: self.currency.clone() }
    }
}

/// What a trip costs with these segments.
pub fn spending(itinerary: &Itinerary, segments: &[Segment]) -> Spending {
    let mut spending = Spending { budget: itinerary.budget.clone(), ..Spending::default() };
    for segment in segments {
        match (&segment.cost, segment.status) {
            (Some(cost), Status::Idea) if cost.minor != 0 => spending.ideas += 1,
            (_, Status::Idea) => {}
            (Some(cost), _) => spending.add(segment, cost),
            (None, _) if segment.kind == Kind::Note => {}
            (None, _) => spending.unpriced.push(segment.title.clone()),
        }
    }
    order::sort_by(&mut spending.sums, |one, other| one.currency.cmp(&other.currency));
    if let Some(budget) = &spending.budget {
        let of_budget = |sum: &&Sum| sum.currency == budget.currency;
        let spent = spending.sums.iter().find(of_budget).map_or(0, |sum| sum.all);
        let money = |minor: i64| Money { minor, currency: budget.currency.clone() };
        let left = budget.minor.saturating_sub(spent);
        spending.left =
            Some(if left < 0 { Left::Above(money(left.saturating_neg())) } else { Left::Room(money(left)) });
        let others = spending.sums.iter().filter(|sum| !of_budget(sum));
        spending.beside = others.map(|sum| sum.money(sum.all)).collect();
    }
    spending
}

impl Spending {
    fn add(&mut self, segment: &Segment, cost: &Money) {
        // Nothing to pay is a price, and no sum of its own.
        if cost.minor == 0 {
            return;
        }
        let at = self.sums.iter().position(|sum| sum.currency == cost.currency).unwrap_or_else(|| {
            self.sums.push(Sum { currency: cost.currency.clone(), ..Sum::default() });
            self.sums.len() - 1
        });
        let Some(sum) = self.sums.get_mut(at) else { return };
        sum.all = sum.all.saturating_add(cost.minor);
        if segment.status == Status::Booked {
            sum.booked = sum.booked.saturating_add(cost.minor);
        }
        if segment.is_demo() {
            sum.demo = sum.demo.saturating_add(cost.minor);
        }
        match sum.kinds.iter_mut().find(|(kind, _)| *kind == segment.kind) {
            Some((_, of_kind)) => *of_kind = of_kind.saturating_add(cost.minor),
            None => sum.kinds.push((segment.kind, cost.minor)),
        }
        let place = |kind: Kind| Kind::ALL.iter().position(|known| *known == kind);
        order::sort_by(&mut sum.kinds, |(one, _), (other, _)| place(*one).cmp(&place(*other)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn costs(kind: Kind, status: Status, cost: Option<(i64, &str)>, source: &str) -> Segment {
        let cost = cost.map(|(minor, currency)| Money { minor, currency: currency.into() });
        Segment { title: kind.word().into(), kind, status, cost, source: source.into(), ..Segment::default() }
    }

    fn trip() -> Vec<Segment> {
        vec![
            costs(Kind::Hotel, Status::Planned, Some((380_000, "USD")), "demo"),
            costs(Kind::Flight, Status::Booked, Some((45_000, "EUR")), ""),
            costs(Kind::Activity, Status::Planned, Some((2_200, "EUR")), ""),
            costs(Kind::Flight, Status::Planned, Some((40_000, "EUR")), ""),
            costs(Kind::Activity, Status::Planned, Some((0, "EUR")), ""),
            costs(Kind::Activity, Status::Idea, Some((9_900, "EUR")), ""),
            costs(Kind::Transfer, Status::Planned, None, ""),
            costs(Kind::Note, Status::Planned, None, ""),
            costs(Kind::Meeting, Status::Idea, None, ""),
        ]
    }

    #[test]
    fn currencies_are_told_apart_and_never_added() {
        let spending = spending(&Itinerary::default(), &trip());
        let sums: Vec<_> =
            spending.sums.iter().map(|sum| (&*sum.currency, sum.all, sum.booked, sum.demo)).collect();
        assert_eq!(sums, [("EUR", 87_200, 45_000, 0), ("USD", 380_000, 0, 380_000)]);
        assert_eq!(spending.sums[0].kinds, [(Kind::Flight, 85_000), (Kind::Activity, 2_200)]);
        assert_eq!((spending.left, spending.beside.len()), (None, 0));
    }

    #[test]
    fn what_has_no_price_is_named_and_ideas_are_not_counted() {
        let spending = spending(&Itinerary::default(), &trip());
        assert_eq!((spending.unpriced, spending.ideas), (vec!["transfer".to_owned()], 1));
    }

    #[test]
    fn of_a_budget_it_is_said_what_is_left_or_above_in_its_own_currency() {
        let with = |minor: i64, currency: &str| {
            let budget = Some(Money { minor, currency: currency.into() });
            spending(&Itinerary { budget, ..Itinerary::default() }, &trip())
        };
        let money = |minor: i64, currency: &str| Money { minor, currency: currency.into() };
        let room = with(500_000, "USD");
        assert_eq!(room.left, Some(Left::Room(money(120_000, "USD"))));
        assert_eq!(room.beside, [money(87_200, "EUR")]);
        assert_eq!(with(380_000, "USD").left, Some(Left::Room(money(0, "USD"))));
        assert_eq!(with(80_000, "EUR").left, Some(Left::Above(money(7_200, "EUR"))));
        // Nothing was spent in that one: all of it is left, and the others are told.
        let francs = with(100, "CHF");
        assert_eq!((francs.left, francs.beside.len()), (Some(Left::Room(money(100, "CHF"))), 2));
    }
}
