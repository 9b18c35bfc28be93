/**
 * Makes a batch: what the branch becomes when those at the front are merged one after the other, with the runs that test it. What
 * cannot be merged leaves the queue. Nothing is written before all is there, so a server that dies has made nothing.
 */
import { AppError } from "../../../platform/app-error.ts";
import type { Database } from "../../../platform/db/database.ts";
import { GitError } from "../../../platform/git/processes/run-git.ts";
import { syncRefs } from "../../../platform/git/refs/refs.ts";
import { newId } from "../../../platform/ids.ts";
import type { Platform } from "../../../platform/platform.ts";
import type { MergeQueueRuns } from "../../pipelines/domain.ts";
import type { QueuedMerging, ReadyToLand } from "../merge-requests/queued-merging.ts";
import {
  afterProblem,
  atOnce,
  hold,
  isPassing,
  queuedOf,
  refOf,
  soon,
  type Again,
  type BatchEnds,
  type Look,
} from "./batch.ts";
import { nextBatchSize, takenBy } from "./batch-plan.ts";
import { countFailure, takeIntoBatch, type EntryRow } from "./entries.store.ts";
import { insertBatch } from "./queues.store.ts";

export interface MakeBatchDeps extends Pick<Platform, "git" | "storage"> {
  db: Database;
  merging: Pick<QueuedMerging, "find" | "tips" | "base" | "ready" | "make" | "takeLargeFiles">;
  runs: Pick<MergeQueueRuns, "prepare">;
  ends: Pick<BatchEnds, "drop">;
}

interface Member {
  entry: EntryRow;
  ready: ReadyToLand;
  sha: string;
}

/** `later`: its source branch has moved, and the record of that is on its way, or there is no time left. */
type Merged = Member | "left" | "later";

interface Step {
  onto: string;
  signal: AbortSignal;
}

/** What is merged by then is tested without the rest. */
const patienceMs = 60_000;
/** For all of a look, what was begun by then included: well below the time for which a server has the queue. */
const maxMs = 150_000;
/** Git may fail for reasons of its own; of one for which it always does, the others wait no longer. */
const maxTries = 3;

export function createBatchMaker(deps: MakeBatchDeps): (look: Look) => Promise<Again> {
  const { db, git, storage, merging, ends } = deps;
  async function leave(look: Look, entry: EntryRow, reason: string): Promise<"left"> {
    await ends.drop(look, entry, reason);
    return "left";
  }

  async function merge(look: Look, entry: EntryRow, { onto, signal }: Step): Promise<Merged> {
    const { repositoryId, branch } = look.key;
    const queued = queuedOf(entry);
    const ready = await merging.ready(repositoryId, queued, { branch, target: baseOf(look), tested: null });
    if (!isAsQueued(ready, entry)) throw conflict(changedText);
    if ((await merging.tips(ready.row)).head !== queued.head) return "later";
    const base = await merging.base(ready.row, { head: queued.head, target: onto });
    if (base === undefined) throw conflict("The branches share no history, so they cannot be merged.");
    const sha = await merging.make(ready, onto, signal);
    // What it lands with is there while it is tested.
    await merging.takeLargeFiles(ready, { base: onto });
    return { entry, ready, sha };
  }

  const countHeld = (look: Look, entry: EntryRow): Promise<number> =>
    db.transaction(async (tx) => {
      await hold(tx, look);
      return (await countFailure(tx, entry.merge_request_id)) ?? 0;
    });

  /** Nothing that is wrong with one of them keeps the others waiting. */
  async function mergeOrLeave(look: Look, entry: EntryRow, step: Step): Promise<Merged> {
    try {
      return await merge(look, entry, step);
    } catch (error) {
      // Those before it have taken the time: they are tested, and it is tried again behind them.
      if (step.signal.aborted && step.onto !== look.tip) return "later";
      // What it is built on may never land: whether it goes with the branch is known once it is in front.
      if (look.batches.length > 0 && (step.signal.aborted || isItsOwn(error))) return "later";
      if (error instanceof AppError && !isPassing(error)) return leave(look, entry, error.message);
      if (!(error instanceof GitError) && !step.signal.aborted) throw error;
      if ((await countHeld(look, entry)) < maxTries) throw error;
      return leave(look, entry, step.signal.aborted ? tooLongText : failedText);
    }
  }

  async function mergeAll(look: Look): Promise<Member[] | "later"> {
    const members: Member[] = [];
    const until = performance.now() + patienceMs;
    const signal = AbortSignal.timeout(maxMs);
    const start = takenBy(look.batches);
    const end = start + nextBatchSize(look.batches, look.entries, look.rule);
    for (const entry of look.entries.slice(start, end)) {
      if (performance.now() > until) break;
      const merged = await mergeOrLeave(look, entry, { onto: members.at(-1)?.sha ?? baseOf(look), signal });
      if (merged === "later") return members.length > 0 ? members : "later";
      if (merged !== "left") members.push(merged);
    }
    return members;
  }

  /** Of a server that died before it had written its batch. */
  async function removeLeftovers(directory: string, { key: { branch }, batches }: Look): Promise<void> {
    const start = refOf(branch, "");
    const { stdout } = await git.run({ directory, args: ["for-each-ref", "--format=%(refname)", start] });
    const refs = stdout.toString("utf8").split("\n");
    // Below it are those of branches whose names go on there, too.
    const ofBranch = refs.filter((ref) => ref.startsWith(start) && !ref.slice(start.length).includes("/"));
    const left = ofBranch.filter((ref) => !batches.some(({ id }) => ref === refOf(branch, id)));
    const input = left.map((ref) => `delete ${ref}\0\0`).join("");
    if (input !== "")
      await git.run({ directory, args: ["update-ref", "--no-deref", "-z", "--stdin"], input });
  }

  async function keep(look: Look, batchId: string, sha: string): Promise<string> {
    const directory = storage.directory(look.key.repositoryId);
    const ref = refOf(look.key.branch, batchId);
    await removeLeftovers(directory, look);
    await git.run({ directory, args: ["update-ref", "--no-deref", ref, sha] });
    await syncRefs(directory, [ref]);
    return ref;
  }

  /** Of the batches that it is built on. */
  async function below({ key, batches, entries }: Look): Promise<Contained[]> {
    const contained: Contained[] = [];
    for (const entry of entries.slice(0, takenBy(batches)))
      contained.push({ entry, row: await merging.find(key.repositoryId, entry.number) });
    return contained;
  }

  return async (look) => {
    const members = await mergeAll(look);
    // What does not go with batches that are still tested is not tried at each look.
    if (members === "later") return look.batches.length > 0 ? afterProblem : soon;
    const last = members.at(-1);
    if (!last) return atOnce;
    const id = newId("mqb");
    const ref = await keep(look, id, last.sha);
    const contained = [
      ...(await below(look)),
      ...members.map(({ entry, ready: { row } }) => ({ entry, row })),
    ];
    const write = await deps.runs.prepare({ ...commitOf(look, contained, last), batchId: id, ref });
    await db.transaction(async (tx) => {
      // Before what it locks besides: as a push, which makes runs first.
      const pipelineIds = await write(tx);
      await hold(tx, look);
      const size = members.length;
      await insertBatch(tx, { id, ...look.key, base: baseOf(look), sha: last.sha, size, pipelineIds });
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

const conflict = (message: string) => new AppError("conflict", { message });
const failedText = "Git cannot merge it: bring the target branch into the source branch, and add it again.";
const tooLongText =
  "Merging it takes too long here: bring the target branch into the source branch yourself.";
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

/** A merge request whose commits are in what is tested. */
interface Contained {
  entry: EntryRow;
  row: ReadyToLand["row"];
}

/** It is built on the last batch that is tested, or on the branch. */
const baseOf = ({ batches, tip }: Look) => batches.at(-1)?.sha ?? tip;

/** What is wrong is with the one that was to be merged. */
const isItsOwn = (error: unknown) =>
  error instanceof GitError || (error instanceof AppError && !isPassing(error));

const isForeign = ({ row }: Contained) => row.source_repository_id !== row.repository_id;

const hasLabel = ({ row }: Contained, wanted: string) => row.labels.some(({ name }) => name === wanted);

/** Nobody's rights elsewhere are used for what others have queued: their code decides what runs. */
function isOfOne(members: readonly Contained[]): boolean {
  const [first] = members;
  const isSame = ({ entry }: Contained) =>
    entry.queued_by === first?.entry.queued_by && entry.reach === first?.entry.reach;
  return members.every((each) => isSame(each) && !isForeign(each));
}

/** Trusted as little as the least trusted of all that it contains, also of what has not landed yet. */
function commitOf(look: Look, contained: readonly Contained[], { entry, ready, sha }: Member) {
  const { row, actor } = ready;
  return {
    repositoryId: look.key.repositoryId,
    sha,
    base: baseOf(look),
    userId: actor.userId ?? "",
    username: actor.username,
    reach: isOfOne(contained) ? entry.reach : ("here" as const),
    mergeRequest: {
      number: row.number,
      title: row.title,
      author: row.author?.username ?? "",
      source_branch: row.source_branch,
      target_branch: row.target_branch,
      draft: false,
      // What one of them has says nothing of the others.
      labels: row.labels
        .map(({ name }) => name)
        .filter((name) => contained.every((each) => hasLabel(each, name))),
      fork: contained.some(isForeign),
    },
  };
}
