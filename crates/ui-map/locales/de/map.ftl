### Die Worte der Karte in der Seite, auf Deutsch.

map-size = Zoom der Karte
nearer = Hineinzoomen
farther = Herauszoomen
map-comes = Karte wird geladen …
no-map = Die Karte konnte nicht geladen werden. Sie bleibt erhalten, sobald sie einmal mit einer Netzverbindung geladen wurde. Die Liste darunter funktioniert auch ohne sie.
