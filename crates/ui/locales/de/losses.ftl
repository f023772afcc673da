loss-seen = OK
loss-title = Mit deinen gespeicherten { -many } ist etwas passiert
