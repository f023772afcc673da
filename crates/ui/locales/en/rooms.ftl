### The words around the rooms of the settings: their list, the search, and by which other words a room is looked for.

# What the search asks for.
search-settings = Search the settings
# The list of the rooms, for a screen reader.
rooms = Rooms
# Goes back to the list on a narrow page.
all-settings = All settings
# The search found nothing.
no-settings = No setting has these words.
# An endpoint of the person's own, as it is looked for.
own-endpoint = My own endpoint
# What it has.
own-endpoint-has = Provider, address, key, passphrase, window and tool calling of a model of your own
# The storage, as it is looked for.
storage-name = Storage on this device
# What is said of the storage.
storage-has = How much is used, and whether the browser may delete it
# How much the search found, for a screen reader.
settings-found = { $count ->
    [0] No setting has these words.
   *[other] { $count } found
}
# Other words by which a room is looked for, in small letters. Nobody sees them. A translation has its own first, then these.
model-also-called = ai provider endpoint api key offline
roles-also-called = small cheap fast roles
answers-also-called = plans check evidence citations
approvals-also-called = approve permission permissions confirm confirmation ask before allow rules
senses-also-called = speech microphone dictation read aloud photo image
privacy-also-called = hide personal details leaves redact
spending-also-called = spend cost costs money budget limit price prices tokens
data-also-called = storage space delete wipe erase reset
files-also-called = download upload backup json csv icalendar file
copies-also-called = backup snapshot restore go back
servers-also-called = mcp connections tools remote
programs-also-called = mcp connections relay token editor desktop
app-also-called = appearance dark light mode install about
