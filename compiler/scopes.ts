/** What expressions see in each place of a file: types of contexts, and why others are not there. */
import type { PipelineEvent } from "@forgeline/schemas/pipeline-file/event.ts";
import type { ExpressionScope } from "./expression/check.ts";
import { mapType, numberType, objectType, stringType, type Type } from "./expression/types.ts";
import type { Scope } from "./path-kinds.ts";

/** The part of a job that an expression stands in. */
export interface ExpressionContext {
  scope: Scope;
  /** What the file declares as inputs. */
  inputs: Type;
  /** Jobs directly needed, each with its declared outputs. */
  needs: ReadonlyMap<string, readonly string[]>;
  /** Ids of the steps that an expression may read. */
  steps: readonly string[];
}

/** `event` tells which variables there are; without it any are taken. */
export function expressionScope(context: ExpressionContext, event: PipelineEvent | null): ExpressionScope {
  const names = new Map<string, Type>(Object.entries(runNames(context.inputs, event)));
  const elsewhere = new Map<string, string>([
    ["mr", "is not available yet: merge requests do not start runs yet"],
    ["matrix", "is not available yet: matrix jobs are not supported yet"],
    ["secrets", "is never available in expressions"],
  ]);
  if (context.scope === "run")
    elsewhere.set("needs", "is only available in jobs: image, env, services, when, steps, outputs");
  else names.set("needs", needsType(context.needs));
  if (context.scope === "step" || context.scope === "outputs") names.set("steps", stepsType(context.steps));
  else elsewhere.set("steps", "is only available in steps and in job outputs");
  return { names, elsewhere };
}

function runNames(inputs: Type, event: PipelineEvent | null): Record<string, Type> {
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
    sha: stringType,
    actor: stringType,
    inputs,
    vars: mapType(stringType, event && { label: "vars of this run", names: Object.keys(event.variables) }),
    pipeline: objectType("pipeline", {
      id: stringType,
      number: numberType,
      name: stringType,
      url: stringType,
    }),
  };
}

function needsType(needs: ReadonlyMap<string, readonly string[]>): Type {
  const jobs: Record<string, Type> = {};
  for (const [job, outputs] of needs) {
    const members = Object.fromEntries(outputs.map((output) => [output, stringType]));
    jobs[job] = objectType(`needs.${job}`, {
      result: stringType,
      outputs: objectType(`needs.${job}.outputs`, members),
    });
  }
  return objectType('"needs" of this job', jobs);
}

function stepsType(ids: readonly string[]): Type {
  const step = (id: string): Type =>
    objectType(`steps.${id}`, { result: stringType, outputs: mapType(stringType) });
  return objectType("the list of earlier steps", Object.fromEntries(ids.map((id) => [id, step(id)])));
}
