/**
 * Runs of merge requests. What collaboration does to one is followed in the transaction of the change; runs are made in the background,
 * since they take Git (`make-runs.ts`). So nothing is lost when a server dies between the two.
 */
import type { Database, Queryable, Transaction } from "../../../platform/db/database.ts";
import type { Logger } from "../../../platform/logger.ts";
import type { PeriodicTask } from "../../../platform/periodic-tasks.ts";
import { cancelBecause } from "../runs/change-run.ts";
import type { Actor } from "../../../platform/access/actor.ts";
import type { RepositoryRef } from "../../policy/domain.ts";
import { runAgain } from "./run-again.ts";
import { makeRunsOf, type MakeRunsDeps } from "./make-runs.ts";
import { createResultSweep } from "./merged-results.ts";
import { findStanding, type RunStanding } from "./standing.store.ts";
import * as store from "./subjects.store.ts";
import { happenedIn, stillWanted, type SubjectChange } from "./what-happened.ts";

export type { RunStanding } from "./standing.store.ts";
export type { MergeRequestSubject } from "./subjects.store.ts";

export type { SubjectChange } from "./what-happened.ts";

export interface MergeRequestRuns {
  /**
   * In the transaction of the change: asks for runs where something happened that a file can name, and cancels those of one that was
   * closed.
   */
  follow(
    tx: Transaction,
    subject: store.MergeRequestSubject,
    change: store.SubjectCause & { action: SubjectChange; byJob?: boolean | undefined },
  ): Promise<void>;
  /** Its branches can be merged: makes the runs that were left out because they conflicted. */
  noteMergeable(db: Queryable, mergeRequestId: string): Promise<void>;
  /** Asks for the runs of one on what its target branch would become now (`run-again.ts`). */
  runAgain(actor: Actor, repository: RepositoryRef, number: number): Promise<void>;
  /** Of pushes and merge requests, for this head: of each pipeline file the newest. */
  standingOf(repositoryId: string, head: { number: number; sha: string }): Promise<RunStanding>;
  /** Makes the runs that are due; how many merge requests had some due. Throws when the database does not answer. */
  makeDue(signal: AbortSignal): Promise<number>;
  periodicTasks: readonly PeriodicTask[];
}

const pollMs = 1_000;
/** Doubled with each try: the objects of a fork may take a while to arrive. */
const firstDelaySeconds = 1;
const maxDelaySeconds = 300;
/** About a day: commits that have not arrived by then arrive with another change, which asks again. */
const mostTries = 300;

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
    const types = subject.may_run === true ? stillWanted(subject) : [];
    if (types.length === 0) return store.restSubject(db, subject);
    const made = await makeRunsOf(deps, subject, types);
    if (made === "gone" || (made === "not_there" && subject.tried >= mostTries))
      await store.restSubject(db, subject);
    else if (made === "not_there") await delayed(subject);
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
      const before = await store.findBefore(tx, subject.id);
      const types = happenedIn(before, stateOf(subject), { action, byJob });
      const happened = [...new Set([...(before?.happened ?? []), ...types])];
      await store.follow(tx, subject, { ...cause, wants: types.length > 0, happened });
      if (action !== "closed") return;
      const { repositoryId, number } = subject;
      for (const run of await store.findOpenRuns(tx, repositoryId, number))
        await cancelBecause(tx, run.id, "mr_closed");
    },
    noteMergeable: store.noteMergeable,
    runAgain: (actor, repository, number) => runAgain(db, actor, { repository, number }),
    standingOf: (repositoryId, head) => findStanding(db, repositoryId, head),
    makeDue,
    periodicTasks: [
      { name: "make_merge_request_runs", everyMs: pollMs, atStart: true, run: makeDue },
      createResultSweep(deps),
    ],
  };
}

function stateOf({ isOpen, targetBranch, draft, labels }: store.MergeRequestSubject) {
  return { is_open: isOpen, target_branch: targetBranch, draft, labels };
}
