/** Rules of gates, and people who decide at them. */
import type { PlanApproval } from "@forgeline/schemas/pipeline-file/plan-approval.ts";
import type { ApprovalDecision } from "@forgeline/schemas/approvals/resource.ts";
import type { JobStarted } from "@forgeline/schemas/pipelines/run-activities.ts";
import { decideGate } from "@forgeline/server/domains/pipelines/approvals/decide-gate.ts";
import type { RunService } from "@forgeline/server/domains/pipelines/runs/workflow-service.ts";
import { systemActor, type Actor } from "@forgeline/server/platform/access/actor.ts";
import { newId } from "@forgeline/server/platform/ids.ts";
import { eventually } from "./eventually.ts";
import { noMails } from "./no-mails.ts";
import type { TestRepository } from "./runs.ts";
import type { TextDatabase } from "./text-database.ts";

/** One approval by anyone with Write, for an hour. */
export function approvalRule(rule: Partial<PlanApproval> = {}): PlanApproval {
  const usual = {
    approvers: [],
    count: 1,
    allowSelf: true,
    expiresMs: 3_600_000,
    onExpire: "reject",
    message: null,
  };
  return { ...usual, onExpire: "reject", ...rule };
}

/** A new user; with a level, a collaborator of the repository. */
export async function insertPerson(
  db: TextDatabase,
  repository: TestRepository,
  level: "read" | "write" | null,
): Promise<Actor> {
  const userId = newId("usr");
  const username = `p-${userId.slice(-8)}`;
  await db.query("insert into owners (id, name, kind) values ($1, $2, 'user')", [userId, username]);
  await db.query("insert into users (id, username, email) values ($1, $2, $3)", [
    userId,
    username,
    `${username}@example.org`,
  ]);
  if (level)
    await db.query("insert into collaborators (repository_id, user_id, permission) values ($1, $2, $3)", [
      repository.id,
      userId,
      level,
    ]);
  return { ...systemActor, kind: "user", isAdmin: false, userId, username };
}

/** Once the gate is open. */
export function decideAt(
  db: TextDatabase,
  actor: Actor,
  { pipelineId, ...decision }: ApprovalDecision & { pipelineId: string },
) {
  const request = {
    pipelineId,
    name: "ada/demo#1",
    webUrl: "https://forge.test/ada/demo/pipelines/1",
    decision,
  };
  return eventually(() => decideGate({ db, mail: noMails }, actor, request), {
    intervalMs: 5,
  });
}

/** Sends the jobs of a new run, which has no workflow, to their gates. */
export async function reachGates(runs: RunService, pipelineId: string): Promise<JobStarted[]> {
  return startAll(runs, pipelineId, true);
}

/** Those that pass their gates wait for a runner. */
export async function queueJobs(runs: RunService, pipelineId: string): Promise<JobStarted[]> {
  await startAll(runs, pipelineId, true);
  return startAll(runs, pipelineId, false);
}

async function startAll(runs: RunService, pipelineId: string, ask: boolean): Promise<JobStarted[]> {
  const run = { pipelineId, sequence: 1 };
  const { jobs } = await runs.loadRun(run);
  const met = { outcome: "success", stageOutcome: "success", blocked: null } as const;
  const starts = jobs.map(({ id }) => ({ jobId: id, attempt: 1, retry: false, ask, ...met }));
  return runs.startJobs({ ...run, settled: [], jobs: starts });
}
