/** The variables of a run: those that are set for it, by level, and those that it is given. */
import type { PipelineEvent } from "@forgeline/schemas/pipeline-file/event.ts";
import {
  maxVariablesBytes,
  setLevels,
  type RunVariable,
  type SetLevel,
} from "@forgeline/schemas/variables/resource.ts";
import type { Queryable } from "../../../platform/db/database.ts";
import { variablesOfRuns } from "./variables.store.ts";

/** One that is set at some level. */
export interface SetVariable {
  level: SetLevel;
  name: string;
  value: string;
  /** In lower case, of that level. */
  environment?: string | null;
}

export type RunVariables = Pick<PipelineEvent, "variables" | "variableLevels" | "environmentVariables">;

/** Those of every level that runs of this repository have. */
export function readSetVariables(db: Queryable, repositoryId: string): Promise<SetVariable[]> {
  return variablesOfRuns(db, repositoryId);
}

/**
 * What is given wins over the repository's, the organization's, and the instance's, in this order. Those of environments are kept beside
 * them for the jobs that have one. Pure.
 */
export function mergeVariables(set: readonly SetVariable[], given: PipelineEvent["variables"]): RunVariables {
  const shared = set.filter(({ level }) => level !== "environment");
  const lowestFirst = shared.toSorted((a, b) => setLevels.indexOf(a.level) - setLevels.indexOf(b.level));
  const inherited = new Map(lowestFirst.map((variable) => [variable.name, variable]));
  const kept = [...inherited.values()].filter(({ name }) => !Object.hasOwn(given, name));
  return {
    variables: { ...Object.fromEntries(kept.map(({ name, value }) => [name, value])), ...given },
    variableLevels: Object.fromEntries(kept.map(({ name, level }) => [name, level])),
    ...ofEnvironments(set),
  };
}

function ofEnvironments(set: readonly SetVariable[]): Pick<RunVariables, "environmentVariables"> {
  const found = new Map<string, [string, string][]>();
  for (const { name, value, environment } of set)
    if (environment) found.set(environment, [...(found.get(environment) ?? []), [name, value]]);
  if (found.size === 0) return {};
  return {
    environmentVariables: Object.fromEntries(
      [...found].map(([environment, entries]) => [environment, Object.fromEntries(entries)]),
    ),
  };
}

/** As the environment of a step counts it. */
export function variableBytes(name: string, value: string): number {
  return Buffer.byteLength(name) + Buffer.byteLength(value) + 2;
}

/** Why no run can have these, as a sentence; null if one can. They are in the environment of every step. */
export function tooMuch({ variables, variableLevels = {} }: RunVariables): string | null {
  const sums = new Map<string, number>();
  for (const [name, value] of Object.entries(variables)) {
    const level = levelOf(variableLevels, name);
    sums.set(level, (sums.get(level) ?? 0) + variableBytes(name, value));
  }
  const sum = [...sums.values()].reduce((all, one) => all + one, 0);
  if (sum <= maxVariablesBytes) return null;
  const parts = [...sums].map(([level, bytes]) => `${level} ${bytes}`).join(", ");
  return `The variables of this run are ${sum} bytes together (${parts}); at most ${maxVariablesBytes} fit into the environment of its steps.`;
}

/** Each with where it comes from, by name; then those that jobs of these environments have instead. */
export function listRunVariables(
  { variables, variableLevels = {}, environmentVariables = {} }: RunVariables,
  environments: readonly string[] = [],
): RunVariable[] {
  const shared = Object.entries(variables).map(([name, value]) => ({
    name,
    value,
    level: levelOf(variableLevels, name),
  }));
  const isGiven = (name: string) => Object.hasOwn(variables, name) && levelOf(variableLevels, name) === "run";
  const own = environments.flatMap((environment) =>
    Object.entries(environmentVariables[environment.toLowerCase()] ?? {})
      .filter(([name]) => !isGiven(name))
      .map(([name, value]) => ({ name, value, level: "environment" as const, environment })),
  );
  return [...shared, ...own].toSorted((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
}

/** Without those that are set: what the run itself was given. */
export function givenVariables({ variables, variableLevels = {} }: RunVariables): PipelineEvent["variables"] {
  return Object.fromEntries(
    Object.entries(variables).filter(([name]) => !Object.hasOwn(variableLevels, name)),
  );
}

function levelOf(levels: NonNullable<RunVariables["variableLevels"]>, name: string): RunVariable["level"] {
  return (Object.hasOwn(levels, name) ? levels[name] : undefined) ?? "run";
}
