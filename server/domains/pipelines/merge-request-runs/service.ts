/**
 * Runs of merge requests. What collaboration does to one is followed in the transaction of the change; runs are made in the background,
 * since they take Git (`make-runs.ts`). So nothing is lost when a server dies between the two.
 */
import type { Database, Transaction } from "../../../platform/db/database.ts";
import type { Logger } from "../../../platform/logger.ts";
import type { PeriodicTask } from "../../../platform/periodic-tasks.ts";
import { cancelBecause } from "../runs/change-run.ts";
import { makeRunsOf, type MakeRunsDeps } from "./make-runs.ts";
import { findStanding, type RunStanding } from "./standing.store.ts";
import * as store from "./subjects.store.ts";

export type { RunStanding } from "./standing.store.ts";
export type { MergeRequestSubject } from "./subjects.store.ts";

/** What happened to a merge request, as its event says. */
export type SubjectChange =
  | "opened"
  | "edited"
  | "closed"
  | "reopened"
  | "merged"
  | "synchronized"
  | "queued"
  | "dequeued";

export interface MergeRequestRuns {
  /**
   * In the transaction of the change: asks for runs where it was opened or reopened, has new commits or another target branch, and cancels
   * those of one that was closed. What a job brought starts none: otherwise one that commits would start itself again, without end.
   */
  follow(
    tx: Transaction,
    subject: store.MergeRequestSubject,
    change: store.SubjectCause & { action: SubjectChange; byJob?: boolean | undefined },
  ): Promise<void>;
  /** Of pushes and merge requests, for this head: of each pipeline file the newest. */
  standingOf(repositoryId: string, head: { number: number; sha: string }): Promise<RunStanding>;
  /** Makes the runs that are due; how many merge requests had some due. Throws when the database does not answer. */
  makeDue(signal: AbortSignal): Promise<number>;
  periodicTasks: readonly PeriodicTask[];
}

const startsRuns: ReadonlySet<SubjectChange> = new Set(["opened", "reopened", "synchronized"]);
const pollMs = 1_000;
/** Doubled with each try: the objects of a fork may take a while to arrive. */
const firstDelaySeconds = 1;
const maxDelaySeconds = 300;

export function createMergeRequestRuns(
  deps: MakeRunsDeps & { db: Database; logger: Logger },
): MergeRequestRuns {
  const { db, logger } = deps;

  const delayed = (subject: store.ClaimedSubject) =>
    store.delaySubject(
      db,
      subject,
      Math.min(maxDelaySeconds, firstDelaySeconds * 2 ** Math.min(subject.tried - 1, 10)),
    );

  async function make(subject: store.ClaimedSubject): Promise<void> {
    if (!subject.is_open || subject.may_run !== true) return store.restSubject(db, subject);
    if ((await makeRunsOf(deps, subject)) === "not_there") await delayed(subject);
  }

  async function makeDue(signal: AbortSignal): Promise<number> {
    let made = 0;
    for (
      let subject = await store.claimSubject(db);
      subject && !signal.aborted;
      subject = await store.claimSubject(db)
    ) {
      try {
        await make(subject);
      } catch (error) {
        const { merge_request_id: id, repository_id: repositoryId } = subject;
        logger.warn(
          { err: error, merge_request_id: id, repository_id: repositoryId },
          "could not make the runs of a merge request; it will be tried again",
        );
        await delayed(subject);
      }
      made += 1;
    }
    return made;
  }

  return {
    async follow(tx, subject, { action, byJob = false, ...cause }) {
      await store.follow(tx, subject, { ...cause, wants: startsRuns.has(action) && !byJob });
      if (action !== "closed") return;
      const { repositoryId, number } = subject;
      for (const run of await store.findOpenRuns(tx, repositoryId, number))
        await cancelBecause(tx, run.id, "mr_closed");
    },
    standingOf: (repositoryId, head) => findStanding(db, repositoryId, head),
    makeDue,
    periodicTasks: [{ name: "make_merge_request_runs", everyMs: pollMs, atStart: true, run: makeDue }],
  };
}
