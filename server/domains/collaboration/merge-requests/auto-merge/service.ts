/** Asks for a merge request to be merged by itself as soon as nothing stands in its way, and takes that back. */
import type {
  AutoMergeEnable,
  MergeRequest,
  MergeRequestMerge,
} from "@forgeline/schemas/merge-requests/resource.ts";
import { levelCovers } from "@forgeline/schemas/core/repository-levels.ts";
import { userIdOf, type Actor } from "../../../../platform/access/actor.ts";
import { AppError } from "../../../../platform/app-error.ts";
import type { Database } from "../../../../platform/db/database.ts";
import type { GrantedRepository } from "../../../policy/domain.ts";
import { mergingText } from "../branch-choice.ts";
import type { MergeRequestChanges } from "../changes.ts";
import { findMergeRequest, readBranches } from "../merge-requests.store.ts";
import type { MergeRequestMerging } from "../merging.ts";
import { mayPush, requirePushScope } from "../push-scope.ts";
import type { MergeRequirements } from "../requirements/service.ts";
import type { MergeRequestService } from "../service.ts";
import { enable } from "../auto-merges.store.ts";
import type { AutoMergeTries } from "./tries.ts";

export interface AutoMergeService {
  /** At once, or where it is wanted and something is missing, as `enable`. Throws what the two throw. */
  merge(
    actor: Actor,
    granted: GrantedRepository,
    wanted: MergeRequestMerge & { number: number },
  ): Promise<MergeRequest>;
  /**
   * Merged already, if nothing is missing. Throws `not_found`; `forbidden` where rules do not let the actor merge; `insufficient_scope` where a direct merge would take another scope; `conflict` where it
   * is not open, conflicts, has another head, or is not to be merged in this way. Replaces what was asked for before.
   */
  enable(
    actor: Actor,
    granted: GrantedRepository,
    wanted: AutoMergeEnable & { number: number },
  ): Promise<MergeRequest>;
  /** Throws `not_found`, `forbidden`, and `conflict` while it is being merged. Safe to repeat. */
  cancel(actor: Actor, granted: GrantedRepository, number: number): Promise<MergeRequest>;
}

export interface AutoMergeServiceDeps {
  db: Database;
  changes: MergeRequestChanges;
  get: MergeRequestService["get"];
  merging: MergeRequestMerging;
  requirements: Pick<MergeRequirements, "requireWay">;
  tries: Pick<AutoMergeTries, "tryNow">;
}

export function createAutoMergeService(deps: AutoMergeServiceDeps): AutoMergeService {
  const { db, changes, get } = deps;

  async function found({ repository }: GrantedRepository, number: number) {
    const row = await findMergeRequest(db, repository.id, number);
    if (!row) throw new AppError("not_found");
    return row;
  }

  async function enableNow(
    actor: Actor,
    granted: GrantedRepository,
    wanted: AutoMergeEnable & { number: number },
  ): Promise<MergeRequest> {
    const { number, strategy, sha } = wanted;
    if (wanted.delete_source_branch) requirePushScope(actor);
    const row = await found(granted, number);
    refuse(row, sha);
    if (row.merge_queue) throw conflict("It is in the merge queue already.");
    await deps.requirements.requireWay(actor, granted, { target: row.target_branch, strategy });
    await db.transaction(async (tx) => {
      const item = await changes.lock(tx, granted.repository.id, number);
      const now = await readBranches(tx, item.id);
      refuse({ ...now, state: item.state, mergeability: row.mergeability, conflicts: row.conflicts }, sha);
      if (now.is_merging) throw conflict(mergingText);
      if (now.target_branch !== row.target_branch)
        throw conflict("Its target branch has just been changed: look at it again.");
      await enable(tx, {
        id: item.id,
        userId: userIdOf(actor),
        strategy,
        commitMessage: wanted.commit_message,
        deleteSourceBranch: wanted.delete_source_branch,
        sha,
        target: now.target_branch,
        mayPush: mayPush(actor),
      });
      await changes.startAutoMerge(tx, { item, actor });
    });
    await deps.tries.tryNow(row.id);
    return get(actor, granted, number);
  }

  return {
    enable: enableNow,
    async merge(actor, granted, { when_pipeline_succeeds: waits, ...wanted }) {
      if (!waits) return deps.merging.merge(actor, granted, wanted);
      return enableNow(actor, granted, wanted);
    },
    async cancel(actor, granted, number) {
      await db.transaction(async (tx) => {
        const item = await changes.lock(tx, granted.repository.id, number);
        if (item.author_id !== actor.userId && !levelCovers(granted.level, "write"))
          throw new AppError("forbidden", { message: "It takes Write, unless you are its author." });
        const { is_merging: isMerging } = await readBranches(tx, item.id);
        if (isMerging) throw conflict(mergingText);
        await changes.endAutoMerge(tx, { item, actor }, "cancelled");
      });
      return get(actor, granted, number);
    },
  };
}

interface Enabled {
  state: string;
  head_sha: string;
  mergeability: string;
  conflicts: string[];
}

function refuse({ state, head_sha: head, mergeability, conflicts }: Enabled, sha: string | undefined): void {
  if (state !== "open")
    throw conflict(state === "merged" ? "It is merged already." : "It is closed: reopen it first.");
  if (sha !== undefined && sha !== head)
    throw conflict(`The source branch is at ${head.slice(0, 12)} now: look at what was pushed first.`);
  if (mergeability === "conflict") throw conflict(conflictText, { conflicts });
}

const conflictText =
  "Both branches changed the same lines: bring the target branch into the source branch, and resolve them there.";

function conflict(message: string, extra?: Record<string, unknown>): AppError {
  return new AppError("conflict", extra ? { message, extra } : { message });
}
