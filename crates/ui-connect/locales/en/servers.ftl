### The words around servers elsewhere: what they offer, what is decided about it, and what is in their way.

server-add = Add a server
server-url = Address
server-token = Token, if it wants one
server-new-token = Token
server-connect = Connect
server-connecting = Connecting…
server-use-token = Use this token
server-look = Look again
server-all-on = Turn all on
server-all-off = Turn all off
server-tools-changed = The server offers something else now than what is shown here. Look again to see it.
server-tools-refused = Nothing was turned on: the server has just changed what it offers. This is what it offers now.
server-no-tools = This server offers no tools.
server-reads = only reads, it says
server-asks = asks first
server-now-says = It says now:
server-said-word = It said:
server-arguments-changed = The words are the same; what it is called with, or what it says of itself, is not.
server-no-address = This address is not complete. It begins with https:// and often ends in /mcp.
server-there-already = This server is on the list already.
server-in-the-open = A token can be read on the way there. Use an address that begins with https://.
server-sign-in = Sign in
server-sign-in-go = Go there and sign in
server-sign-in-over = The sign-in there has ended: sign in again
server-sign-in-slow = The sign-in there takes too long
server-wants-more = The server wants a wider permission: sign in again to give it
# Its token was not renewed.
# $at - who had to
server-not-renewed-at = { $at } did not renew the sign-in
# It said no.
# $why - its own words
server-renewal-refused = The sign-in there was not renewed: “{ $why }”
server-token-locked = The token for this server is locked: say your passphrase
server-token-unreadable = The saved token can’t be opened any more: enter it again, or sign in again
server-token-not-kept = The token could not be kept or read: the browser’s storage failed
server-client-id = Client ID
server-client-secret = Client secret, if it has one
server-or-token = Or use a token
servers-look = Look at it
servers-later = Later
servers-hint = { -app } can use the tools of servers that speak MCP: an issue tracker, a calendar, a search. A tool’s server gets what the tool is called with, and nothing else of yours. You choose the tools, and those that change something ask you first.
# The switch of a server.
server-switch = Use the tools of { $name }
# A tool elsewhere, for people.
server-tool-title = { $title } ({ $server })
# A server is there and lets no page of ours in.
server-lets-nobody-in = The server is there, but does not let web pages in (CORS). Whoever runs it has to allow { $page }, with the headers content-type, authorization, mcp-protocol-version, mcp-session-id, mcp-method and mcp-name
# How many of a server's tools are used.
# $on (Number) - those that are
# $all (Number) - all it has
server-tools = { $all ->
    [one] { $on } of 1 tool in use
   *[other] { $on } of { $all } tools in use
}
# Tools that are not offered because they break the rules.
server-left-out = { $count ->
    [one] One more is left out: it breaks the rules of the protocol, or is too large.
   *[other] { $count } more are left out: they break the rules of the protocol, or are too large or too many.
}
# Something answers at the address, and it is no tool server. A full stop comes behind it.
server-not-there = There is a web server at that address, but it does not take what tool servers take (HTTP { $status }). Their addresses often end in /mcp
# Servers changed tools that are in use.
# $names - the servers' names, with commas
servers-changed = { $names } changed tools that you use. They stay off until you have looked at them.
# How it stands with a server.
server-not-asked = Not asked yet.
# $revision - a day: which MCP it speaks
server-connected = Connected (MCP { $revision }).
# The mark on a tool that nobody has looked at.
server-tool-new = new
# The mark on a tool that is not what it was.
server-tool-changed = changed, off until you have looked

## How a sign-in stands.

sign-in-finding = Finding out where to sign in…
# $at - an address
sign-in-at = You sign in at { $at }, in a new tab. Go on only if you know it: what you type there goes to them, not to { -app }.
# $at - an address
# $then - another one
sign-in-at-for = You sign in at { $at }, in a new tab, and what you allow there is taken to { $then }. Go on only if you know both: what you type there goes to them, not to { -app }.
sign-in-finishing = Signing in…
# $issuer - an address
sign-in-needs-client = { $issuer } lets in only apps it knows. Make an app there, with this page’s address to come back to, and enter its client ID.

## What is in the way of a server. A full stop comes behind each.

server-bad-address = This is no address of a tool server: it begins with https://
server-unreachable = The server cannot be reached
server-cut = The server's answer broke off
server-forbids = The server does not allow this with the token it was given
server-wants-token = The server wants a token, or another one
server-answered-http = The server answered with HTTP { $status }
server-not-mcp = What the server answered is not MCP: { $fault }
server-too-much = The server sent too much: { $what }
server-too-slow = The server took too long
server-asks-beyond = The server asks for what { -app } does not do: { $what }

## What is in the way of a sign-in. A full stop comes behind each.

sign-in-unreachable = { $origin } cannot be reached, or does not let this page ask it
sign-in-answered-http = { $origin } answered with HTTP { $status }
# $why - what it said
sign-in-refused = The authorization server refused: { $why }
sign-in-needs-id = { $issuer } does not register programs by itself: enter a client id you have from it
sign-in-over = The sign-in is no longer valid: sign in again

## What a tool elsewhere is used for: which search it answers, and how.

source-use-for = Use for
source-nothing = nothing
source-hotels = searches for hotels
source-flights = searches for flights
source-transfers = searches for ways on the ground
source-web = searches for sights and notes
source-hint = The trip assistant asks this tool in place of its demo catalogue. Say what goes into the tool’s arguments, try it, and say where in the answer things are.
source-guess = What is filled in is a guess from the names. Look it over.
source-arguments = What it is asked
source-required = (required)
source-not-sent = not sent
source-not-there = not there
source-always = always the same …
source-try = Try it
source-trying = Asking …
source-no-list = It answered, and there is no list of results in what it said. Only answers with data (JSON) can be used.
source-fields = What the answer says
source-list = The list of results
source-whole = the whole answer
source-read = This was read:
source-keep = Use it like this
source-keep-none = Use it for no search
# At the first press of “Try it”, where the tool does not say that it only reads.
source-may-do = This tool does not say that it only reads. Trying it calls it for real, and it may do something there. Press “Try it” again to call it.
source-kept-none = Kept: it answers no search.
# Which search is answered by a tool from here on.
# $search - as in the menu
source-kept = Kept: it answers { $search }.
# The same where another tool answered that search until now.
# $before - that tool and its server
# $search - as in the menu
source-kept-instead = Kept: it answers { $search }, in place of { $before }.
# The field of a value that is always the same.
# $of - an argument, or a field
source-value-of = Value of { $of }

## What a search asks for, and finds.

field-place = Place
field-from = From
field-to = To
field-start = Start
field-end = End
field-nights = Nights
field-travelers = People
field-rooms = Rooms
field-budget = Budget
field-budget-currency = Currency of the budget
field-style = Words to look for
field-title = Name
field-price = Price of all of it
field-currency = Currency (EUR)
field-text = Description
field-city = City
field-country = Country
field-lat = Latitude
field-lon = Longitude
field-zone = Time zone (Europe/Paris)
field-from-zone = Time zone at the start
field-to-zone = Time zone at the end
field-sleeps = People in a room
field-pros = Speaks for it
field-cons = Speaks against it
field-link = Page about it (https)
field-carrier = Airline or company
field-number = Flight number
field-mode = How one goes (train, bus, taxi)
field-opening = Opening hours
field-id = Its own id
