//! What stands inside the sentences of the model, in English and in German: days, repetitions, what is told of a to-do. The form
//! is that of [`super::sentences`].

use super::sentences::Rows;

/// What is told of a to-do behind its title.
pub const PIECES: Rows = "\
due {d} (overdue)=fällig {d} (überfällig)
due {d}=fällig {d}
{H} priority={H} Priorität
urgent=dringend
\\#{t}=\\#{t}
in {t}=in „{t}“
reminder when it is due=Erinnerung, wenn es fällig ist
reminder {b}=Erinnerung {b}
preference=Vorliebe
{r}={r}
";

/// What a change did, behind a to-do: one thing.
pub const CHANGES: Rows = "\
new=neu
deleted=gelöscht
deleted since=inzwischen gelöscht
unchanged=unverändert
back again=wieder da
taken away again=wieder weg
as it was=wie es war
state: {z} → {z}=Stand: {z} → {z}
title: “{t}” → “{t}”=Titel: „{t}“ → „{t}“
due: none → {D}=Datum: keins → {D}
due: {D} → none=Datum: {D} → keins
due: {D} → {D}=Datum: {D} → {D}
priority: {z} → {z}=Priorität: {z} → {z}
tags: {v} → {v}=Schlagwörter: {v} → {v}
list: {v} → {v}=Liste: {v} → {v}
repeat: {v} → {v}=Wiederholung: {v} → {v}
reminder: {v} → {v}=Erinnerung: {v} → {v}
notes: {v} → {v}=Notizen: {v} → {v}
";

/// How something is, before and after a change.
pub const VALUES: Rows = "\
none=keine
{D}={D}
{T}={T}
{t}={t}
{t} …={t} …
reminder {b}={b}
{r}={r}
";

/// Whether a to-do is done, and how important it is.
pub const STATES: Rows =
    "open=offen\ndone=erledigt\nnone=keine\nlow=niedrig\nmedium=mittel\nhigh=hoch\nurgent=dringend";

/// A day, or a day and a time.
pub const DAYS: Rows = "\
{h}={h}
{w} {n} {M}={w}, {n}. {M}
{w} {n} {M} {n}={w}, {n}. {M} {n}
{D}, {k}={D}, {k} Uhr
";

/// When something is due.
pub const ON_DAYS: Rows = "\
{h}={h}
{h}, {k}={h} um {k} Uhr
{w} {n} {M}=am {w}, {n}. {M}
{w} {n} {M} {n}=am {w}, {n}. {M} {n}
{w} {n} {M}, {k}=am {w}, {n}. {M}, um {k} Uhr
{w} {n} {M} {n}, {k}=am {w}, {n}. {M} {n}, um {k} Uhr
";

/// Weekdays, in short and in full.
pub const WEEKDAYS: Rows = "\
Mon=Montag
Tue=Dienstag
Wed=Mittwoch
Thu=Donnerstag
Fri=Freitag
Sat=Samstag
Sun=Sonntag
Monday=Montag
Tuesday=Dienstag
Wednesday=Mittwoch
Thursday=Donnerstag
Friday=Freitag
Saturday=Samstag
Sunday=Sonntag
";

/// Months, in short and in full.
pub const MONTHS: Rows = "\
Jan=Januar
Feb=Februar
Mar=März
Apr=April
May=Mai
Jun=Juni
Jul=Juli
Aug=August
Sep=September
Oct=Oktober
Nov=November
Dec=Dezember
January=Januar
February=Februar
March=März
April=April
June=Juni
July=Juli
August=August
September=September
October=Oktober
November=November
December=Dezember
";

/// Repetitions.
pub const RULES: Rows = "\
every day=jeden Tag
every week=jede Woche
every month=jeden Monat
every year=jedes Jahr
every weekday=montags bis freitags
every other day=jeden zweiten Tag
every other week=jede zweite Woche
every other month=jeden zweiten Monat
every other year=jedes zweite Jahr
every {n} days=alle {n} Tage
every {n} weeks=alle {n} Wochen
every {n} months=alle {n} Monate
every {n} years=alle {n} Jahre
{r} on {g}={r} am {g}
{r} until {n} {M} {n}={r} bis {n}. {M} {n}
";

/// A day on which something repeats.
pub const NTH_DAYS: Rows = "\
{w}={w}
the {o} {w}={o} {w}
the last day=letzten Tag
day {n}={n}.
";

/// Which weekday of a month.
pub const ORDINALS: Rows = "first=ersten\nsecond=zweiten\nthird=dritten\nfourth=vierten\nfifth=fünften\nlast=letzten\nsecond to last=vorletzten";

/// Lengths of time.
pub const LENGTHS: Rows = "\
1 day=1 Tag
{n} days={n} Tage
1 hour=1 Stunde
{n} hours={n} Stunden
1 minute=1 Minute
{n} minutes={n} Minuten
{u} {u}={u} {u}
";

/// So many to-dos of a kind.
pub const COUNTED: Rows = "\
1 to-do{q}=1 To-do{q}
{n} to-dos{q}={n} To-dos{q}
no to-dos{q}=keine To-dos{q}
1 {B} to-do{q}=1 {B} To-do{q}
{n} {a} to-dos{q}={n} {a} To-dos{q}
no {A} to-dos{q}=keine {A} To-dos{q}
1 {L}-priority to-do{q}=1 To-do mit {L} Priorität{q}
{n} {L}-priority to-dos{q}={n} To-dos mit {L} Priorität{q}
no {L}-priority to-dos{q}=keine To-dos mit {L} Priorität{q}
1 {B} {L}-priority to-do{q}=1 {B} To-do mit {L} Priorität{q}
{n} {a} {L}-priority to-dos{q}={n} {a} To-dos mit {L} Priorität{q}
no {A} {L}-priority to-dos{q}=keine {A} To-dos mit {L} Priorität{q}
";

/// What to-dos are told by, behind their number.
pub const SELECTED: Rows = "\
=
 due {p}{q}= {p}{q}
 without a date{q}= ohne Datum{q}
 without a tag{q}= ohne Schlagwort{q}
 tagged \\#{t}{q}= mit \\#{t}{q}
 in {t}{q}= in „{t}“{q}
 with “{t}” in it{q}= mit „{t}“ darin{q}
 {P}{q}= {P}{q}
";

/// For when something is due.
pub const FOR_DAYS: Rows = "\
this week=für diese Woche
next week=für nächste Woche
last week=für letzte Woche
this weekend=für dieses Wochenende
next weekend=für nächstes Wochenende
this month=für diesen Monat
next month=für nächsten Monat
last month=für letzten Monat
in the next 7 days=für die nächsten 7 Tage
until {D}=bis {D}
by {D}=bis {D}
before {D}=vor {D}
after {D}=nach {D}
from {D} to {D}=von {D} bis {D}
{D} or {D}=für {D} oder {D}
in {M}=für {M}
{D}=für {D}
";

/// When something happens, or did.
pub const WHEN: Rows = "\
{d}={d}
on {D}=am {D}
this week=diese Woche
next week=nächste Woche
last week=letzte Woche
this weekend=dieses Wochenende
next weekend=nächstes Wochenende
this month=diesen Monat
next month=nächsten Monat
last month=letzten Monat
in the next days=in den nächsten Tagen
in the next 7 days=in den nächsten 7 Tagen
from {D} to {D}=von {D} bis {D}
from now on=von jetzt an
since {D}=seit {D}
after {D}=nach {D}
before {D}=vor {D}
by {D}=bis {D}
until {D}=bis {D}
in {M}=im {M}
";

/// What is asked for leave to do.
pub const WISHES: Rows = "\
delete {W}={W} löschen
mark {W} as done={W} als erledigt markieren
copy {W}={W} kopieren
take the date off {W}=das Datum von {W} entfernen
take the note off {W}=die Notiz von {W} entfernen
take the tags off {W}=die Schlagwörter von {W} entfernen
take the priority off {W}=die Priorität von {W} entfernen
take {T} off {W}={T} von {W} entfernen
tag {W} with {T}={W} mit {T} versehen
move {W} to “{t}”={W} in „{t}“ verschieben
move {W} to {D}={W} auf {D} verschieben
make {W} urgent={W} als dringend markieren
make {W} due {D}={W} auf {D} legen
give {W} {H} priority={W} {H} Priorität geben
end the repetition of {W}=die Wiederholung von {W} beenden
let {W} repeat {r}={W} {r} wiederholen
add {l} as subtasks of {W}={l} als Unteraufgaben von {W} hinzufügen
rename “{t}” to “{t}”=„{t}“ in „{t}“ umbenennen
make it {j}=es ändern: {j}
";

/// What a new to-do is to have.
pub const WANTED: Rows = "\
due {d}=fällig {d}
{r}={r}
{L} priority=mit {L} Priorität
urgent=dringend
tagged \\#{t}=mit \\#{t}
in {t}=in „{t}“
with a reminder {b}=mit Erinnerung {b}
with the subtasks {l}=mit den Unteraufgaben {l}
with the note “{t}”=mit der Notiz „{t}“
";
