### Days and times in words, where the browser does not write them.

today = Today
tomorrow = Tomorrow
yesterday = Yesterday
# The days of the week, in short.
mon = Mon
tue = Tue
wed = Wed
thu = Thu
fri = Fri
sat = Sat
sun = Sun
# A day of this year: `22 Nov`.
# $day (String) - the day of the month
# $month (String) - `m1` to `m12`
day-month = { $day } { $month ->
    [m1] Jan
    [m2] Feb
    [m3] Mar
    [m4] Apr
    [m5] May
    [m6] Jun
    [m7] Jul
    [m8] Aug
    [m9] Sep
    [m10] Oct
    [m11] Nov
   *[m12] Dec
}
# A day of another year: `3 Jan 2028`. `$day` is with its month.
with-year = { $day } { $year }
# A day and a time: `Tomorrow, 15:00`.
with-time = { $day }, { $time }
# A day with the day of its week: `Mon, 15 Jun 2026`.
with-weekday = { $weekday }, { $day }
# How long ago something was.
just-now = just now
minutes-ago = { $minutes } min ago
hours-ago = { $hours } h ago
a-day-ago = yesterday
# Two and more.
days-ago = { $days } days ago
