/** The event of a run that a test puts into the database by hand. */
import type { PipelineEvent } from "@forgeline/schemas/pipeline-file/event.ts";

export function plainEvent(sha: string): PipelineEvent {
  return {
    name: "api",
    ref: "refs/heads/main",
    branch: "main",
    tag: null,
    sha,
    beforeSha: null,
    actor: "olga",
    commitMessage: "",
    commitAuthor: "",
    changedPaths: null,
    repository: { owner: "acme", name: "private", defaultBranch: "main" },
    inputs: {},
    variables: {},
  };
}
