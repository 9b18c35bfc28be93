/** Values of expressions during a run, and how they become text. */
import { matchesGlobs } from "../glob.ts";
import type { PipelineEvent } from "@forgeline/schemas/pipeline-file/event.ts";

export type Value = string | number | boolean | null | readonly Value[] | { readonly [key: string]: Value };

/** What an expression sees. Built by `buildContexts`. */
export interface Contexts {
  /** `event`, `branch`, `needs`… by name. */
  names: Readonly<Record<string, Value>>;
  /** Paths the event changed; null where they are unknown. */
  changedPaths: readonly string[] | null;
  /** One hash of all files of the checkout that match; absent where there is no checkout. */
  hashFiles?: (globs: readonly string[]) => string;
}

export interface RunFacts {
  id: string;
  number: number;
  name: string;
  /** Page of the run; `pipeline.url` is unknown without it. */
  url?: string;
}

export interface ContextParts {
  event: PipelineEvent;
  /** null while the run has no number yet. */
  pipeline?: RunFacts;
  /** Jobs that this one needs. */
  needs?: Readonly<
    Record<string, { result: string; outputs: Readonly<Record<string, string | readonly string[]>> }>
  >;
  /** Of a combination of a matrix job. */
  matrix?: Readonly<Record<string, string>> | null;
  /** Steps before, by id. */
  steps?: Readonly<Record<string, { result: string; outputs: Readonly<Record<string, string>> }>>;
}

const noMergeRequest = {
  number: 0,
  title: "",
  author: "",
  source_branch: "",
  target_branch: "",
  head_sha: "",
  base_sha: "",
  target_sha: "",
  merge_sha: "",
  draft: false,
  labels: [],
  fork: false,
};

function mergeRequestOf(
  { types: _types, ...facts }: NonNullable<PipelineEvent["mergeRequest"]>,
  sha: string,
): Record<string, Value> {
  const { head_sha: head = sha, target_sha: target = "", merge_sha: merged = "", ...others } = facts;
  return { ...others, head_sha: head, target_sha: target, merge_sha: merged };
}

/** Everything that expressions may see, from the event and what is known of the run so far. */
export function buildContexts(parts: ContextParts): Contexts {
  const { event } = parts;
  const { owner, name, defaultBranch } = event.repository;
  const names: Record<string, Value> = {
    event: event.name,
    repo: { owner, name, full_name: `${owner}/${name}`, default_branch: defaultBranch },
    branch: event.branch ?? "",
    tag: event.tag ?? "",
    mr: event.mergeRequest ? mergeRequestOf(event.mergeRequest, event.sha) : noMergeRequest,
    sha: event.sha,
    actor: event.actor,
    inputs: event.inputs,
    vars: event.variables,
    matrix: parts.matrix ?? {},
    needs: parts.needs ?? {},
    steps: parts.steps ?? {},
  };
  if (parts.pipeline) names["pipeline"] = { ...parts.pipeline };
  return { names, changedPaths: event.changedPaths };
}

export function kindOf(value: Value): "string" | "number" | "boolean" | "null" | "list" | "map" {
  if (value === null) return "null";
  if (Array.isArray(value)) return "list";
  if (typeof value === "object") return "map";
  return typeof value as "string" | "number" | "boolean";
}

/** Text of a plain value: null is empty. Lists and mappings have none (null). */
export function textOf(value: Value): string | null {
  const kind = kindOf(value);
  if (kind === "list" || kind === "map") return null;
  return value === null ? "" : String(value as string | number | boolean);
}

/** `changed(…)`: true when any changed path matches, and when the changed paths are unknown. */
export function changedMatches(contexts: Contexts, globs: readonly string[]): boolean {
  return contexts.changedPaths === null || contexts.changedPaths.some((path) => matchesGlobs(globs, path));
}
