/** What a run would be, before there is one: the file of a commit, or a text in its place, for an event that somebody describes. */
import type { GivenInputs } from "@forgeline/compiler/given-inputs.ts";
import { environmentsOf, previewPlan } from "@forgeline/compiler/plan-preview.ts";
import { eventToPlan } from "@forgeline/compiler/triggers.ts";
import { variablesOfPlan } from "@forgeline/compiler/plan-variables.ts";
import type { ServerFacts } from "@forgeline/compiler/preview-start.ts";
import type { PipelineEvent, PipelineEventName } from "@forgeline/schemas/pipeline-file/event.ts";
import type { PlanJob } from "@forgeline/schemas/pipeline-file/plan.ts";
import type { PlanNode, PlanResult } from "@forgeline/schemas/pipelines/plan.ts";
import type { Actor } from "../../../platform/access/actor.ts";
import { invalidField } from "../../../platform/app-error.ts";
import type { RepositoryRef } from "../../policy/domain.ts";
import {
  compileWithoutInputs,
  eventOfRequest,
  type RequestDeps,
  type RequestedRun,
} from "../compile/compile-request.ts";
import { compileText } from "../compile/pipeline-files.ts";
import { resolveInputs } from "../compile/run-inputs.ts";
import { plannedEnvironments } from "../environments/plan-environments.ts";
import { plannedRefusals } from "../secrets/plan-secrets.ts";
import { plannedTriggers } from "./plan-triggers.ts";
import { listRunVariables } from "../variables/run-variables.ts";
import { findUsername } from "./events.store.ts";

export interface PlanRequest {
  content?: string | undefined;
  ref?: string | undefined;
  pipeline?: string | undefined;
  /** Undefined: whatever the file lists, a push above all. */
  event?: PipelineEventName | undefined;
  variables?: Record<string, string> | undefined;
  inputs?: GivenInputs | undefined;
  /** Not both. */
  paths?: string[] | undefined;
  before?: string | undefined;
  /** Of any user: conditions ask for it, and nothing else. */
  actor?: string | undefined;
}

export interface PlanDeps extends RequestDeps {
  maxPriority: number;
}

/** Throws `validation_failed`; that required inputs are missing is part of the answer. */
export async function planRun(
  deps: PlanDeps,
  { actor, repository, wanted }: { actor: Actor; repository: RepositoryRef; wanted: PlanRequest },
): Promise<PlanResult> {
  const { inputs: given = {} } = wanted;
  const { event, compiled } = await compileWanted(deps, repository, { ...wanted, reader: actor });
  const { name } = event;
  const { plan, diagnostics, templates = [] } = compiled;
  const shown = (nodes: PlanNode[]) => ({
    nodes,
    variables: listRunVariables(event, environmentsOf(nodes)),
    templates,
    changed_files: event.changedPaths?.length ?? null,
    diagnostics,
  });
  if (!plan) return { valid: false, event: name, inputs: [], missing_inputs: [], ...shown([]) };
  const { inputs } = plan;
  const { values, missing } = resolveInputs(inputs, given, name);
  const server = await serverFacts(deps, { actor, repositoryId: repository.id, event, jobs: plan.jobs });
  const nodes = previewPlan(plan, compiled.on, { event: { ...event, inputs: values }, server });
  const { variables, ...rest } = shown(nodes);
  return {
    valid: true,
    event: name,
    inputs,
    missing_inputs: missing,
    variables: variablesOfPlan(variables, plan, nodes),
    ...rest,
  };
}

type Wanted = PlanRequest & { reader: Actor };

async function compileWanted(deps: RequestDeps, repository: RepositoryRef, wanted: Wanted) {
  const asPush = await compileFor(deps, repository, { ...wanted, event: wanted.event ?? "push" });
  if (wanted.event !== undefined || changedOf(wanted)) return asPush;
  const event = eventToPlan(asPush.compiled.on, asPush.event.tag);
  return event === "push" ? asPush : compileFor(deps, repository, { ...wanted, event });
}

async function compileFor(
  deps: RequestDeps,
  repository: RepositoryRef,
  { content, pipeline, reader, ...wanted }: Wanted & { event: PipelineEventName },
) {
  const { ref, variables, event: name } = wanted;
  const actor = wanted.actor === undefined ? reader.username : await knownActor(deps, wanted.actor);
  const request: RequestedRun = { name, actor, ref, variables, reader, changed: changedOf(wanted) };
  if (content === undefined) return compileWithoutInputs(deps, repository, { ...request, pipeline });
  const event = await eventOfRequest(deps, repository, request);
  const from = { repositoryId: repository.id, sha: event.sha, reader };
  const file = pipeline ?? ".forgeline.yml";
  return { event, compiled: await compileText(deps, { file, text: content, event }, from) };
}

/** What syncs and schedules cause has a name with a colon, which no user has. */
async function knownActor({ db }: RequestDeps, name: string): Promise<string> {
  const found = name.includes(":") ? name : await findUsername(db, name);
  if (found !== undefined) return found;
  const others = "What a schedule or a sync causes is in the name of schedule:NAME or mirror:sync.";
  throw invalidField("actor", "unknown", `No user is named ${name}. ${others}`);
}

function changedOf({ paths, before }: Pick<PlanRequest, "paths" | "before">): RequestedRun["changed"] {
  if (paths) return { paths };
  return before === undefined ? undefined : { before };
}

/** A job meets its environment before it is given secrets, and those before it starts a pipeline. */
async function serverFacts(
  deps: PlanDeps,
  of: { actor: Actor; repositoryId: string; event: PipelineEvent; jobs: readonly PlanJob[] },
): Promise<ServerFacts> {
  const { db, maxPriority } = deps;
  const [environments, ofSecrets, ofTriggers] = await Promise.all([
    plannedEnvironments(db, of),
    plannedRefusals(db, of),
    plannedTriggers(deps, of),
  ]);
  const refusal: ServerFacts["refusal"] = (job) =>
    environments.refusal(job) ?? ofSecrets(job) ?? ofTriggers(job);
  return { ...environments, maxPriority, refusal };
}
