outside-ask = Ein Programm fragt
outside-allow = Erlauben
outside-deny = Nicht erlauben
outside-tab = (!) { -app }: Ein Programm fragt
program-asks = Ein anderes Programm fragt: { $title }?
browser-asks = Der Agent deines Browsers fragt: { $title }?
external-patience = { $more ->
    [0] Ohne Antwort innerhalb von zwei Minuten wird es nicht ausgeführt.
    [one] Ohne Antwort innerhalb von zwei Minuten wird es nicht ausgeführt. Eine weitere Frage wartet.
   *[other] Ohne Antwort innerhalb von zwei Minuten wird es nicht ausgeführt. { $more } weitere Fragen warten.
}
