/** Background work for administrators: read from Temporal, with the names of what it is about from the database. */
import type {
  Work,
  WorkDetail,
  WorkKind,
  WorkOverview,
  WorkPage,
} from "@forgeline/schemas/background-work/resource.ts";
import { isFinal, Status } from "@forgeline/schemas/pipelines/status.ts";
import type { ListWorkQuery } from "@forgeline/schemas/background-work/routes.ts";
import type { IdPrefix } from "@forgeline/schemas/core/ids.ts";
import { maxPerPage } from "@forgeline/schemas/core/pagination.ts";
import type { Database } from "../../../platform/db/database.ts";
import { AppError } from "../../../platform/app-error.ts";
import type { Described, Execution, Executions } from "./executions.ts";
import { subjectOfWorkflow } from "./kinds.ts";
import { mayBeTriedNow } from "./pending-steps.ts";
import { presentWork, type Shown } from "./present.ts";
import { countHandover, findSubjects, type SubjectRow } from "./subject.store.ts";
import type { WorkQueues } from "./queues.ts";

export interface WorkService {
  /** Throws `bad_request` for a cursor that is not ours. */
  list(query: ListWorkQuery): Promise<WorkPage>;
  /** The newest with this id, unless `execution` names one. Throws `not_found`. */
  get(id: string, execution?: string): Promise<WorkDetail>;
  /** With what an action on it needs. */
  look(id: string, execution?: string): Promise<FoundWork>;
  overview(): Promise<WorkOverview>;
}

export interface FoundWork {
  work: Described;
  subject: SubjectRow | null;
  /** Whether the run that this work decides is open, and this work's to decide. */
  isOfOpenRun: boolean;
  detail: WorkDetail;
}

export interface WorkServiceDeps {
  db: Database;
  executions: Executions;
  queues: WorkQueues;
  addresses: { baseUrl: string; webUrl: string };
}

/** Number of workflows about which Temporal is queried at once. */
const lanes = 10;

export function createWorkService({ db, executions, queues, addresses }: WorkServiceDeps): WorkService {
  async function showAll(
    shown: readonly Shown[],
  ): Promise<{ works: Work[]; subjects: Map<string, SubjectRow> }> {
    const ids = shown.flatMap(({ subjectId, steps }) => [
      ...(subjectId === null ? [] : [subjectId]),
      ...steps.flatMap(({ repositoryId }) => repositoryId ?? []),
    ]);
    const ofKind = (prefix: IdPrefix) => ids.filter((id) => id.startsWith(`${prefix}_`));
    const subjects = await findSubjects(db, {
      pipelines: ofKind("pipe"),
      repositories: ofKind("repo"),
      webhooks: ofKind("hook"),
      auditLogs: [...ofKind("exp"), ...ofKind("strm")],
    });
    return { works: shown.map((one) => presentWork(one, { ...addresses, subjects })), subjects };
  }

  /** Work that has succeeded waits for nothing, and whether it was repeated does not matter. */
  async function detailed(execution: Execution): Promise<Shown> {
    const shown = { ...execution, subjectId: subjectIdOf(execution), superseded: false, steps: [] };
    if (execution.state === "completed") return shown;
    const latest = await executions.find(execution.id);
    if (!latest) return shown;
    const isLatest = latest.execution === execution.execution;
    return { ...shown, superseded: !isLatest, steps: isLatest ? latest.steps : [] };
  }

  async function look(id: string, execution?: string): Promise<FoundWork> {
    const work = await executions.describe(id, execution);
    const latest = execution === undefined ? work : ((await executions.find(id)) ?? work);
    const superseded = latest.execution !== work.execution;
    const subjectId = subjectIdOf(work);
    const [shown, failure] = await Promise.all([
      showAll([{ ...work, steps: await explained(work), superseded, subjectId }]),
      work.state === "running" || work.state === "completed" ? [] : executions.failureOf(work),
    ]);
    const subject = (subjectId && shown.subjects.get(subjectId)) || null;
    const [one] = shown.works;
    if (!one) throw new AppError("not_found");
    const isOfOpenRun = !superseded && decidesOpenRun(work, subject);
    const may = superseded ? nothing : mayOf(work, isOfOpenRun);
    return { work, subject, isOfOpenRun, detail: { ...one, failure, ...may } };
  }

  /** With what the last decision failed with, where it is tried again. */
  async function explained(work: Described): Promise<Described["steps"]> {
    const isStuck = work.steps.some(({ name, attempt }) => name === "decision" && attempt > 1);
    if (!isStuck) return work.steps;
    const failure = await executions.decisionFailureOf(work);
    return work.steps.map((step) => (step.name === "decision" ? { ...step, failure } : step));
  }

  return {
    look,
    async list({ kind, state, cursor, per_page }) {
      const limit = Math.min(per_page, maxPerPage);
      const page = await executions.list({ kind, state, cursor, limit });
      const { works } = await showAll(await inLanes(page.executions, detailed));
      return { work: works, next_cursor: page.next };
    },
    get: async (id, execution) => (await look(id, execution)).detail,
    async overview() {
      const [queue, counts, handover] = await Promise.all([
        queues.read(),
        executions.counts(),
        countHandover(db),
      ]);
      return { ...queue, handover, counts };
    },
  };
}

function subjectIdOf({ kind, id }: Execution): string | null {
  const about = subjectOfWorkflow(kind, id);
  if (about === null) return null;
  if (about.type === "run") return about.pipelineId;
  if (about.type === "audit_log") return about.id;
  return about.type === "webhook" ? about.webhookId : about.repositoryId;
}

function decidesOpenRun(work: Execution, subject: SubjectRow | null): boolean {
  const about = subjectOfWorkflow(work.kind, work.id);
  if (about?.type !== "run" || !subject?.status) return false;
  return subject.sequence === about.sequence && !isFinal(Status.parse(subject.status));
}

type May = Pick<WorkDetail, "may_cancel" | "may_end" | "may_retry">;

const nothing: May = { may_cancel: false, may_end: false, may_retry: null };

function mayOf(work: Described, isOfOpenRun: boolean): May {
  const isRunning = work.state === "running";
  return {
    may_cancel: isRunning && (isOfOpenRun || work.kind !== "pipeline_run"),
    may_end: isRunning || isOfOpenRun,
    may_retry: isRunning ? retryNow(work) : againOf(work, isOfOpenRun),
  };
}

function retryNow({ steps }: Described): "now" | null {
  return steps.some(mayBeTriedNow) ? "now" : null;
}

/** When work that ended without success can begin again; `while_open`: as long as the run that it decides is open. */
const beginsAgain: Record<WorkKind, "always" | "while_open" | "never"> = {
  pipeline_run: "while_open",
  repository_upkeep: "always",
  repository_statistics: "always",
  event_follower: "always",
  webhook_retries: "always",
  key_rotation: "always",
  upkeep_task: "always",
  mirror_sync: "always",
  push_mirror_sync: "always",
  fork_sync: "always",
  repository_import: "never",
  audit_export: "never",
  audit_stream: "always",
  other: "never",
};

function againOf({ state, kind }: Described, isOpen: boolean): "again" | null {
  if (state === "completed") return null;
  const when = beginsAgain[kind];
  return when === "always" || (when === "while_open" && isOpen) ? "again" : null;
}

async function inLanes<In, Out>(items: readonly In[], work: (item: In) => Promise<Out>): Promise<Out[]> {
  const results: Out[] = [];
  for (let at = 0; at < items.length; at += lanes)
    results.push(...(await Promise.all(items.slice(at, at + lanes).map(work))));
  return results;
}
