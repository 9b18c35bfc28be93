/** Issues that commits fix ("Fixes #12") are closed when the commits come to the default branch. */
import { closingReferencesOf } from "@forgeline/markdown/references-of.ts";
import type { Addresses } from "../../../platform/addresses.ts";
import type { Database } from "../../../platform/db/database.ts";
import type { RepositoryFiles } from "../../../platform/git/storage/repository-files.ts";
import type { RepositoryHistory } from "../../../platform/git/storage/repository-history.ts";
import { zeroId } from "../../../platform/git/refs/names.ts";
import type { RefUpdate } from "../../../platform/git/refs/ref-update.ts";
import type { PushFollower, RecordedPush } from "../../hosting/domain.ts";
import type { IssueChanges } from "../issues/changes.ts";
import { statements } from "./references.store.ts";

export interface CommitFollowerDeps {
  db: Database;
  addresses: Pick<Addresses, "webUrl">;
  history: Pick<RepositoryHistory, "list">;
  files: Pick<RepositoryFiles, "commitInfo">;
  issueChanges: Pick<IssueChanges, "closeAs">;
}

/** Of one push, the newest; more are an import. */
const maxCommits = 250;
/** Of one message, and of all that may fix something. */
const maxMessageChars = 16 * 1024;
const maxReadChars = 512 * 1024;
const mayFix = /(?:clos|fix|resolv).{0,30}\d/is;

export function createCommitFollower(deps: CommitFollowerDeps): PushFollower {
  const { db, history, files } = deps;
  const place = { instance: deps.addresses.webUrl };

  /** The commit that fixes it, by the number of the issue. */
  async function fixesOf(push: RecordedPush, { update, fullName }: OnDefaultBranch) {
    const { before: without, after: sha } = update;
    const page = { offset: 0, limit: maxCommits };
    const shas = await history.list(push.repositoryId, { sha, without }, page);
    const fixes = new Map<number, string>();
    let readable = maxReadChars;
    for (const commit of shas) {
      const message =
        (await files.commitInfo(push.repositoryId, commit))?.message.slice(0, maxMessageChars) ?? "";
      if (!mayFix.test(message)) continue;
      readable -= message.length;
      if (readable < 0) break;
      for (const { repository, number } of closingReferencesOf(message, place))
        if (repository === undefined || repository.toLowerCase() === fullName) fixes.set(number, commit);
    }
    return fixes;
  }

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
      const fixes = onDefault ? await fixesOf(push, onDefault) : new Map<number, string>();
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
