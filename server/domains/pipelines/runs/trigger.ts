/** A run that somebody requests by REST. */
import { matchTriggers } from "@forgeline/compiler/triggers.ts";
import type { PipelineEvent } from "@forgeline/schemas/pipeline-file/event.ts";
import type { PipelineTrigger } from "@forgeline/schemas/pipelines/resource.ts";
import type { Database } from "../../../platform/db/database.ts";
import { AppError, invalidField } from "../../../platform/app-error.ts";
import { recordAudit } from "../../operation/domain.ts";
import type { Actor } from "../../../platform/access/actor.ts";
import type { RepositoryRef } from "../../policy/domain.ts";
import { compileRequest } from "../compile/compile-request.ts";
import type { CompiledFile, FileDeps } from "../compile/pipeline-files.ts";
import { createRun, newRunOf } from "./create-run.ts";
import { startsOf } from "./child-actor.ts";

export interface TriggerRequest extends PipelineTrigger {
  name: "api" | "manual";
}

/** A broken file also creates a run, with status `error`. Returns its id. Throws `validation_failed`. */
export async function trigger(
  deps: FileDeps & { db: Database },
  actor: Actor,
  { repository, request }: { repository: RepositoryRef; request: TriggerRequest },
): Promise<string> {
  const { userId } = actor;
  if (userId === null) throw new AppError("forbidden");
  const { event, compiled } = await compileRequest(deps, repository, {
    ...request,
    actor: actor.username,
    reader: actor,
  });
  refuseUnwanted(compiled, event);
  return deps.db.transaction(async (tx) => {
    const run = newRunOf(compiled, event, { repositoryId: repository.id, triggeredBy: userId });
    const created = await createRun(tx, { ...run, origin: null, starts: startsOf(actor) });
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

function refuseUnwanted(compiled: CompiledFile, event: PipelineEvent): void {
  if (compiled.plan && !matchTriggers(compiled.on, event).run) {
    throw invalidField(
      "pipeline",
      "not_triggered",
      `${compiled.file} does not list the event ${event.name} under "on".`,
    );
  }
}
