### What Satchel keeps, and what it says where nothing was said yet.

# One of the things it keeps, in the middle of a sentence.
to-do = to-do
# Several of them.
to-dos = to-dos
# The question over an empty conversation.
welcome-title = What’s on your mind?
# What the assistant does.
welcome-hint = Tell me what you have to do. I add it, split it into parts, plan your week with it, find it and take it back. Your to-dos are kept on this device.
