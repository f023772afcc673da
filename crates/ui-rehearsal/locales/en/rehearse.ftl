### The words of rehearsals in the page, in English.

# The title of the dialog, and the command that opens it.
rehearse = Rehearse a conversation
# What it is.
rehearse-hint = A simulated client talks to the assistant. The tools are real, on a database that is thrown away afterwards: nothing of yours is read or changed.
# The field with the scenario.
scenario = Scenario
scenario-hint = YAML or JSON: who asks, what they want, and what must be so afterwards.
# Buttons that bring a scenario.
open-file = Open a file
from-conversation = From this conversation
example = An example
save-scenario = Save as a file
# Who answers.
assistant = Who answers
built-in = The built-in model
# $name - the model that is chosen in the settings
chosen-model = { $name }, as chosen in the settings
# Begins and ends.
play = Play
stop = Stop
# How it stands.
loading = Getting what plays it…
playing = It is being played…
stopped = It was stopped.
# What came of it.
passed = Passed: all checks hold.
failed = Failed: a check does not hold.
client-error = The simulated client strayed from its instructions; that says nothing about the assistant.
not-played = It could not be played.
# The parts of what came of it.
conversation = Conversation
checks = Checks
notes = What went wrong on the way
# Who speaks.
client = Client
# $name - an agent's name
agent = Agent { $name }
# A call of a tool.
# $name - the tool
called = Called { $name }
arguments = Arguments
result = Answer
# How a check came out, to a screen reader.
holds = Holds
does-not-hold = Does not hold
# What can be done with it.
save-outcome = Save the result
save-run = Save the run
open-run = Open the run here
# It cannot be played here.
no-worker = This browser does not let the page start what plays rehearsals.
broke = What plays it broke off, and was ended. Nothing of yours was touched. Look for what never ends or takes all memory in the scenario, and play it again.
# The same before it has begun: it comes with the first rehearsal.
not-loaded = What plays rehearsals could not be loaded. It comes over the network the first time: look whether there is one, and play it again.
nothing-said = Nothing was said in this conversation yet.
not-saved = This browser does not let the page save files.
