### The words of what a trip costs, in English.

# What was said that all of it may cost.
# $sum - how much
budget-said = Budget: { $sum }
# Nobody said one.
budget-none = No budget was said.
# What is left of it.
# $sum - how much
budget-left = { $sum } left
# What is planned above it.
# $sum - how much
budget-above = { $sum } above the budget
# What is not counted against it.
# $sums - `450 EUR · 30 CHF`
budget-beside = Not counted against it: { $sums }, since no rate of exchange is known here.
# Opens the form.
budget-set = Set a budget
budget-change = Change the budget
# The fields of the form.
budget-amount = Amount
budget-currency = Currency, three letters
# Takes the budget away.
budget-clear = No budget
# What was typed is no sum.
budget-wrong = Write an amount like 3200 or 49.90, and the currency as three letters, like EUR.
# All of it.
# $sums - `872 EUR · 3,800 USD`
budget-in-all = In total: { $sums }
# A table of what is planned in one currency.
# $currency - its letters
budget-by-kind = What is planned, in { $currency }
# The heads of the table, and its last line.
budget-kind = What
budget-sum = Cost
budget-total = Total
# What of it is certain, and what is not.
# $booked - what the person booked
# $planned - everything else
budget-certain = Booked by you: { $booked }. The rest, { $planned }, is an estimate.
# All of it is uncertain.
budget-estimate = All of it is an estimate: nothing of it is booked by you.
# All of it is booked.
budget-booked = All of it is booked by you.
# What of it is made up (S4-10).
# $sum - how much
budget-demo = { $sum } of it are prices of the demo catalogue: invented, not real.
# What costs nobody knows.
# $count (Number) - how many
# $names - their titles
budget-unpriced = { $count ->
    [one] 1 without a price: { $names }
   *[other] { $count } without a price: { $names }
}
# Ideas with a price.
# $count (Number) - how many
budget-ideas = { $count ->
    [one] 1 idea with a price is not counted.
   *[other] { $count } ideas with a price are not counted.
}
# Nothing costs anything yet.
budget-nothing = Nothing has a price yet.
# How much of the budget is planned, to a screen reader.
budget-meter = How much of the budget is planned
