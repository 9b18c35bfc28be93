/** Issues that commits fix ("Fixes #12") are closed when the commits come to the default branch. */
import type { Database } from "../../../platform/db/database.ts";
import { zeroId } from "../../../platform/git/refs/names.ts";
import type { RefUpdate } from "../../../platform/git/refs/ref-update.ts";
import type { PushFollower, RecordedPush } from "../../hosting/domain.ts";
import type { IssueChanges } from "../issues/changes.ts";
import { fixesOf, type CommitFixesDeps } from "./commit-fixes.ts";
import { statements } from "./references.store.ts";

export interface CommitFollowerDeps extends CommitFixesDeps {
  db: Database;
  issueChanges: Pick<IssueChanges, "closeAs">;
}

export function createCommitFollower(deps: CommitFollowerDeps): PushFollower {
  const { db } = deps;

  async function defaultBranchOf(push: RecordedPush): Promise<OnDefaultBranch | undefined> {
    // What a sync brings was written for the issues of another repository.
    if (push.cause !== "push" || push.updates.every(({ ref }) => !ref.startsWith("refs/heads/")))
      return undefined;
    const found = await db.one(statements.findClosable, [push.repositoryId]);
    if (!found) return undefined;
    const ref = `refs/heads/${found.default_branch}`;
    const update = push.updates.find((each) => each.ref === ref);
    // A branch that is new has a history that was written before.
    if (!update || update.before === zeroId || update.after === zeroId) return undefined;
    return { update, fullName: `${found.owner}/${found.name}`.toLowerCase() };
  }

  return {
    async prepare(push) {
      const onDefault = await defaultBranchOf(push);
      if (!onDefault) return () => Promise.resolve([]);
      const { update, fullName } = onDefault;
      const range = { repositoryId: push.repositoryId, fullName, sha: update.after, without: update.before };
      const fixes = await fixesOf(deps, range);
      if (fixes.size === 0) return () => Promise.resolve([]);
      return async (tx) => {
        const { repositoryId, userId } = push;
        const open = await tx.query(statements.listOpen, [repositoryId, [...fixes.keys()]]);
        for (const { number } of open) {
          const commit = fixes.get(number) ?? null;
          await deps.issueChanges.closeAs(tx, { repositoryId, number, actor: { userId } }, { commit });
        }
        return [];
      };
    },
  };
}

interface OnDefaultBranch {
  update: RefUpdate;
  /** `owner/name`, in lower case. */
  fullName: string;
}
