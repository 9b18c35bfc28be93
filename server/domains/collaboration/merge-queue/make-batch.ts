/**
 * Makes a batch: what the branch becomes when those at the front are merged one after the other, with the runs that test it. What
 * cannot be merged leaves the queue. Nothing is written before all is there, so a server that dies has made nothing.
 */
import { AppError } from "../../../platform/app-error.ts";
import type { Database } from "../../../platform/db/database.ts";
import { syncRefs } from "../../../platform/git/refs/refs.ts";
import { newId } from "../../../platform/ids.ts";
import type { Platform } from "../../../platform/platform.ts";
import type { MergeQueueRuns } from "../../pipelines/domain.ts";
import type { QueuedMerging, ReadyToLand } from "../merge-requests/queued-merging.ts";
import { atOnce, hold, queuedOf, refOf, soon, type Again, type BatchEnds, type Look } from "./batch.ts";
import { batchSize } from "./batch-plan.ts";
import { takeIntoBatch, type EntryRow } from "./entries.store.ts";
import { insertBatch } from "./queues.store.ts";

export interface MakeBatchDeps extends Pick<Platform, "git" | "storage"> {
  db: Database;
  merging: Pick<QueuedMerging, "find" | "tips" | "ready" | "make">;
  runs: Pick<MergeQueueRuns, "prepare">;
  ends: Pick<BatchEnds, "drop">;
}

interface Member {
  entry: EntryRow;
  ready: ReadyToLand;
  sha: string;
}

/** What is merged by then is tested without the rest: well below the time for which a server has the queue. */
const patienceMs = 60_000;

export function createBatchMaker(deps: MakeBatchDeps): (look: Look) => Promise<Again> {
  const { db, git, storage, merging, ends } = deps;

  /** `later`: its source branch has moved, and the record of that is on its way. */
  async function merge(look: Look, entry: EntryRow, onto: string): Promise<Member | "left" | "later"> {
    const { repositoryId } = look.key;
    const queued = queuedOf(entry);
    try {
      const ready = await merging.ready(repositoryId, queued, {
        branch: look.key.branch,
        target: look.tip,
        tested: null,
      });
      if (!isAsQueued(ready, entry)) throw new AppError("conflict", { message: changedText });
      if ((await merging.tips(ready.row)).head !== queued.head) return "later";
      return { entry, ready, sha: await merging.make(ready, onto) };
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      await ends.drop(look, entry, error.message);
      return "left";
    }
  }

  async function mergeAll(look: Look): Promise<Member[] | "later"> {
    const members: Member[] = [];
    const until = performance.now() + patienceMs;
    for (const entry of look.entries.slice(0, batchSize(look.entries, look.rule.max_batch))) {
      if (members.length > 0 && performance.now() > until) break;
      const merged = await merge(look, entry, members.at(-1)?.sha ?? look.tip);
      if (merged === "later") return members.length > 0 ? members : "later";
      if (merged !== "left") members.push(merged);
    }
    return members;
  }

  /** Of a server that died before it had written its batch. */
  async function removeLeftovers(directory: string, branch: string): Promise<void> {
    const start = refOf(branch, "");
    const { stdout } = await git.run({ directory, args: ["for-each-ref", "--format=%(refname)", start] });
    const refs = stdout.toString("utf8").split("\n");
    // Below it are those of branches whose names go on there, too.
    const left = refs.filter((ref) => ref.startsWith(start) && !ref.slice(start.length).includes("/"));
    const input = left.map((ref) => `delete ${ref}\0\0`).join("");
    if (input !== "")
      await git.run({ directory, args: ["update-ref", "--no-deref", "-z", "--stdin"], input });
  }

  async function keep({ key }: Look, batchId: string, sha: string): Promise<string> {
    const directory = storage.directory(key.repositoryId);
    const ref = refOf(key.branch, batchId);
    await removeLeftovers(directory, key.branch);
    await git.run({ directory, args: ["update-ref", "--no-deref", ref, sha] });
    await syncRefs(directory, [ref]);
    return ref;
  }

  return async (look) => {
    const members = await mergeAll(look);
    if (members === "later") return soon;
    const last = members.at(-1);
    if (!last) return atOnce;
    const id = newId("mqb");
    const ref = await keep(look, id, last.sha);
    const write = await deps.runs.prepare({ ...commitOf(look, members, last), batchId: id, ref });
    await db.transaction(async (tx) => {
      // Before what it locks besides: as a push, which makes runs first.
      const pipelineIds = await write(tx);
      await hold(tx, look);
      const size = members.length;
      await insertBatch(tx, { id, ...look.key, base: look.tip, sha: last.sha, size, pipelineIds });
      const taken = members.map(({ entry, sha }) => ({
        id: entry.merge_request_id,
        head: entry.head_sha,
        sha,
      }));
      if (!(await takeIntoBatch(tx, id, taken))) throw new MembersChanged();
    });
    return soon;
  };
}

const changedText = "It is not as it was added to the queue any more.";

function isAsQueued({ row }: ReadyToLand, { head_sha: head, branch }: EntryRow): boolean {
  return row.state === "open" && !row.draft && row.head_sha === head && row.target_branch === branch;
}

/** One of them has left the queue meanwhile. */
export class MembersChanged extends Error {
  constructor() {
    super("a merge request has left the merge queue while it was merged");
    this.name = "MembersChanged";
  }
}

function commitOf(look: Look, members: readonly Member[], { entry, ready, sha }: Member) {
  const { row, actor } = ready;
  return {
    repositoryId: look.key.repositoryId,
    sha,
    base: look.tip,
    userId: actor.userId ?? "",
    username: actor.username,
    reach: entry.reach,
    mergeRequest: {
      number: row.number,
      title: row.title,
      author: row.author?.username ?? "",
      source_branch: row.source_branch,
      target_branch: row.target_branch,
      draft: false,
      labels: row.labels.map(({ name }) => name),
      fork: members.some(({ ready: { row: each } }) => each.source_repository_id !== each.repository_id),
    },
  };
}
