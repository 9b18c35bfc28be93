/** What expressions see in each place of a file: types of contexts, and why others are not there. */
import type { PipelineEvent } from "@forgeline/schemas/pipeline-file/event.ts";
import type { ExpressionScope } from "./expression/check.ts";
import { booleanType, mapType, numberType, objectType, stringType, type Type } from "./expression/types.ts";
import type { Scope } from "./path-kinds.ts";
import { hasExpression } from "./template.ts";

export interface NeededJob {
  /** Names as declared; null where they are not known. */
  outputs: readonly string[] | null;
  /** With a matrix, each output is a list: one text for each combination. */
  hasMatrix: boolean;
}

/** A step with `uses` and an id. */
export interface UsedTemplate {
  id: string;
  /** null where they are not known. */
  outputs: readonly string[] | null;
}

/** The part of a job that an expression stands in. */
export interface ExpressionContext {
  scope: Scope;
  /** What the file declares as inputs. */
  inputs: Type;
  /** Jobs directly needed, by key. */
  needs: ReadonlyMap<string, NeededJob>;
  /** null for a job without a matrix. */
  matrix: { names: readonly string[] | null } | null;
  /** Of the job, as it is written; null: it deploys nowhere. */
  environment: string | null;
  /** Ids of the steps that an expression may read. */
  steps: readonly string[];
  /** Those of them that are templates. */
  templates: readonly UsedTemplate[];
  /** Ids of the steps that run at the same time. */
  beside: readonly string[];
}

/** `event` tells which variables there are; without it any are taken. */
export function expressionScope(context: ExpressionContext, event: PipelineEvent | null): ExpressionScope {
  const names = new Map<string, Type>(Object.entries(runNames(context, event)));
  const elsewhere = new Map<string, string>([["secrets", "is never available in expressions"]]);
  addMatrix(context, { names, elsewhere });
  if (context.scope === "run" || context.scope === "name")
    elsewhere.set("needs", "is only available in jobs: image, env, services, when, steps, outputs");
  else names.set("needs", needsType(context.needs));
  if (context.scope === "step" || context.scope === "outputs") names.set("steps", stepsType(context));
  else elsewhere.set("steps", "is only available in steps and in job outputs");
  return { names, elsewhere, readsFiles: context.scope === "cache" };
}

function addMatrix(
  { scope, matrix }: ExpressionContext,
  { names, elsewhere }: { names: Map<string, Type>; elsewhere: Map<string, string> },
): void {
  if (matrix === null || scope === "run" || scope === "matrix") {
    const why =
      scope === "matrix"
        ? "is not available in the matrix itself"
        : "is only available in jobs with a matrix";
    elsewhere.set("matrix", why);
    return;
  }
  const members = matrix.names?.map((name) => [name, stringType] as const);
  names.set(
    "matrix",
    members ? objectType("the matrix of this job", Object.fromEntries(members)) : mapType(stringType),
  );
}

/** Those that only an environment sets are known where the job is about to start. */
function variableNames({ scope, environment }: ExpressionContext, event: PipelineEvent): string[] {
  const names = Object.keys(event.variables);
  if (environment === null || scope === "run" || scope === "name" || scope === "matrix") return names;
  const all = event.environmentVariables ?? {};
  const own = hasExpression(environment) ? Object.values(all) : [all[environment.trim().toLowerCase()] ?? {}];
  return [...new Set([...names, ...own.flatMap((variables) => Object.keys(variables))])];
}

/** Empty for other events. */
const mergeRequestType = objectType("mr", {
  number: numberType,
  title: stringType,
  author: stringType,
  source_branch: stringType,
  target_branch: stringType,
  head_sha: stringType,
  base_sha: stringType,
  target_sha: stringType,
  merge_sha: stringType,
  draft: booleanType,
  labels: { kind: "list", item: stringType },
  fork: booleanType,
});

function runNames(context: ExpressionContext, event: PipelineEvent | null): Record<string, Type> {
  return {
    event: stringType,
    repo: objectType("repo", {
      owner: stringType,
      name: stringType,
      full_name: stringType,
      default_branch: stringType,
    }),
    branch: stringType,
    tag: stringType,
    mr: mergeRequestType,
    sha: stringType,
    actor: stringType,
    inputs: context.inputs,
    vars: mapType(stringType, event && { label: "vars of this run", names: variableNames(context, event) }),
    pipeline: objectType("pipeline", {
      id: stringType,
      number: numberType,
      name: stringType,
      url: stringType,
    }),
  };
}

function needsType(needs: ExpressionContext["needs"]): Type {
  const jobs: Record<string, Type> = {};
  for (const [job, { outputs, hasMatrix }] of needs) {
    const type: Type = hasMatrix ? { kind: "list", item: stringType } : stringType;
    jobs[job] = objectType(`needs.${job}`, {
      result: stringType,
      outputs: namedType(`needs.${job}.outputs`, outputs, type),
    });
  }
  return objectType('"needs" of this job', jobs);
}

/** null: whatever is read of it. */
function namedType(label: string, names: readonly string[] | null, type: Type): Type {
  if (names === null) return mapType(type);
  return objectType(label, Object.fromEntries(names.map((name) => [name, type])));
}

function stepsType({ steps: ids, templates, beside }: ExpressionContext): Type {
  const step = (id: string): Type =>
    objectType(`steps.${id}`, { result: stringType, outputs: mapType(stringType) });
  const ofTemplate = ({ id, outputs }: UsedTemplate): [string, Type] => {
    const members = { outputs: namedType(`steps.${id}.outputs`, outputs, stringType) };
    return [id, objectType(`steps.${id}, which is a template`, members)];
  };
  const members = Object.fromEntries([
    ...ids.map((id): [string, Type] => [id, step(id)]),
    ...templates.map(ofTemplate),
  ]);
  const absent = beside.map((id): [string, string] => [
    id,
    `step "${id}" is in the same "parallel": its result is only known after all of them have ended`,
  ]);
  return objectType("the list of earlier steps", members, new Map(absent));
}
