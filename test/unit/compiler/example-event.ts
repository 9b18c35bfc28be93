/** An event for tests of the compiler; a push to `main` unless told otherwise. */
import type { PipelineEvent } from "@forgeline/schemas/pipeline-file/event.ts";

export function exampleEvent(changes: Partial<PipelineEvent> = {}): PipelineEvent {
  return {
    name: "push",
    ref: "refs/heads/main",
    branch: "main",
    tag: null,
    sha: "0123456789abcdef0123456789abcdef01234567",
    beforeSha: null,
    actor: "ada",
    commitMessage: "Change things",
    commitAuthor: "Ada <ada@example.test>",
    changedPaths: ["src/a.ts", "docs/b.md"],
    repository: { owner: "acme", name: "rocket", defaultBranch: "main" },
    inputs: { target: "staging", count: 3, dry: false },
    variables: { REGION: "eu", LIST: '["a","b"]' },
    ...changes,
  };
}
