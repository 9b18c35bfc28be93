/** Builds the event of a run from a ref update or a request. Pure. */
import type { PipelineEvent, PipelineEventName } from "@forgeline/schemas/pipeline-file/event.ts";
import { textUpTo } from "@forgeline/schemas/runner-protocol/field-limits.ts";
import type { CommitInfo } from "../../../platform/git/objects/commit.ts";
import type { RunVariables } from "../variables/run-variables.ts";

/** `CI_COMMIT_MESSAGE` is one variable, and Linux takes none of more than 128 KiB: a character is up to three bytes of it. */
const maxMessageChars = 32 * 1024;
/** Limit of all paths together; with more, the changed paths count as unknown. */
const maxPathChars = 512 * 1024;

export interface EventSource {
  name: PipelineEventName;
  ref: string;
  commit: CommitInfo;
  beforeSha: string | null;
  actor: string;
  changedPaths: string[] | null;
  repository: PipelineEvent["repository"];
  inputs?: PipelineEvent["inputs"];
  variables: RunVariables;
  schedule?: PipelineEvent["schedule"];
}

const commitMessage = textUpTo(maxMessageChars);
const commitAuthor = textUpTo(1_000);

/** The event is kept with each run, and goes to each of its jobs. */
function withinBounds(paths: string[] | null): string[] | null {
  const chars = paths?.reduce((sum, path) => sum + path.length, 0) ?? 0;
  return chars > maxPathChars ? null : paths;
}

/** Anybody can write any time into a commit; 1970 stands for none, and years of five digits are none that can be stored. */
function committedAt({ committer }: CommitInfo): Pick<PipelineEvent, "committedAt"> {
  return /^(?!1970)\d{4}-/.test(committer.date) ? { committedAt: committer.date } : {};
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
    ...(source.schedule ? { schedule: source.schedule } : {}),
    commitMessage: commitMessage.parse(commit.message),
    commitAuthor: commitAuthor.parse(`${commit.author.name} <${commit.author.email}>`),
    ...committedAt(commit),
    changedPaths: withinBounds(source.changedPaths),
    repository: {
      owner: repository.owner,
      name: repository.name,
      defaultBranch: repository.defaultBranch,
    },
    inputs: source.inputs ?? {},
    ...source.variables,
  };
}
