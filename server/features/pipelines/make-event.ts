/** The event of a run, from what moved or was asked for. Pure. */
import type { PipelineEvent, PipelineEventName } from "@forgeline/schemas/pipeline/event.ts";
import type { CommitInfo } from "../../git/commit.ts";

export interface EventSource {
  name: PipelineEventName;
  ref: string;
  commit: CommitInfo;
  beforeSha: string | null;
  actor: string;
  changedPaths: string[] | null;
  repository: PipelineEvent["repository"];
  inputs?: PipelineEvent["inputs"];
  variables?: PipelineEvent["variables"];
}

export function makeEvent(source: EventSource): PipelineEvent {
  const { ref, commit, repository } = source;
  const after = (prefix: string) => (ref.startsWith(prefix) ? ref.slice(prefix.length) : null);
  return {
    name: source.name,
    ref,
    branch: after("refs/heads/"),
    tag: after("refs/tags/"),
    sha: commit.sha,
    beforeSha: source.beforeSha,
    actor: source.actor,
    commitMessage: commit.message,
    commitAuthor: `${commit.author.name} <${commit.author.email}>`,
    changedPaths: source.changedPaths,
    repository: {
      owner: repository.owner,
      name: repository.name,
      defaultBranch: repository.defaultBranch,
    },
    inputs: source.inputs ?? {},
    variables: source.variables ?? {},
  };
}
