today = Heute
tomorrow = Morgen
yesterday = Gestern
mon = Mo
tue = Di
wed = Mi
thu = Do
fri = Fr
sat = Sa
sun = So
day-month = { $day }. { $month ->
    [m1] Jan.
    [m2] Feb.
    [m3] März
    [m4] Apr.
    [m5] Mai
    [m6] Juni
    [m7] Juli
    [m8] Aug.
    [m9] Sept.
    [m10] Okt.
    [m11] Nov.
   *[m12] Dez.
}
with-year = { $day } { $year }
with-time = { $day }, { $time }
with-weekday = { $weekday }, { $day }
just-now = gerade eben
minutes-ago = vor { $minutes } Min.
hours-ago = vor { $hours } Std.
a-day-ago = gestern
days-ago = vor { $days } Tagen
