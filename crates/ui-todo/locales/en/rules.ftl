### A rule by which a to-do comes back, and a reminder before it is due, in the middle of a sentence.

# A rule without more: each day, week, …
# $unit (String) - `day`, `week`, `month` or `year`
each = { $unit ->
    [day] every day
    [week] every week
    [month] every month
   *[year] every year
}
# $unit (String) - as above
every-other = { $unit ->
    [day] every other day
    [week] every other week
    [month] every other month
   *[year] every other year
}
# From three on.
# $unit (String) - as above
# $count (String)
every-so-many = { $unit ->
    [day] every { $count } days
    [week] every { $count } weeks
    [month] every { $count } months
   *[year] every { $count } years
}
# From Monday to Friday.
weekdays = every weekday
# `$rule` is one of those above; `$days` are days of the week in short.
on-days = { $rule } on { $days }
# One of several such days of a month, behind “on”: the first Monday.
# $nth (String) - `n1` to `n5`, `l1` for the last and `l2` for the one before it
# $day (String)
nth-day = { $nth ->
    [n1] the first { $day }
    [n2] the second { $day }
    [n3] the third { $day }
    [n4] the fourth { $day }
    [n5] the fifth { $day }
    [l1] the last { $day }
   *[l2] the second to last { $day }
}
# Any other one of them.
# $day (String)
# $nth (String) - a number
day-number = { $day } no. { $nth }
# Of a month.
on-last-day = { $rule } on the last day
on-day-of-month = { $rule } on day { $day }
# The last day of a rule.
until = { $rule } until { $day }
# A rule that is none of those.
unknown = repeats ({ $rule })
# Reminders.
when-due = when it is due
# `$long` is how long: `1 day 2 hours`.
before = { $long } before
# $count (Number)
so-many-days = { $count ->
    [one] 1 day
   *[other] { $count } days
}
# $count (Number)
so-many-hours = { $count ->
    [one] 1 hour
   *[other] { $count } hours
}
# $count (Number)
so-many-minutes = { $count ->
    [one] 1 minute
   *[other] { $count } minutes
}
