/** The merge queue of a branch as people see and change it. What is in it is moved on in the background (`advance.ts`). */
import {
  maxQueued,
  type MergeQueue,
  type MergeQueueAdd,
  type MergeQueueEntry,
  type MergeQueueUpdate,
} from "@forgeline/schemas/merge-queue/resource.ts";
import type { MergeQueueSettings } from "@forgeline/schemas/branch-protections/merge-queue.ts";
import { levelCovers } from "@forgeline/schemas/core/repository-levels.ts";
import { userIdOf, type Actor } from "../../../platform/access/actor.ts";
import { reachOf } from "../../../platform/access/reach.ts";
import { hasScope } from "../../../platform/access/requirement.ts";
import type { Addresses } from "../../../platform/addresses.ts";
import { AppError, invalidField } from "../../../platform/app-error.ts";
import type { Database, Transaction } from "../../../platform/db/database.ts";
import { repositoryAddress } from "../../hosting/domain.ts";
import { recordAudit } from "../../operation/domain.ts";
import type { MergeQueueRuns } from "../../pipelines/domain.ts";
import type { GrantedRepository } from "../../policy/domain.ts";
import type { MergeRequestChanges } from "../merge-requests/changes.ts";
import type { MergeRequestRow } from "../merge-requests/merge-requests.store.ts";
import { draftText } from "../merge-requests/present.ts";
import { requirePushScope } from "../merge-requests/push-scope.ts";
import type { QueueRule } from "../merge-requests/requirements/queue-rule.ts";
import type { QueuedMerging } from "../merge-requests/queued-merging.ts";
import type { MergeRequirements } from "../merge-requests/requirements/service.ts";
import { presentPersonOrNull } from "../work-items/present.ts";
import type { Place, WorkItems } from "../work-items/work-items.ts";
import * as entries from "./entries.store.ts";
import { presentBatch, presentEntries } from "./present.ts";
import * as queues from "./queues.store.ts";

export type WantedEntry = MergeQueueAdd & {
  /** Of what waited for this; that may be over by now. Asked with the work item locked; false: `conflict`. */
  isStillWanted?: (tx: Transaction) => Promise<boolean>;
};

export interface MergeQueueService {
  show(actor: Actor, granted: GrantedRepository, branch: string | undefined): Promise<MergeQueue>;
  /**
   * With the address of the merge request. Throws `not_found`; `forbidden` for somebody who may not merge; `insufficient_scope` for a credential that may not push; and `conflict` where its state, its head or the rules do not allow
   * it, where it is in the queue already, and where the branch has none.
   */
  add(
    actor: Actor,
    granted: GrantedRepository,
    wanted: WantedEntry,
  ): Promise<{ entry: MergeQueueEntry; url: string }>;
  /** Throws `not_found` for one that is in no queue, `forbidden`, and `conflict` once it is about to land. */
  remove(actor: Actor, granted: GrantedRepository, number: number): Promise<void>;
  /** Before all others. Throws `not_found`, and `conflict` once it is about to land. */
  moveToFront(actor: Actor, granted: GrantedRepository, number: number): Promise<MergeQueueEntry>;
  /** Safe to repeat. */
  update(actor: Actor, granted: GrantedRepository, wanted: MergeQueueUpdate): Promise<MergeQueue>;
}

export interface MergeQueueDeps {
  db: Database;
  addresses: Addresses;
  workItems: Pick<WorkItems, "record">;
  changes: Pick<MergeRequestChanges, "lock" | "tell" | "dequeue" | "snapshot">;
  requirements: Pick<MergeRequirements, "queueOf" | "require">;
  merging: Pick<QueuedMerging, "find" | "tips" | "base">;
  runs: Pick<MergeQueueRuns, "read">;
}

export function createMergeQueueService(deps: MergeQueueDeps): MergeQueueService {
  const { db, addresses, changes } = deps;

  async function show(actor: Actor, { repository }: GrantedRepository, wanted: string | undefined) {
    const branch = wanted ?? repository.defaultBranch;
    const key = { repositoryId: repository.id, branch };
    const [queue, batches, rows, rule, branches] = await Promise.all([
      queues.findQueue(db, key),
      queues.listBatches(db, key),
      entries.listEntries(db, key),
      deps.requirements.queueOf(repository.id, branch),
      queues.branchesInUse(db, repository.id),
    ]);
    const view = { repository, addresses };
    const seesRuns = repository.publicPipelines || hasScope(actor, "pipeline:read");
    const shown = await Promise.all(
      batches.map(async (each) =>
        presentBatch(each, seesRuns ? await deps.runs.read(each.pipeline_ids) : [], view),
      ),
    );
    return {
      branch,
      settings: rule ? settingsOf(rule) : null,
      paused_at: queue?.paused_at?.toISOString() ?? null,
      paused_by: queue?.paused_by_person ? presentPersonOrNull(queue.paused_by_person, addresses) : null,
      batch: shown[0] ?? null,
      batches: shown,
      entries: presentEntries(rows, batches, view),
      branches,
    };
  }

  async function entryOf(actor: Actor, granted: GrantedRepository, row: { number: number; branch: string }) {
    const shown = await show(actor, granted, row.branch);
    const entry = shown.entries.find(({ number }) => number === row.number);
    // It may have landed, or left, in this very moment.
    if (!entry) throw new AppError("not_found");
    return entry;
  }

  /** Asked for before the transaction, since it takes Git. */
  async function requireReady(actor: Actor, granted: GrantedRepository, wanted: MergeQueueAdd) {
    const { repository } = granted;
    // A queue is a rule, so a direct merge would take it too.
    requirePushScope(actor);
    const row = await deps.merging.find(repository.id, wanted.number);
    refuseState(row);
    const { head, target } = await deps.merging.tips(row);
    if (!head || !target) throw conflict("One of its branches does not exist any more.");
    if (wanted.sha !== undefined && wanted.sha !== head)
      throw conflict(`The source branch is at ${head.slice(0, 12)} now: look at what was pushed first.`);
    if (head !== row.head_sha) throw conflict("Somebody has just pushed to it: try again in a moment.");
    if ((await deps.merging.base(row, { head, target })) === undefined)
      throw conflict("The branches share no history, so they cannot be merged.");
    if (!(await deps.requirements.queueOf(repository.id, row.target_branch)))
      throw conflict(`${row.target_branch} has no merge queue: merge it directly.`);
    await deps.requirements.require(actor, granted, {
      subject: { id: row.id, number: row.number, authorId: row.author_id, head, target },
      target: row.target_branch,
      strategy: wanted.strategy,
      bypassReason: undefined,
      queue: { tested: null },
    });
    return row;
  }

  async function insert(tx: Transaction, actor: Actor, added: { row: MergeRequestRow; wanted: WantedEntry }) {
    const { row, wanted } = added;
    const { repository_id: repositoryId, number, target_branch: branch, head_sha: head } = row;
    const item = await changes.lock(tx, repositoryId, number);
    if (wanted.isStillWanted && !(await wanted.isStillWanted(tx)))
      throw conflict("It is not waited for any more, or something has just changed.");
    const now = await changes.snapshot(tx, repositoryId, number);
    refuseState(now);
    if (now.head_sha !== head || now.target_branch !== branch)
      throw conflict("It has changed in this moment: look at it again.");
    const key = { repositoryId, branch };
    await queues.wantLook(tx, key);
    if ((await entries.countEntries(tx, key)) >= maxQueued)
      throw conflict(`At most ${maxQueued} merge requests wait in one queue: try again later.`);
    const isNew = await entries.insertEntry(tx, {
      ...key,
      mergeRequestId: row.id,
      number,
      head,
      strategy: wanted.strategy,
      commitMessage: wanted.commit_message,
      deleteSourceBranch: wanted.delete_source_branch,
      userId: userIdOf(actor),
      reach: reachOf(actor),
    });
    if (!isNew) throw conflict("It is in the merge queue already.");
    await deps.workItems.record(tx, { item, actor }, [{ kind: "queued" }]);
    await changes.tell(tx, { item, actor }, "queued");
  }

  /** With its work item locked. */
  async function waiting(tx: Transaction, { item }: Pick<Place, "item">) {
    const entry = await entries.findEntry(tx, item.id);
    if (!entry) throw new AppError("not_found");
    if (entry.is_landing) throw conflict("It is landing right now: look at it again in a moment.");
    return entry;
  }

  return {
    show,
    async add(actor, granted, wanted) {
      const row = await requireReady(actor, granted, wanted);
      await db.transaction((tx) => insert(tx, actor, { row, wanted }));
      const entry = await entryOf(actor, granted, { number: row.number, branch: row.target_branch });
      const address = repositoryAddress(addresses, granted.repository);
      return { entry, url: address.api("merge-requests", String(row.number)) };
    },
    async remove(actor, { repository, level }, number) {
      await db.transaction(async (tx) => {
        const item = await changes.lock(tx, repository.id, number);
        const entry = await waiting(tx, { item });
        const isTheirs = [entry.queued_by, item.author_id].includes(actor.userId);
        if (!isTheirs && !levelCovers(level, "maintain"))
          throw new AppError("forbidden", { message: whoMay });
        // Before the entry, as everywhere, so that nobody waits for a server that waits for them.
        await queues.wantLook(tx, { repositoryId: repository.id, branch: entry.branch });
        await changes.dequeue(tx, { item, actor }, `@${actor.username} took it out.`);
      });
    },
    async moveToFront(actor, granted, number) {
      const { repository } = granted;
      const branch = await db.transaction(async (tx) => {
        const item = await changes.lock(tx, repository.id, number);
        const entry = await waiting(tx, { item });
        const key = { repositoryId: repository.id, branch: entry.branch };
        await queues.wantLook(tx, key);
        if ((await queues.listBatches(tx, key))[0]?.state === "landing")
          throw conflict("What is before it is landing right now: try again in a moment.");
        await entries.moveToFront(tx, item.id);
        await entries.trustAll(tx, key);
        const details = { branch: entry.branch, merge_request: number };
        await recordAudit(tx, actor, { action: "merge_queue.move", target: targetOf(granted), details });
        return entry.branch;
      });
      return entryOf(actor, granted, { number, branch });
    },
    async update(actor, granted, { branch = granted.repository.defaultBranch, paused }) {
      const { repository } = granted;
      const key = { repositoryId: repository.id, branch };
      if (!(await deps.requirements.queueOf(repository.id, branch)) && !(await queues.findQueue(db, key)))
        throw invalidField("branch", "no_queue", `No rule gives ${branch.slice(0, 200)} a merge queue.`);
      await db.transaction(async (tx) => {
        await queues.wantLook(tx, key);
        if (!(await queues.setPaused(tx, key, paused ? userIdOf(actor) : null))) return;
        const details = { branch, paused };
        await recordAudit(tx, actor, { action: "merge_queue.pause", target: targetOf(granted), details });
      });
      return show(actor, granted, branch);
    },
  };
}

const whoMay = "Whoever added it, its author, and those with Maintain take it out of the queue.";

function settingsOf(rule: QueueRule): MergeQueueSettings {
  const { max_batch, max_wait_minutes, parallel_batches } = rule;
  return { max_batch, max_wait_minutes, parallel_batches };
}

function targetOf({ repository: { id, owner, name } }: GrantedRepository) {
  return { type: "repository", id, name: `${owner}/${name}` };
}

function conflict(message: string, extra?: Record<string, unknown>): AppError {
  return new AppError("conflict", extra ? { message, extra } : { message });
}

function refuseState({ state, draft, mergeability, conflicts }: MergeRequestRow): void {
  if (state !== "open")
    throw conflict(state === "merged" ? "It is merged already." : "It is closed: reopen it first.");
  if (draft) throw conflict(draftText);
  if (mergeability === "conflict") throw conflict(conflictText, { conflicts });
}

const conflictText =
  "Both branches changed the same lines: bring the target branch into the source branch, and resolve them there.";
