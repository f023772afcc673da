//! What waits for a person's word in the conversation: approvals, questions and plans.

use crate::screen::screen;

screen! {
    /// The cards that ask something.
    Approvals {
        card "approval"  approve "approve"  deny "deny"  count "approval-count"  all_lines "approval-all"  taint "approval-taint"
        allow_here "allow-conversation"  allow_for_good "allow-for-good"  sends "server-sends"
        question "question"  option "question-option"  send "question-send"  answer "question-answer"
        from "question-from"  to "question-to"  words "question-text"
        why "question-context"  picture "question-picture"
        plan "plan"  plan_step "plan-step"  plan_add "plan-add"  plan_edit "plan-edit"  plan_remove "plan-remove"
        plan_approve "plan-approve"  plan_decline "plan-decline"
    }
}
