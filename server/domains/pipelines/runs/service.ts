/** Runs for REST and pushes: creates, reads, cancels, reruns and checks them. The workflow decides what runs next. */
import type { PageQuery } from "@forgeline/schemas/core/pagination.ts";
import type { ApprovalDecision, ApprovalGate, ForkApproval } from "@forgeline/schemas/approvals/resource.ts";
import type { z } from "zod";
import type { Pipeline, PipelineTrigger, RunJob } from "@forgeline/schemas/pipelines/resource.ts";
import type { PipelineLint, PlanResult } from "@forgeline/schemas/pipelines/plan.ts";
import type { PipelineListQuery } from "@forgeline/schemas/pipelines/routes.ts";
import type { Database, Transaction } from "../../../platform/db/database.ts";
import type { Revalidate } from "../../../platform/http/revalidate.ts";
import { zeroId } from "../../../platform/git/refs/names.ts";
import { AppError, invalidField } from "../../../platform/app-error.ts";
import type { Logger } from "../../../platform/logger.ts";
import type { Actor } from "../../../platform/access/actor.ts";
import type { RepositoryRef } from "../../policy/domain.ts";
import type { CheckWanted, PushFollower } from "../../hosting/domain.ts";
import { awaitedApprovals } from "../approvals/awaited-approvals.ts";
import { decideGate } from "../approvals/decide-gate.ts";
import type { GateMails } from "../approvals/gate-mails.ts";
import { readGates, withShortages } from "../approvals/read-gates.ts";
import { decideFork } from "../merge-request-runs/decide-fork.ts";
import type { ForkApprovals } from "../merge-request-runs/fork-approvals.ts";
import { findForkApproval } from "../merge-request-runs/read-fork-approval.ts";
import { cancelIfOpen, cancelRun, rerunRun } from "./change-run.ts";
import { findChecks } from "./checks.ts";
import type { CheckedCommit } from "./checks.store.ts";
import { compileText, type FileDeps } from "../compile/pipeline-files.ts";
import { waitsOfRun } from "./slot-waits.ts";
import { declareLost } from "./declare-lost.ts";
import { presentJobs, presentRelatives, presentRun, presentSummary, type View } from "./present.ts";
import { seenRelatives } from "./relatives.ts";
import type { ChildMetrics } from "./metrics.ts";
import { planRun, type PlanDeps, type PlanRequest } from "./plan-run.ts";
import { createPipelinePushFollower } from "./push-follower.ts";
import { queueReasons } from "./queue-reasons.ts";
import {
  findRunVersion,
  hasPassed,
  listRuns,
  listTransitions,
  openRuns,
  readRun,
  type RunVersion,
} from "./runs.store.ts";
import { trigger } from "./trigger.ts";
import { runAddress } from "./run-address.ts";

export interface PipelineServiceDeps extends FileDeps, PlanDeps {
  db: Database;
  addresses: { baseUrl: string; webUrl: string };
  logger: Logger;
  childMetrics: ChildMetrics;
  mail: GateMails["mail"];
  forkApprovals: Pick<ForkApprovals, "ended">;
}

export type PipelineService = ReturnType<typeof createPipelineService>;

export function createPipelineService(deps: PipelineServiceDeps) {
  const { db, addresses } = deps;
  const view = (): View => ({ ...addresses, nowMs: Date.now() });

  /** Throws `not_found`. */
  async function find(repository: RepositoryRef, idOrNumber: string): Promise<RunVersion> {
    const found = await findRunVersion(db, repository.id, idOrNumber);
    if (!found) throw new AppError("not_found");
    return found;
  }

  async function read(pipelineId: string, jobId?: string) {
    const row = await readRun(db, pipelineId, jobId);
    if (!row) throw new AppError("not_found");
    const slots = await waitsOfRun(db, row, { ...addresses, repositoryId: row.repository_id });
    return { row, queued: { attempts: queueReasons(row.queue), slots } };
  }

  async function show(pipelineId: string, viewer?: Actor): Promise<Pipeline> {
    const { row, queued } = await read(pipelineId);
    const approvals = row.has_gates ? await readGates(db, pipelineId, viewer) : [];
    const fork =
      row.source === "merge_request" ? await findForkApproval(db, pipelineId, viewer?.userId ?? null) : null;
    const relatives = await seenRelatives(deps, row, viewer);
    const run = presentRun(row, queued, view());
    const stages = withShortages(run.stages, approvals);
    return { ...run, stages, approvals, fork_approval: fork, ...presentRelatives(relatives, addresses) };
  }
  async function showJob(pipelineId: string, jobId: string): Promise<RunJob> {
    const { row, queued } = await read(pipelineId, jobId);
    const [job] = presentJobs(row, queued, view());
    if (!job) throw new AppError("not_found");
    return job;
  }
  const nameOf = (repository: RepositoryRef, run: Pick<RunVersion, "number">) =>
    `${repository.owner}/${repository.name}#${run.number}`;

  async function findChanged(repository: RepositoryRef, idOrNumber: string, revalidate: Revalidate) {
    const run = await find(repository, idOrNumber);
    revalidate(versionOf(run));
    return run;
  }

  return {
    /** Throws `not_found`. */
    show,
    pushFollower: (): PushFollower => createPipelinePushFollower({ ...deps, webUrl: addresses.webUrl }),
    /** The event is `manual` from our web interface, and `api` from other clients. */
    async trigger(actor: Actor, repository: RepositoryRef, body: PipelineTrigger): Promise<Pipeline> {
      const name = actor.sessionId === null ? "api" : "manual";
      const id = await trigger(deps, actor, { repository, request: { ...body, name } });
      deps.logger.info({ pipeline_id: id, request_id: actor.request?.id }, "pipeline triggered");
      return show(id, actor);
    },
    async list(repository: RepositoryRef, query: PipelineListQuery) {
      const { rows, total } = await listRuns(db, repository.id, query);
      return { items: rows.map((row) => presentSummary(row, view())), total };
    },
    /** Whether a run of this very commit has succeeded in the repository, or one on the merged result of the merge request. */
    hasPassed: (commit: CheckedCommit) => hasPassed(db, commit),
    /** What became of each for the commit, in their order. */
    checks: (commit: CheckedCommit, wanted: readonly CheckWanted[]) => findChecks(db, commit, wanted),
    /** By id or number. Throws `not_found`; so do the following. */
    async get(
      actor: Actor,
      repository: RepositoryRef,
      { id, revalidate }: { id: string; revalidate: Revalidate },
    ): Promise<Pipeline> {
      const run = await findChanged(repository, id, revalidate);
      return show(run.id, actor);
    },
    async jobs(repository: RepositoryRef, idOrNumber: string, revalidate: Revalidate): Promise<RunJob[]> {
      const run = await findChanged(repository, idOrNumber, revalidate);
      const { row, queued } = await read(run.id);
      return presentJobs(row, queued, view());
    },
    /** With all its outputs and warnings. */
    async job(
      repository: RepositoryRef,
      wanted: { pipeline: string; job: string },
      revalidate: Revalidate,
    ): Promise<RunJob> {
      const run = await findChanged(repository, wanted.pipeline, revalidate);
      return showJob(run.id, wanted.job);
    },
    async events(repository: RepositoryRef, idOrNumber: string, page: { page: number; per_page: number }) {
      const run = await find(repository, idOrNumber);
      const { rows, total } = await listTransitions(db, run.id, page);
      return { items: rows.map((row) => ({ ...row, at: row.at.toISOString() })), total };
    },
    async cancel(
      actor: Actor,
      repository: RepositoryRef,
      { id, force }: { id: string; force: boolean },
    ): Promise<Pipeline> {
      const run = await find(repository, id);
      const { forkApprovals } = deps;
      const name = nameOf(repository, run);
      await cancelRun(db, actor, { pipelineId: run.id, name, force, forkApprovals });
      return show(run.id, actor);
    },
    /** Every open run. */
    async cancelAll(tx: Transaction, actor: Actor, repository: RepositoryRef): Promise<void> {
      for (const run of await openRuns(tx, repository.id))
        await cancelIfOpen(tx, actor, { pipelineId: run.id, name: nameOf(repository, run), force: false });
    },
    /** Of all repositories. */
    awaitedApprovals: (actor: Actor, query: PageQuery) => awaitedApprovals(deps, actor, query),
    /** At the gate of a stage or job; without one, about the commit of a fork. */
    async decide(
      actor: Actor,
      repository: RepositoryRef,
      { id, decision }: { id: string; decision: ApprovalDecision },
    ): Promise<ApprovalGate | ForkApproval> {
      const run = await find(repository, id);
      const { owner, name } = repository;
      const ofRun = { pipelineId: run.id, name: nameOf(repository, run), decision };
      if (decision.job === undefined && decision.stage === undefined)
        return decideFork(db, actor, {
          ...ofRun,
          forkApprovals: deps.forkApprovals,
          repository: { id: repository.id, name: `${owner}/${name}` },
        });
      const webUrl = runAddress(addresses.webUrl, `${owner}/${name}`, run.number);
      return decideGate(deps, actor, { ...ofRun, webUrl });
    },
    /** The job is one of the run whose runner is silent. Throws `conflict` otherwise. */
    async declareLost(
      actor: Actor,
      repository: RepositoryRef,
      wanted: { pipeline: string; job: string },
    ): Promise<RunJob> {
      const run = await find(repository, wanted.pipeline);
      const name = nameOf(repository, run);
      await declareLost(db, actor, { pipelineId: run.id, jobId: wanted.job, name });
      return showJob(run.id, wanted.job);
    },
    async rerun(
      actor: Actor,
      repository: RepositoryRef,
      { id, from, debug }: { id: string; from: string; debug: boolean },
    ): Promise<Pipeline> {
      const run = await find(repository, id);
      await rerunRun(db, actor, { pipelineId: run.id, name: nameOf(repository, run), from, debug });
      return show(run.id, actor);
    },
    /** Throws `validation_failed` that names `ref`. */
    lint: (actor: Actor, repository: RepositoryRef, request: z.infer<typeof PipelineLint>) =>
      lintText(deps, { actor, repository, request }),
    /** Throws `validation_failed`; that required inputs are missing is part of the answer. */
    plan: (actor: Actor, repository: RepositoryRef, wanted: PlanRequest): Promise<PlanResult> =>
      planRun(deps, { actor, repository, wanted }),
  };
}

async function lintText(
  deps: PipelineServiceDeps,
  asked: { actor: Actor; repository: RepositoryRef; request: z.infer<typeof PipelineLint> },
) {
  const { id: repositoryId, defaultBranch } = asked.repository;
  const { content, file = ".forgeline.yml", ref } = asked.request;
  const tip = await deps.files.resolveRef(repositoryId, ref ?? `refs/heads/${defaultBranch}`);
  if (!tip && ref !== undefined)
    throw invalidField("ref", "unknown", `No branch, tag or commit is named ${ref}.`);
  const from = { repositoryId, sha: tip?.sha ?? zeroId, reader: asked.actor };
  const { plan, diagnostics } = await compileText(deps, { file, text: content }, from);
  return { valid: plan !== null, diagnostics };
}

/** While a run is open its durations and the reasons of what is queued change with time. */
function versionOf(run: RunVersion): string {
  return run.open ? `${run.id}:${run.version}:${Math.floor(Date.now() / 1000)}` : `${run.id}:${run.version}`;
}
