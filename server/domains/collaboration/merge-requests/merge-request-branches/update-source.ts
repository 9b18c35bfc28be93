/**
 * Brings the target branch into the source branch of a merge request, merged or by a rebase, as a push by the caller. What was pushed
 * meanwhile is never lost: the branch moves only from the commit that was looked at.
 */
import type { SourceBranch, SourceBranchUpdate } from "@forgeline/schemas/merge-request-branches/resource.ts";
import { maxRebasedCommits } from "@forgeline/schemas/merge-requests/resource.ts";
import { userIdOf, type Actor } from "../../../../platform/access/actor.ts";
import { AppError } from "../../../../platform/app-error.ts";
import type { Database } from "../../../../platform/db/database.ts";
import { isAncestor } from "../../../../platform/git/history/is-ancestor.ts";
import { mergeBranch, type BranchOutcome } from "../../../../platform/git/merging/merge-branch.ts";
import type { SignCommit } from "../../../../platform/git/signatures/sign-commit.ts";
import type { Platform } from "../../../../platform/platform.ts";
import { commitIdentity, type UserRow } from "../../../accounts/domain.ts";
import type { GrantedRepository } from "../../../policy/domain.ts";
import type { Branches } from "../branches.ts";
import { findMergeRequest, type MergeRequestRow } from "../merge-requests.store.ts";
import type { MergeRequestService } from "../service.ts";
import type { SourceBranches, SourceTip } from "../source-branch.ts";
import { conflict, withPatience } from "./refusals.ts";

export interface SourceBranchUpdates {
  /**
   * Safe to repeat: what has all of the target branch is left as it is. Throws `not_found`; `conflict` where the merge request is not
   * open, the branch is not at `sha`, or cannot be brought up to date, with `conflicts` where both changed the same lines; what
   * `SourceBranches` throw; and `unavailable` where it takes too long.
   */
  update(actor: Actor, granted: GrantedRepository, wanted: WantedUpdate): Promise<SourceBranch>;
}

export interface SourceBranchUpdatesDeps extends Pick<Platform, "git" | "storage"> {
  db: Database;
  branches: Pick<Branches, "tips" | "base">;
  sourceBranches: SourceBranches;
  signCommit: SignCommit;
  users: { get(id: string): Promise<UserRow> };
  get: MergeRequestService["get"];
}

type WantedUpdate = SourceBranchUpdate & { number: number };

/** What shall come together. */
interface Pair {
  row: MergeRequestRow;
  tip: SourceTip;
  target: string;
}

/** The source branch may move while a commit is made for it. */
const maxTries = 3;

export function createSourceBranchUpdates(deps: SourceBranchUpdatesDeps): SourceBranchUpdates {
  const { git, storage, branches, sourceBranches } = deps;

  async function pairOf(actor: Actor, granted: GrantedRepository, { number, sha }: WantedUpdate) {
    const row = await findMergeRequest(deps.db, granted.repository.id, number);
    if (!row) throw new AppError("not_found");
    const tip = await sourceBranches.find(actor, granted, row);
    const { target_branch: name } = row;
    const { target } = await branches.tips(granted.repository.id, { source: name, target: name });
    if (!target) throw conflict(`The branch ${name} does not exist any more.`);
    if (sha !== undefined && sha !== tip.sha)
      throw conflict(`The source branch is at ${tip.sha.slice(0, 12)} now: look at what was pushed first.`);
    return { row, tip, target };
  }

  async function make(
    actor: Actor,
    { row, tip, target }: Pair,
    { method, signal }: { method: WantedUpdate["method"]; signal: AbortSignal },
  ) {
    const { repository, sha: head } = tip;
    if ((await branches.base(repository.id, target, head)) === undefined)
      throw conflict("The branches share no history, so neither can be brought into the other.");
    const author = commitIdentity(await deps.users.get(userIdOf(actor)));
    const message = `Merge branch '${row.target_branch}' into ${row.source_branch}\n`;
    // A merge keeps the source branch as its first parent; a rebase begins at the target branch.
    const sides = method === "merge" ? { target: head, head: target } : { target, head };
    const place = { directory: storage.directory(repository.id), signal };
    const sign = deps.signCommit;
    const wanted = { strategy: method, ...sides, message, author, committer: author, sign };
    return commitOf(await mergeBranch(git, place, { ...wanted, maxCommits: maxRebasedCommits }));
  }

  /** Undefined where the branch has moved meanwhile. */
  async function attempt(
    actor: Actor,
    granted: GrantedRepository,
    { signal, ...wanted }: WantedUpdate & { signal: AbortSignal },
  ): Promise<{ sha: string; changed: boolean } | undefined> {
    const pair = await pairOf(actor, granted, wanted);
    const { tip, target } = pair;
    const directory = storage.directory(tip.repository.id);
    const hasAll = await isAncestor(git.run, { directory, quarantine: null, before: target, after: tip.sha });
    if (hasAll && wanted.method === "merge") return { sha: tip.sha, changed: false };
    if (!hasAll)
      await sourceBranches.bring(actor, tip, { target: granted.repository, commit: target, signal });
    const sha = await make(actor, pair, { method: wanted.method, signal });
    if (sha === tip.sha) return { sha, changed: false };
    return (await sourceBranches.push(actor, tip, sha)) ? { sha, changed: true } : undefined;
  }

  return {
    async update(actor, granted, wanted) {
      const done = await withPatience(async (signal) => {
        for (let tries = 0; tries < maxTries; tries += 1) {
          const outcome = await attempt(actor, granted, { ...wanted, signal });
          if (outcome) return outcome;
        }
        throw conflict("The source branch is moving too fast: try again in a moment.");
      });
      return { ...done, merge_request: await deps.get(actor, granted, wanted.number) };
    },
  };
}

const impossible = {
  nothing: "The target branch has all of its changes already: close it.",
  not_forward: "The source branch cannot be moved forward.",
  too_many: `The source branch has more than ${maxRebasedCommits} commits to rebase: merge the target branch instead.`,
};

function commitOf(outcome: BranchOutcome): string {
  if ("commit" in outcome) return outcome.commit;
  if ("impossible" in outcome) throw conflict(impossible[outcome.impossible]);
  const { conflicts, at } = outcome;
  const where = at === undefined ? "" : `, at commit ${at.slice(0, 12)}`;
  throw conflict(`Both branches changed the same lines${where}: resolve them in the source branch.`, {
    conflicts,
  });
}
