/** The event of a file that no server has: what a checkout knows, and what a person says of it. Pure. */
import type { PipelineEvent, PipelineEventName } from "@forgeline/schemas/pipeline-file/event.ts";
import { VariableName } from "@forgeline/schemas/variables/resource.ts";

export type LocalEvent = PipelineEvent;

export interface LocalFacts {
  name: PipelineEventName;
  branch: string;
  /** In place of the branch. */
  tag: string | undefined;
  commit: { sha: string; message: string; author: string };
  actor: string;
  /** Paths of files that changed; undefined where they are not known, and filters match. */
  changedPaths: readonly string[] | undefined;
  repository: PipelineEvent["repository"];
  variables: Readonly<Record<string, string>>;
}

/** `problem`: as a sentence, why there is no such event. */
export function makeLocalEvent(facts: LocalFacts): { event: LocalEvent } | { problem: string } {
  const { name, branch, tag, commit, changedPaths } = facts;
  const wrong = Object.keys(facts.variables).find((variable) => !VariableName.safeParse(variable).success);
  if (wrong !== undefined)
    return { problem: `${wrong} is no name of a variable: letters, digits and _, and not CI_…` };
  if (name === "tag" && tag === undefined) return { problem: "a run for the event tag needs a tag" };
  return {
    event: {
      name,
      ref: tag === undefined ? `refs/heads/${branch}` : `refs/tags/${tag}`,
      branch: tag === undefined ? branch : null,
      tag: tag ?? null,
      sha: commit.sha,
      beforeSha: null,
      actor: facts.actor,
      commitMessage: commit.message,
      commitAuthor: commit.author,
      changedPaths: changedPaths === undefined ? null : [...changedPaths],
      repository: facts.repository,
      inputs: {},
      variables: { ...facts.variables },
    },
  };
}
