### The words around questions, plans and answers that were checked or are rated.

question = Question
# The button that sends the answers.
answer = Answer
# The field of one.
answer-field = Answer
dont-answer = Don’t answer
optional = (may stay open)
not-answered = Not answered.
first-day = First day
last-day = Last day
plan = Plan
plan-step = Step of the plan
plan-remove = Take this step out
plan-add = Add a step
plan-approve = Go ahead
plan-decline = Decline
plan-declined = Plan declined. Nothing was done.
step-open = Open
step-doing = Being done
step-done = Done
step-skipped = Skipped
kinds = Talk as
refine = Answer again:
# The command that opens the trace of a run.
open-trace = Show what happened
about-this-answer = About this answer
rate-good = This helped
rate-bad = This did not help
# Feedback on an answer, as the person's message shows it.
refined = Answer again: { $feedback }
# Ways to talk: each has a name, and a sentence about what it is for.
kind-question-answer = Questions and answers
kind-question-answer-about = Short answers to single questions.
kind-debugging = Find the cause
kind-debugging-about = Finds out, step by step, why something does not work.
kind-research = Research
kind-research-about = Gathers what the tools know, weighs it, and says what it rests on.
# How an answer that is asked for again is to be: behind `refine`, and in `refined` then. The model is told it too.
refine-shorter = shorter
refine-in-detail = in more detail
refine-simpler = in simpler words
# The note under an answer.
# $count (Number) - how many things
doubts =
    { $count ->
        [one] 1 thing in this answer is not in the tools’ results. It is marked.
       *[other] { $count } things in this answer are not in the tools’ results. They are marked.
    }
# How sure the model is of its plan.
# $percent - 0 to 100
plan-sure = ({ $percent } % sure)
# What a chip says of the call that it leads to.
# $number (Number) - which of the answer's sources
cites = Source { $number }: show the tool call
