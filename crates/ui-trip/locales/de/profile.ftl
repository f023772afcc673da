### Die Worte dafür, was über Reisende und ihre Wünsche bekannt ist, auf Deutsch.

profile = Was ich über dich weiß
profile-hint = Nur was gesagt wurde, mit den Worten, aus denen es stammt. Was niemand gesagt hat, wird nicht geraten: Es wird gefragt.
where-to = Wohin es geht
when = Wann
how-many = Wie viele reisen
what-for = Was es kosten darf
sleeping = Wo du gern schläfst
from-where = Wo du aufbrichst
interests = Was du gern machst
pace = Wie viel du an einem Tag willst
who-of-them = Wer dabei ist
eating = Was du isst und nicht isst
getting-about = Was du brauchst, um unterwegs zu sein
not-said = Nicht gesagt
sure = { $percent } sicher
taken-from = aus „{ $words }“
of-trip = so steht es in der Reise
profile-correct = Berichtigen
profile-say = Sagen
profile-forget = Vergessen
correct-field = Berichtigen: { $field }
say-field = Sagen: { $field }
forget-field = Vergessen: { $field }
pace-relaxed = Eins am Tag, und Zeit
pace-moderate = Zwei oder drei Dinge am Tag
pace-packed = So viel, wie Zeit ist
nights = { $count ->
    [one] 1 Nacht
   *[other] { $count } Nächte
}
profile-first = Erster Tag
profile-last = Letzter Tag
profile-nights = Nächte
profile-around = Monat oder Jahreszeit
profile-amount = Betrag
profile-currency = Währung, drei Buchstaben
profile-commas = Mit Kommas dazwischen.
profile-nothing = Schreib etwas, oder wähle Vergessen.
profile-no-number = Schreib eine ganze Zahl, etwa 4.
profile-no-sum = Schreib einen Betrag wie 5000 oder 49,90 und die Währung als drei Buchstaben, etwa EUR.
profile-wrong-days = Der letzte Tag liegt vor dem ersten.
