/** The event of a local run: as the server would make it of what is checked out here. */
import type { PipelineEvent, PipelineEventName } from "@forgeline/schemas/pipeline-file/event.ts";
import { eventsWithChanges, pipelineEventNames } from "@forgeline/schemas/pipeline-file/event.ts";
import type { CommitInfo } from "@forgeline/server/platform/git/objects/commit.ts";
import { makeEvent } from "@forgeline/server/domains/pipelines/runs/make-event.ts";
import { findChanges } from "./changed-paths.ts";
import { ExecProblem } from "./exec-problem.ts";
import { localUser, zeroSha, type LocalRepository } from "./repository.ts";
import { meantEvent, type ExecRequest } from "./request.ts";

const variableName = /^(?!CI_)[A-Za-z_][A-Za-z0-9_]*$/;

/** Without inputs, which only the file knows. Throws `ExecProblem`. */
export async function eventOf(repository: LocalRepository, request: ExecRequest): Promise<PipelineEvent> {
  const name = eventName(request);
  const branch = request.branch ?? repository.branch ?? repository.defaultBranch;
  checkRef(name, request);
  checkVariables(request.variables);
  const changes = eventsWithChanges.includes(name)
    ? await findChanges(repository, { branch, since: request.since, committed: request.committed })
    : { base: null, paths: null };
  const { owner, name: repositoryName, defaultBranch } = repository;
  return makeEvent({
    name,
    ref: request.tag === undefined ? `refs/heads/${branch}` : `refs/tags/${request.tag}`,
    commit: repository.head ?? nothingCommitted(),
    beforeSha: changes.base,
    actor: request.actor ?? localUser(),
    changedPaths: changes.paths,
    repository: { owner, name: repositoryName, defaultBranch },
    variables: { variables: request.variables },
  });
}

function eventName(request: ExecRequest): PipelineEventName {
  if (request.event === undefined) return meantEvent(request);
  const found = pipelineEventNames.find((name) => name === request.event);
  if (found) return found;
  throw new ExecProblem(
    `--event: no event is named ${request.event}. Events: ${pipelineEventNames.join(", ")}.`,
  );
}

function checkRef(name: PipelineEventName, { branch, tag, since }: ExecRequest): void {
  if (branch !== undefined && tag !== undefined)
    throw new ExecProblem("a run has a branch or a tag: give --branch or --tag, not both");
  if (name === "tag" && tag === undefined) throw new ExecProblem("the event tag needs --tag NAME");
  if (name === "push" && tag !== undefined)
    throw new ExecProblem("a push is of a branch: use --event tag, or leave --event out");
  if (since !== undefined && !eventsWithChanges.includes(name))
    throw new ExecProblem(`--since: the event ${name} has no changed paths`);
}

function checkVariables(variables: ExecRequest["variables"]): void {
  const wrong = Object.keys(variables).find((name) => !variableName.test(name));
  if (wrong === undefined) return;
  throw new ExecProblem(
    `${JSON.stringify(wrong)} cannot be the name of a variable: letters, digits and underscores, and not beginning with a digit or CI_`,
  );
}

/** Of a directory without Git, or a repository before its first commit. */
function nothingCommitted(): CommitInfo {
  const nobody = { name: localUser(), email: "", date: new Date(0).toISOString() };
  return { sha: zeroSha, tree: zeroSha, message: "", author: nobody, committer: nobody, parents: [] };
}
