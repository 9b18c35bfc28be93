/** Writes a new run: its row, stages, jobs and history in one statement; and the intent that starts its workflow. */
import { eventAt } from "@forgeline/compiler/environment-variables.ts";
import { combinationName } from "@forgeline/compiler/matrix.ts";
import { matchTriggers } from "@forgeline/compiler/triggers.ts";
import type { Diagnostic } from "@forgeline/schemas/pipeline-file/diagnostic.ts";
import type { PipelineEvent } from "@forgeline/schemas/pipeline-file/event.ts";
import type { Plan } from "@forgeline/schemas/pipeline-file/plan.ts";
import type { RunTemplate } from "@forgeline/schemas/pipelines/template.ts";
import type { Status } from "@forgeline/schemas/pipelines/status.ts";
import type { Transaction } from "../../../platform/db/database.ts";
import { newId } from "../../../platform/ids.ts";
import { expectSlotsOf } from "../concurrency/take-slots.ts";
import type { CompiledFile } from "../compile/pipeline-files.ts";
import { insertRun } from "./create-run.store.ts";
import { foresee } from "./foresee.ts";
import { reasonSentence } from "./reasons.ts";
import { recordRunEvents } from "./run-events.ts";
import type { SourceTrust } from "./source-trust.ts";
import { addRunIntent } from "./run-intents.ts";

export interface NewRun {
  repositoryId: string;
  /** Identifies the event that creates it: the same event creates no second run. null if each request is its own event. */
  origin: string | null;
  file: string;
  name: string;
  source: PipelineEvent["name"];
  event: PipelineEvent;
  configText: string | null;
  diagnostics: readonly Diagnostic[];
  /** A user; null if none did. */
  triggeredBy: string | null;
  /** Absent: none. */
  templates?: readonly RunTemplate[];
  scheduleId?: string;
  /** Of a run that a job of another one starts. */
  parent?: RunParent;
  /** With whose rights its jobs start other pipelines; absent: with nobody's, so only in this repository. */
  starts?: RunStarts;
  /** It does not start before somebody approves its commit. Absent: it does. */
  needsApproval?: boolean;
  /** A plan is executed; the other kinds record why there is none. */
  content:
    | { kind: "plan"; plan: Plan }
    | { kind: "broken"; message: string }
    | { kind: "skipped"; reason: string };
}

/** The job that starts a run, and the first of all the runs that started each other. */
export interface RunParent {
  id: string;
  sequence: number;
  jobId: string;
  attemptId: string;
  rootId: string;
  /** Of the new run: 1 below a run that nobody started from another one. */
  depth: number;
  trust: SourceTrust;
}

export interface RunStarts {
  userId: string | null;
  /** Also in other repositories. */
  elsewhere: boolean;
}

/** What a compiled file becomes for an event. */
export function newRunOf(
  file: CompiledFile,
  event: PipelineEvent,
  of: Pick<NewRun, "repositoryId" | "triggeredBy">,
): Omit<NewRun, "origin"> {
  return {
    ...of,
    file: file.file,
    name: file.plan?.name ?? "",
    source: event.name,
    event,
    configText: file.text,
    diagnostics: file.diagnostics,
    templates: file.templates ?? [],
    content: contentOf(file, event),
  };
}

function contentOf(file: CompiledFile, event: PipelineEvent): NewRun["content"] {
  if (!file.plan) return { kind: "broken", message: file.problem };
  const decision = matchTriggers(file.on, event);
  return decision.run ? { kind: "plan", plan: file.plan } : { kind: "skipped", reason: "skip_ci" };
}

export interface CreatedRun {
  id: string;
  number: number;
}

/** Why a run waits whose commit nobody has approved. */
export const awaitsFork = "fork";

function startOf({ content, needsApproval }: NewRun): { status: Status; reason: string | null } {
  if (content.kind === "broken") return { status: "error", reason: "config" };
  if (content.kind === "skipped") return { status: "skipped", reason: content.reason };
  return needsApproval
    ? { status: "awaiting_approval", reason: awaitsFork }
    : { status: "created", reason: null };
}

/** undefined if there is already a run of this origin. */
export async function createRun(tx: Transaction, run: NewRun): Promise<CreatedRun | undefined> {
  const id = newId("pipe");
  const { content } = run;
  const { status, reason } = startOf(run);
  const message = content.kind === "broken" ? content.message : reasonSentence(reason);
  const { stages, jobs } = content.kind === "plan" ? partsOf(content.plan) : { stages: [], jobs: [] };
  const kept = { ...run, event: eventToKeep(run) };
  const foreseen = await foresee(tx, run);
  const created = await insertRun(tx, { id, run: kept, status, reason, message, stages, jobs, foreseen });
  if (!created) return undefined;
  // Whoever waits for people keeps no place before others, and has no workflow.
  if (content.kind === "plan" && status === "created") {
    const plan = { plan: content.plan, event: run.event, number: created.number };
    const known = jobs.filter(({ expanded }) => expanded);
    await expectSlotsOf(tx, run.repositoryId, { pipelineId: id, plan, stages, jobs: known, approved: [] });
    await addRunIntent(tx, run.repositoryId, { kind: "start_pipeline", pipelineId: id, sequence: 1 });
  }
  await recordRunEvents(tx, id, content.kind === "plan" ? ["created"] : ["created", "finished"]);
  await tx.notify("run", id);
  return created;
}

/** Variables of environments are of no use to a run that deploys nowhere. */
function eventToKeep({ event, content }: NewRun): PipelineEvent {
  const deploys = content.kind === "plan" && content.plan.jobs.some(({ environment }) => environment);
  return deploys ? event : eventAt(event, null);
}

function partsOf(plan: Plan) {
  const stages = plan.stages.map((stage, position) => ({
    id: newId("stg"),
    position,
    name: stage.name,
    title: stage.title,
  }));
  const stageIds = new Map(stages.map((stage) => [stage.name, stage.id]));
  const jobs = plan.jobs.flatMap((job, position) => {
    const own = { stage_id: stageIds.get(job.stage), position, key: job.key };
    const combinations = job.matrix?.combinations ?? [null];
    return combinations.map((matrix, combination) => ({
      ...own,
      id: newId("job"),
      name: combinationName(job.name, matrix),
      matrix,
      combination,
      expanded: job.matrix === null || matrix !== null,
    }));
  });
  return { stages, jobs };
}
