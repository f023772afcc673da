each = { $unit ->
    [day] jeden Tag
    [week] jede Woche
    [month] jeden Monat
   *[year] jedes Jahr
}
every-other = { $unit ->
    [day] jeden zweiten Tag
    [week] jede zweite Woche
    [month] jeden zweiten Monat
   *[year] jedes zweite Jahr
}
every-so-many = { $unit ->
    [day] alle { $count } Tage
    [week] alle { $count } Wochen
    [month] alle { $count } Monate
   *[year] alle { $count } Jahre
}
weekdays = montags bis freitags
on-days = { $rule } am { $days }
nth-day = { $nth ->
    [n1] ersten { $day }
    [n2] zweiten { $day }
    [n3] dritten { $day }
    [n4] vierten { $day }
    [n5] fünften { $day }
    [l1] letzten { $day }
   *[l2] vorletzten { $day }
}
day-number = { $day } Nr. { $nth }
on-last-day = { $rule } am letzten Tag
on-day-of-month = { $rule } am { $day }.
until = { $rule } bis { $day }
unknown = wiederholt sich ({ $rule })
when-due = wenn es fällig ist
before = { $long } vorher
so-many-days = { $count ->
    [one] 1 Tag
   *[other] { $count } Tage
}
so-many-hours = { $count ->
    [one] 1 Stunde
   *[other] { $count } Stunden
}
so-many-minutes = { $count ->
    [one] 1 Minute
   *[other] { $count } Minuten
}
