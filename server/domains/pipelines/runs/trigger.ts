/** A run that somebody requests by REST. */
import { matchTriggers } from "@forgeline/compiler/triggers.ts";
import type { PipelineEvent } from "@forgeline/schemas/pipeline-file/event.ts";
import type { PipelineTrigger } from "@forgeline/schemas/pipelines/resource.ts";
import type { ChildMetrics } from "./metrics.ts";
import type { Database, Transaction } from "../../../platform/db/database.ts";
import { AppError, invalidField } from "../../../platform/app-error.ts";
import { recordAudit } from "../../operation/domain.ts";
import type { Actor } from "../../../platform/access/actor.ts";
import type { RepositoryRef } from "../../policy/domain.ts";
import { compileRequest } from "../compile/compile-request.ts";
import type { CompiledFile, FileDeps } from "../compile/pipeline-files.ts";
import { startsOf } from "./child-actor.ts";
import { parentOf, refusalOfCount, refusalOfDepth, refusalOfLoop } from "./child-bounds.ts";
import { findStarting, type StartingRow } from "./children.store.ts";
import { createRun, newRunOf, type CreatedRun, type NewRun } from "./create-run.ts";

export interface TriggerRequest extends PipelineTrigger {
  name: "api" | "manual";
}

/** A broken file also creates a run, with status `error`. Returns its id. Throws `validation_failed`, and `conflict` for a job that has started too many, or would go round in a loop. */
export async function trigger(
  deps: FileDeps & { db: Database; childMetrics: ChildMetrics },
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
  const starting = actor.job ? await findStarting(deps.db, actor.job.attemptId) : undefined;
  const create = async (tx: Transaction) => {
    const run = {
      ...newRunOf(compiled, event, { repositoryId: repository.id, triggeredBy: userId }),
      starts: startsOf(actor),
    };
    const created = starting
      ? await createByJob(tx, run, { starting, attemptId: actor.job?.attemptId ?? "" })
      : await createRun(tx, { ...run, origin: null });
    if (!created) throw new AppError("not_found");
    await recordAudit(tx, actor, {
      action: "pipeline.trigger",
      target: {
        type: "pipeline",
        id: created.id,
        name: `${repository.owner}/${repository.name}#${created.number}`,
      },
      details: {
        ref: event.ref,
        sha: event.sha,
        pipeline: compiled.file,
        ...(starting ? { parent: starting.id } : {}),
      },
    });
    return created.id;
  };
  const made = deps.db.transaction(create);
  return starting ? counted(deps.childMetrics, made) : made;
}

async function counted(metrics: ChildMetrics, made: Promise<string>): Promise<string> {
  try {
    const id = await made;
    metrics.started("token", "started");
    return id;
  } catch (error) {
    if (error instanceof AppError && error.code === "conflict") metrics.started("token", "refused");
    throw error;
  }
}

/** A run below that of the job, bounded as what `trigger` starts; nobody waits for it. */
async function createByJob(
  tx: Transaction,
  run: Omit<NewRun, "origin">,
  { starting, attemptId }: { starting: StartingRow; attemptId: string },
): Promise<CreatedRun | undefined> {
  refuse(refusalOfDepth(starting));
  refuse(await refusalOfLoop(tx, starting, run));
  const created = await createRun(tx, { ...run, origin: null, parent: parentOf(starting, attemptId) });
  refuse(await refusalOfCount(tx, starting));
  return created;
}

function refuse(sentence: string | null): void {
  if (sentence !== null) throw new AppError("conflict", { message: sentence });
}

function refuseUnwanted(compiled: CompiledFile, event: PipelineEvent): void {
  if (compiled.plan && !matchTriggers(compiled.on, event).run) {
    const isApi = event.name === "api" && compiled.on?.manual;
    const hint = isApi
      ? " Runs that the command line and other programs start count as api: list it beside manual."
      : "";
    throw invalidField(
      "pipeline",
      "not_triggered",
      `${compiled.file} does not list the event ${event.name} under "on".${hint}`,
    );
  }
}
