/** What happens to issues, each in the transaction of its change. */
import type { Actor } from "../../../platform/access/actor.ts";
import { AppError } from "../../../platform/app-error.ts";
import type { Transaction } from "../../../platform/db/database.ts";
import { recordRepositoryEvents } from "../../hosting/domain.ts";
import type { ChangedBy, WorkItems } from "../work-items/work-items.ts";
import { findIssue } from "./issues.store.ts";

export type IssueAction = "opened" | "edited" | "closed" | "reopened" | "transferred" | "deleted";

/** Whoever is told may not see the issue that one is a duplicate of. */
const nobody = { userId: null, isAdmin: false, repositoryIds: null };

export interface IssuePlace {
  repositoryId: string;
  number: number;
  actor: Pick<Actor, "userId">;
}

export interface IssueChanges {
  /** What has become of it, for those who are told. Throws `not_found`. */
  tell(tx: Transaction, place: IssuePlace, action: IssueAction): Promise<void>;
  /** It is done: by a merge request, or a commit. Nothing happens to one that is closed. */
  closeAs(tx: Transaction, place: IssuePlace, by: ChangedBy): Promise<void>;
}

export function createIssueChanges(workItems: Pick<WorkItems, "lock" | "setState">): IssueChanges {
  async function tell(tx: Transaction, { repositoryId, number, actor }: IssuePlace, action: IssueAction) {
    const issue = await findIssue(tx, { repositoryId, number }, nobody);
    if (!issue) throw new AppError("not_found");
    const place = { repositoryId, senderId: actor.userId };
    await recordRepositoryEvents(tx, place, [{ kind: "issue", action, subject: { issue } }]);
    tx.count("forgeline_collaboration_changes_total", { kind: "issue", action });
  }

  return {
    tell,
    async closeAs(tx, place, by) {
      const { repositoryId, number, actor } = place;
      const item = await workItems.lock(tx, { repositoryId, number, kind: "issue" });
      if (item.state !== "open") return;
      await workItems.setState(tx, { item, actor }, { state: "closed", reason: "completed", by });
      await tell(tx, place, "closed");
    },
  };
}
