/** A run that somebody requests by REST. */
import { matchTriggers } from "@forgeline/compiler/triggers.ts";
import type { PipelineEventName } from "@forgeline/schemas/pipeline-file/event.ts";
import type { PipelineTrigger } from "@forgeline/schemas/pipelines/resource.ts";
import type { Database } from "../../../platform/db/database.ts";
import { AppError, invalidField } from "../../../platform/app-error.ts";
import { recordAudit } from "../../operation/domain.ts";
import type { Actor } from "../../../platform/access/actor.ts";
import type { RepositoryRef } from "../../policy/domain.ts";
import { createRun } from "./create-run.ts";
import { makeEvent } from "./make-event.ts";
import {
  compileFile,
  findPipelineFiles,
  type CompiledFile,
  type FileDeps,
} from "../compile/pipeline-files.ts";
import { contentOf } from "./push-follower.ts";

export interface TriggerRequest extends PipelineTrigger {
  /** Only the event is needed: the text of the file comes from elsewhere. */
  withoutFile?: boolean;
  name: Extract<PipelineEventName, "api" | "manual" | "push" | "tag">;
}

/** Throws `validation_failed` that names the field: `ref`, `pipeline`, `inputs.<name>`. */
export async function compileForTrigger(
  deps: FileDeps,
  actor: Actor,
  { repository, request }: { repository: RepositoryRef; request: TriggerRequest },
) {
  const wanted = request.ref ?? repository.defaultBranch;
  const resolved = await deps.files.resolveRef(repository.id, wanted);
  const commit = resolved && (await deps.files.commitInfo(repository.id, resolved.sha));
  if (!resolved || !commit)
    throw invalidField("ref", "unknown", `No branch, tag or commit is named ${wanted}.`);
  // No file can declare inputs yet, so every input is unknown.
  const [input] = Object.keys(request.inputs ?? {});
  if (input !== undefined)
    throw invalidField(`inputs.${input}`, "unknown", `The pipeline has no input named ${input}.`);
  const event = makeEvent({
    name: request.name,
    ref: resolved.ref,
    commit,
    beforeSha: null,
    actor: actor.username,
    changedPaths: null,
    repository,
    variables: request.variables ?? {},
  });
  if (request.withoutFile) return { event, compiled: undefined };
  const file = await chooseFile(deps, {
    repositoryId: repository.id,
    sha: commit.sha,
    wanted: request.pipeline,
  });
  return { event, compiled: await compileFile(deps, { repositoryId: repository.id, file, event }) };
}

async function chooseFile(
  deps: FileDeps,
  { repositoryId, sha, wanted }: { repositoryId: string; sha: string; wanted: string | undefined },
) {
  const { files, diagnostics } = await findPipelineFiles(deps.files, repositoryId, sha);
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

/** A broken file also creates a run, with status `error`. Returns its id. */
export async function trigger(
  deps: FileDeps & { db: Database },
  actor: Actor,
  { repository, request }: { repository: RepositoryRef; request: TriggerRequest },
): Promise<string> {
  const { userId } = actor;
  if (userId === null) throw new AppError("forbidden");
  const { event, compiled } = await compileForTrigger(deps, actor, { repository, request });
  if (!compiled) throw new Error("a run needs a file");
  refuseUnwanted(compiled, event);
  return deps.db.transaction(async (tx) => {
    const created = await createRun(tx, {
      repositoryId: repository.id,
      origin: null,
      file: compiled.file,
      name: compiled.plan?.name ?? "",
      source: request.name,
      event,
      configText: compiled.text,
      diagnostics: compiled.diagnostics,
      triggeredBy: userId,
      actor: actor.username,
      content: contentOf(compiled, event),
    });
    if (!created) throw new AppError("not_found");
    await recordAudit(tx, actor, {
      action: "pipeline.trigger",
      target: {
        type: "pipeline",
        id: created.id,
        name: `${repository.owner}/${repository.name}#${created.number}`,
      },
      details: { ref: event.ref, sha: event.sha, pipeline: compiled.file },
    });
    return created.id;
  });
}

function refuseUnwanted(compiled: CompiledFile, event: Parameters<typeof matchTriggers>[1]): void {
  if (compiled.plan && !matchTriggers(compiled.on, event).run) {
    throw invalidField(
      "pipeline",
      "not_triggered",
      `${compiled.file} does not list the event ${event.name} under "on".`,
    );
  }
}
