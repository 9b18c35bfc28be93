/** The pipeline that somebody asks for, or a schedule: a commit, one of its files, and the event. */
import {
  maxChangedPaths,
  type PipelineEvent,
  type PipelineEventName,
} from "@forgeline/schemas/pipeline-file/event.ts";
import type { Actor } from "../../../platform/access/actor.ts";
import { invalidField } from "../../../platform/app-error.ts";
import type { Queryable } from "../../../platform/db/database.ts";
import type { RepositoryRef } from "../../policy/domain.ts";
import { makeEvent } from "../runs/make-event.ts";
import type { GivenInputs } from "@forgeline/compiler/given-inputs.ts";
import { requireInputs } from "./run-inputs.ts";
import { mergeVariables, readSetVariables, tooMuch } from "../variables/run-variables.ts";
import { compileFile, findPipelineFiles, type FileDeps } from "./pipeline-files.ts";

export type RequestDeps = FileDeps & { db: Queryable };

export interface RequestedRun {
  name: PipelineEventName;
  actor: string;
  /** Default: the default branch. */
  ref?: string | undefined;
  /** Needed where there are several files. */
  pipeline?: string | undefined;
  inputs?: GivenInputs | undefined;
  variables?: PipelineEvent["variables"] | undefined;
  schedule?: PipelineEvent["schedule"];
  /** Which files changed, or where the branch was before. Absent: unknown. */
  changed?: { paths: string[] } | { before: string } | undefined;
  /** On whose behalf templates are read. */
  reader: Actor;
}

export type RequestedRepository = Pick<RepositoryRef, "id" | "owner" | "name" | "defaultBranch">;

/** Without inputs, which only its file knows. Throws `validation_failed` that names `ref`, `before` or `variables`. */
export async function eventOfRequest(
  deps: RequestDeps,
  repository: RequestedRepository,
  request: RequestedRun,
): Promise<PipelineEvent> {
  const [{ ref, commit }, set] = await Promise.all([
    commitOf(deps, repository, request.ref),
    readSetVariables(deps.db, repository.id),
  ]);
  const { name, actor, variables: given = {}, schedule, changed } = request;
  const variables = mergeVariables(set, given);
  const problem = tooMuch(variables);
  if (problem !== null) throw invalidField("variables", "too_large", problem);
  return makeEvent({
    name,
    ref,
    commit,
    ...(await changesOf(deps, repository, { changed, ref, after: commit.sha })),
    actor,
    repository,
    variables,
    ...(schedule ? { schedule } : {}),
  });
}

/** Of a branch, a tag or a commit; without one, of the default branch. Throws `validation_failed` that names `ref`. */
async function commitOf(
  { files }: RequestDeps,
  { id, defaultBranch }: RequestedRepository,
  asked: string | undefined,
) {
  const resolved = await resolveOwn(files, id, asked ?? `refs/heads/${defaultBranch}`);
  const commit = resolved && (await files.commitInfo(id, resolved.sha));
  if (resolved && commit) return { ref: resolved.ref, commit };
  throw invalidField("ref", "unknown", `No branch, tag or commit is named ${asked ?? defaultBranch}.`);
}

/**
 * Of a branch, a tag, or a commit that one of them has. Other refs, such as heads of merge requests, may have commits of a fork, which
 * must not run as if they were the repository's.
 */
async function resolveOwn(files: RequestDeps["files"], repositoryId: string, asked: string) {
  const isOther = asked.startsWith("refs/") && !/^refs\/(?:heads|tags)\//.test(asked);
  return isOther ? undefined : files.resolveRef(repositoryId, asked);
}

/** As a push from there would have changed the files. Throws `validation_failed` that names `before`. */
async function changesOf(
  { files }: RequestDeps,
  { id, defaultBranch }: RequestedRepository,
  { changed, ref, after }: Pick<RequestedRun, "changed"> & { ref: string; after: string },
): Promise<{ beforeSha: string | null; changedPaths: string[] | null }> {
  if (!changed) return { beforeSha: null, changedPaths: null };
  if ("paths" in changed) return { beforeSha: null, changedPaths: changed.paths };
  const before = await resolveOwn(files, id, changed.before);
  if (!before)
    throw invalidField("before", "unknown", `No branch, tag or commit is named ${changed.before}.`);
  const change = { before: before.sha, after, ref, defaultBranch };
  return { beforeSha: before.sha, changedPaths: await files.changedPaths(id, change, maxChangedPaths) };
}

/** As `eventOfRequest`, and for `pipeline` and `inputs.<name>`. */
export async function compileRequest(
  deps: RequestDeps,
  repository: RequestedRepository,
  request: RequestedRun,
) {
  const { event, compiled } = await compileWithoutInputs(deps, repository, request);
  const { inputs: given = {}, name } = request;
  // What a file with errors was given is shown with its run, as it came.
  const inputs = compiled.plan ? requireInputs(compiled.plan.inputs, given, name) : given;
  return { event: { ...event, inputs }, compiled };
}

/** As `eventOfRequest`, and for `pipeline`. */
export async function compileWithoutInputs(
  deps: RequestDeps,
  repository: RequestedRepository,
  request: RequestedRun,
) {
  const event = await eventOfRequest(deps, repository, request);
  return { event, compiled: await compileEvent(deps, { ...request, repositoryId: repository.id, event }) };
}

/** A file of the event's commit. Throws `validation_failed` that names `pipeline`, or `ref` where there is none. */
export async function compileEvent(
  deps: FileDeps,
  asked: Pick<RequestedRun, "pipeline" | "reader"> & { repositoryId: string; event: PipelineEvent },
) {
  const { repositoryId, event, pipeline: wanted, reader } = asked;
  const { sha } = event;
  const file = await chooseFile(deps, { repositoryId, sha, wanted });
  return compileFile(deps, { repositoryId, file, sha, event, reader });
}

async function chooseFile(
  deps: FileDeps,
  { repositoryId, sha, wanted }: { repositoryId: string; sha: string; wanted: string | undefined },
): Promise<string> {
  const { files, diagnostics } = await findPipelineFiles(deps, repositoryId, sha);
  const [problem] = diagnostics;
  if (problem) throw invalidField("pipeline", "invalid", problem.message);
  if (files.length === 0) {
    throw invalidField(
      "ref",
      "no_pipeline",
      `The commit ${sha.slice(0, 8)} has no .forgeline.yml and no .forgeline/*.yml.`,
    );
  }
  const fitting = wanted === undefined ? files : files.filter((file) => isCalled(file, wanted));
  const [file] = fitting;
  if (file !== undefined && fitting.length === 1) return file;
  const choice = `Pipelines here: ${files.join(", ")}.`;
  if (wanted === undefined)
    throw invalidField("pipeline", "required", `There are several pipelines; specify one. ${choice}`);
  throw invalidField("pipeline", "unknown", `No pipeline is named ${wanted}. ${choice}`);
}

function isCalled(file: string, wanted: string): boolean {
  return file === wanted || file.replace(/^\.forgeline\//, "").replace(/\.ya?ml$/, "") === wanted;
}
