/** Keeping containers of jobs for a shell when they fail: asked for, ended, and reported by the runner. */
import type { JobKeepOpen, KeptJob } from "@forgeline/schemas/shells/resource.ts";
import type { Actor } from "../../../platform/access/actor.ts";
import { AppError, invalidField } from "../../../platform/app-error.ts";
import type { Database, Transaction } from "../../../platform/db/database.ts";
import { recordAudit } from "../../operation/domain.ts";
import type { RepositoryRef } from "../../policy/domain.ts";
import type { LeaseName } from "../leases/leases.ts";
import { refusalOfJob, sharersOf } from "../shells/may-open.ts";
import { findKeepable, noteKept, setKeepOpen, type KeepableJob } from "./keep-open.store.ts";
import { raiseVersion } from "./run-record.store.ts";
import { findRunVersion } from "./runs.store.ts";

interface Run {
  pipelineId: string;
  /** For the audit log. */
  name: string;
}

export type JobKeeping = ReturnType<typeof createJobKeeping>;

/** For people; runs by id or number. Everything throws `not_found` for a run that is not of the repository. */
export function createJobKeeping(db: Database) {
  async function find(repository: RepositoryRef, idOrNumber: string): Promise<Run> {
    const run = await findRunVersion(db, repository.id, idOrNumber);
    if (!run) throw new AppError("not_found");
    return { pipelineId: run.id, name: `${repository.owner}/${repository.name}#${run.number}` };
  }
  return {
    /** Throws `validation_failed` for jobs of other runs, and `conflict` where none of the jobs may be kept open. */
    async keep(
      actor: Actor,
      repository: RepositoryRef,
      { id, jobs }: { id: string } & JobKeepOpen,
    ): Promise<KeptJob[]> {
      const run = await find(repository, id);
      return db.transaction((tx) => keepJobsOpen(tx, actor, { ...run, jobs }));
    },
    /** Jobs that are kept open end. Does nothing for jobs that are not to be kept. Throws `not_found` for a job of another run. */
    async end(
      actor: Actor,
      repository: RepositoryRef,
      { id, job }: { id: string; job: string | undefined },
    ): Promise<void> {
      const run = await find(repository, id);
      await db.transaction((tx) => endKeptJobs(tx, actor, { ...run, job }));
    },
  };
}

async function keepJobsOpen(
  tx: Transaction,
  actor: Actor,
  { jobs, ...run }: Run & JobKeepOpen,
): Promise<KeptJob[]> {
  const all = await findKeepable(tx, run.pipelineId);
  const wanted = jobs ? jobs.map((id, at) => jobOf(all, id, at)) : all;
  const judged = wanted.map((job) => ({
    job,
    refused: refusalOfJob({ ...job, sharers: sharersOf(job.job, all) }),
  }));
  const kept = judged.filter(({ refused }) => refused === null).map(({ job }) => job);
  if (kept.length === 0)
    throw new AppError("conflict", { message: judged[0]?.refused ?? "The run has no jobs." });
  await change(tx, actor, { ...run, jobs: kept, keepOpen: true });
  return judged.map(({ job: { id, key, name, matrix, finishedAt }, refused }) => ({
    id,
    key,
    name,
    matrix,
    finished_at: finishedAt?.toISOString() ?? null,
    keep_open: refused === null,
    refused,
  }));
}

async function endKeptJobs(
  tx: Transaction,
  actor: Actor,
  { job, ...run }: Run & { job: string | undefined },
): Promise<void> {
  const all = await findKeepable(tx, run.pipelineId);
  const wanted = all.filter(({ id }) => job === undefined || id === job);
  if (job !== undefined && wanted.length === 0) throw new AppError("not_found");
  const jobs = wanted.filter(({ keep_open: keepOpen }) => keepOpen);
  if (jobs.length > 0) await change(tx, actor, { ...run, jobs, keepOpen: false });
}

/** The runner has kept the container after a failure, for so long at most. False: the lease is stale. */
export function reportKept(db: Database, report: LeaseName & { forMs: number }): Promise<boolean> {
  return db.transaction(async (tx) => {
    const pipelineId = await noteKept(tx, report);
    if (pipelineId === undefined) return false;
    await raiseVersion(tx, pipelineId);
    await tx.notify("run", pipelineId);
    return true;
  });
}

function jobOf(all: readonly KeepableJob[], id: string, at: number): KeepableJob {
  const job = all.find((candidate) => candidate.id === id);
  if (!job) throw invalidField(`jobs.${at}`, "unknown", "The run has no such job.");
  return job;
}

async function change(
  tx: Transaction,
  actor: Actor,
  { pipelineId, name, jobs, keepOpen }: Run & { jobs: readonly KeepableJob[]; keepOpen: boolean },
): Promise<void> {
  const ids = jobs.map(({ id }) => id);
  for (const attemptId of await setKeepOpen(tx, pipelineId, { jobs: ids, keepOpen }))
    await tx.notify("attempt", attemptId);
  await raiseVersion(tx, pipelineId);
  await tx.notify("run", pipelineId);
  await recordAudit(tx, actor, {
    action: "pipeline.keep_open",
    target: { type: "pipeline", id: pipelineId, name },
    details: { jobs: jobs.map(({ key }) => key).slice(0, 50), keep: keepOpen },
  });
}
