/** The states of a review (`reviews.state`). */
import { stateTable } from "@forgeline/schemas/core/state-table.ts";
import { stateSql } from "../../../platform/db/state-sql.ts";

export const reviewStates = stateTable({
  initial: "pending",
  events: {
    comment: "its author submits it without a decision",
    approve: "its author submits it",
    request_changes: "its author submits it",
    dismiss: "its author withdraws it, or somebody with Maintain says why it does not count",
  },
  moves: {
    pending: { comment: "commented", approve: "approved", request_changes: "changes_requested" },
    commented: {},
    approved: { dismiss: "dismissed" },
    changes_requested: { dismiss: "dismissed" },
    dismissed: {},
  },
});

export const reviewSql = stateSql(reviewStates);
