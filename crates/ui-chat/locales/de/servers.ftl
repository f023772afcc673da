server-traffic = Womit es aufgerufen wurde und was dabei herauskam
server-sent = Aufgerufen mit:
server-answered = Was dabei herauskam:
server-goes-out = Womit es aufgerufen wird, verlässt dieses Gerät. { -app } kann es nicht zurückholen.
