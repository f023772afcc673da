### The words about what happened in a run, and about what all of them come to.

trace = What happened
no-trace = Nothing has happened in this conversation yet.
trace-run = Message
trace-what = What
trace-when = When
trace-duration = Took
trace-tokens = Tokens
trace-answer = What the model said
trace-arguments = What the tool was given
trace-result = What it answered
trace-attributes = Attributes
doubted-here = The answer said what no result supports; the model was asked to write it again.
resumed-here = Went on after the page was gone.
save-otlp = Save as OTLP
save-run-file = Save as a run file
trace-out-hint = OTLP is for trace viewers: names, times and counts of this run, nothing that was said. The run file holds the whole conversation and can be replayed here.
metrics = Metrics
metrics-hint = Counted on this device when you look, and sent nowhere. Saved runs from files are not counted.
metrics-reach = Messages of
metrics-counting = Counting…
no-metrics = Nothing was said in this time.
# A run that tried the message before it again.
run-again = Tried again · { $when }

## How far back is counted, to choose from, after the words of metrics-reach.

reach-day = the last 24 hours
reach-week = the last 7 days
reach-month = the last 30 days
reach-all = all time

## A time that something took.

duration-ms = { $ms } ms
# $seconds - a number with a tenth
duration-seconds = { $seconds } s
duration-minutes = { $minutes } min { $seconds } s

## What a line of the trace is about.

whole-run = Whole run
# $title - what was asked about
waited-for-you = Waited for you: { $title }
# A model by its name.
model-by-name = Model { $name }

## What became of it, small, behind what it is about.

# $count (Number) - how often
tried-again = { $count ->
    [one] tried again once
   *[other] tried again { $count } times
}
state-waiting = waiting
state-approved = you approved
state-declined = you declined
state-answered = you answered
state-unanswered = no answer
state-running = running
state-stopped = stopped
state-read = read
state-changed = changed
state-refused = refused
state-not-run = not run
state-limit = ended by a limit
state-failed = failed

## What else is known of it.

# Tokens.
# $sent - how many went in
# $answered - how many came out
# $cached (Number) - how many of the first came from a cache
tokens-in-and-out = { $cached ->
    [0] { $sent } in, { $answered } out
   *[other] { $sent } in ({ $cached } cached), { $answered } out
}
# When a line's bar begins, for who does not see it.
# $time - how long
after-the-start = { $time } after the start
# $began - a day and a time
# $took - how long
began-and-took = Began: { $began }. Took { $took }.

## An attempt that failed.

# $after - how long after the start
# $said - a sentence about what was wrong
failed-after = After { $after }: { $said }
# Nothing was tried before.
# $after - how long after the start
# $said - a sentence about what was wrong
# $waited - how long until it went on
went-on-after = After { $after }: { $said } Went on { $waited } later.
# $after - how long after the start
# $said - a sentence about what was wrong
# $waited - how long until the next one
# $attempt - a number
tried-again-after = After { $after }: { $said } Tried again { $waited } later (attempt { $attempt }).

## A run in one line, its parts with dots between them.

# $time - how long
waiting-for-you = { $time } of it waiting for you
requests-made = { $count ->
    [one] 1 request
   *[other] { $count } requests
}
tool-calls-made = { $count ->
    [one] 1 tool call
   *[other] { $count } tool calls
}

## The metrics.

# What was counted.
metrics-counted = { $conversations ->
    [one] 1 conversation
   *[other] { $conversations } conversations
}, { $runs ->
    [one] 1 run
   *[other] { $runs } runs
}.
# How a metric is spread.
# $what - messages, calls, tokens or requests
# $half - half of them are no more
# $nearly - 95 % of them are no more
# $most - the most there was
spread-of = { $what ->
    [messages] messages
    [calls] calls
    [tokens] tokens, sent and answered,
   *[requests] requests
} on average · half up to { $half }, 95 % up to { $nearly }, at most { $most }
nothing-counted = Nothing counted yet
conversation-length = Conversation length
calls-per-conversation = Tool calls per conversation
response-time = Response time
no-response = No message was answered yet
# Half of the answers were there by the time above this.
# $answers (Number) - how many there were
# $time - how long
response-spread = half of { $answers } answers were there by then · 95 % within { $time }, without the time you were asked
tokens-per-conversation = Tokens per conversation
no-tokens-counted = The models used so far count none
satisfaction = Satisfaction
nothing-rated = No answer was rated yet: the thumbs are under each answer
# $good (Number) - how many helped
# $rated (Number) - of how many
answers-helped = { $good } of { $rated } rated answers helped
requests-per-run = Requests per run
compression = Compression
# Behind a percentage: what is left of a request when what was said before is folded away.
# $folds (Number) - how often that was done
left-by-folds = { $folds ->
    [0] Nothing was folded away yet
    [one] of a request’s tokens were left by the one fold there was
   *[other] of a request’s tokens are left by half of { $folds } folds
}
routing-accuracy = Routing accuracy
routing-not-used = Not used: every message goes to the model you chose
# $kept (Number) - how many stood
# $routed (Number) - of how many
routing-kept = { $kept } of { $routed } choices of a model were not corrected by you
