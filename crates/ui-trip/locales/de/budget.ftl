### Die Worte dafür, was eine Reise kostet, auf Deutsch.

budget-said = Budget: { $sum }
budget-none = Ein Budget wurde nicht genannt.
budget-left = { $sum } übrig
budget-above = { $sum } über dem Budget
budget-beside = Nicht dagegen gerechnet: { $sums }, weil hier kein Wechselkurs bekannt ist.
budget-set = Budget festlegen
budget-change = Budget ändern
budget-amount = Betrag
budget-currency = Währung, drei Buchstaben
budget-clear = Kein Budget
budget-wrong = Schreib einen Betrag wie 3200 oder 49,90 und die Währung als drei Buchstaben, etwa EUR.
budget-in-all = Insgesamt: { $sums }
budget-by-kind = Was geplant ist, in { $currency }
budget-kind = Was
budget-sum = Kosten
budget-total = Summe
budget-certain = Von dir gebucht: { $booked }. Der Rest, { $planned }, ist geschätzt.
budget-estimate = Alles davon ist geschätzt: Nichts davon hast du gebucht.
budget-booked = Alles davon hast du gebucht.
budget-demo = { $sum } davon sind Preise aus dem Demo-Katalog: erfunden, nicht echt.
budget-unpriced = { $count ->
    [one] 1 ohne Preis: { $names }
   *[other] { $count } ohne Preis: { $names }
}
budget-ideas = { $count ->
    [one] 1 Idee mit Preis ist nicht mitgerechnet.
   *[other] { $count } Ideen mit Preis sind nicht mitgerechnet.
}
budget-nothing = Noch hat nichts einen Preis.
budget-meter = Wie viel des Budgets verplant ist
