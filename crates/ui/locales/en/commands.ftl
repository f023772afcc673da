### The words of the commands, the palette and the sheet of shortcuts.

# The palette.
palette = Commands
# The palette found nothing.
palette-nothing = Nothing found
# The sheet of shortcuts.
shortcuts = Keyboard shortcuts
# The switch of the sheet.
single-keys = Single keys are shortcuts
# What the switch means.
single-keys-hint = They do nothing while you type. Switch them off if they get in the way of speech input or a screen reader.
# Goes to the chat.
go-chat = Go to the chat
# Takes the last change back.
undo-last = Undo the last change
# Does again what was taken back last.
redo-last = Redo what was undone
# Ends the run.
stop-run = Stop the answer
# Makes the last run again.
retry-run = Try the last message again
# Shows the shortcuts.
show-shortcuts = Show keyboard shortcuts
# Opens the settings.
open-settings = Open the settings
open-data = Export, import and storage
# Opens the history.
open-history = Show what was changed
# The theme of the system.
theme-system = Theme: as the system
# The light theme.
theme-light = Theme: light
# The dark theme.
theme-dark = Theme: dark
# Stands between two keys that are pressed one after the other.
then = then
# Plays a conversation between the assistant and a simulated client.
open-rehearse = Rehearse a conversation
# Shows what all conversations come to.
open-metrics = Show the metrics of all conversations
# Opens a room of the settings. The word for them comes last, so that who types it finds the way to all of them first.
in-settings = { $room } in the settings
# A conversation in the palette.
open-named = Open “{ $title }”
# What the palette's line asks for.
palette-hint = Find a command or a { -one }
# Looks for something.
find-anything = Search { -many } and commands
# How many entries the palette shows, for a screen reader.
found = { $count ->
    [0] Nothing found
    [one] 1 entry
   *[other] { $count } entries
}
# What stands on three keys.
key-control = Ctrl
key-escape = Esc
key-delete = Del
