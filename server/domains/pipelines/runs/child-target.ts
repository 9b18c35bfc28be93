/**
 * Which pipeline a job starts, read and compiled: everything that takes time, before the transaction that makes the run. What whoever
 * stands behind the run may not do counts as what does not exist.
 */
import type { PlanTrigger } from "@forgeline/schemas/pipeline-file/plan-trigger.ts";
import type { PipelineEvent } from "@forgeline/schemas/pipeline-file/event.ts";
import { matchTriggers } from "@forgeline/compiler/triggers.ts";
import type { Actor } from "../../../platform/access/actor.ts";
import { AppError, invalidField } from "../../../platform/app-error.ts";
import type { Queryable } from "../../../platform/db/database.ts";
import { compileEvent, compileWithoutInputs, type RequestedRepository } from "../compile/compile-request.ts";
import type { CompiledFile, FileDeps } from "../compile/pipeline-files.ts";
import { requireInputs } from "../compile/run-inputs.ts";
import { mergeVariables, readSetVariables, tooMuch } from "../variables/run-variables.ts";
import { childActor } from "./child-actor.ts";
import type { StartingRow } from "./children.store.ts";
import { newRunOf, type NewRun } from "./create-run.ts";
import { findEventRepository } from "./events.store.ts";
import { withoutOtherRepositories } from "./source-trust.ts";

export type ChildDeps = FileDeps & { db: Queryable };

/** A sentence for people where there is none. */
export type ChildTarget =
  | { run: Omit<NewRun, "origin">; repository: RequestedRepository; actor: Actor }
  | { refused: string };

export async function findTarget(
  deps: ChildDeps,
  starting: StartingRow,
  trigger: PlanTrigger,
): Promise<ChildTarget> {
  const { startsAs, username, repositoryId } = starting;
  if (starting.suspended) return { refused: `${username ?? "Whoever started this run"} is suspended.` };
  const user = startsAs === null || username === null ? null : { id: startsAs, username };
  const actor = childActor(user, { repositoryId, elsewhere: starting.startsElsewhere });
  try {
    const repository = await findTargetRepository(deps, { starting, trigger, actor });
    if (typeof repository === "string") return { refused: repository };
    const { event, compiled } = await compileChild(deps, { starting, trigger, actor, repository });
    const unwanted = whyUnwanted(compiled, event);
    if (unwanted !== null) return { refused: unwanted };
    const of = { repositoryId: repository.id, triggeredBy: startsAs };
    const starts = { userId: startsAs, elsewhere: starting.startsElsewhere };
    return { run: { ...newRunOf(compiled, event, of), starts }, repository, actor };
  } catch (error) {
    if (error instanceof AppError && error.code === "validation_failed")
      return { refused: sentenceOf(error) };
    throw error;
  }
}

interface Wanted {
  starting: StartingRow;
  trigger: PlanTrigger;
  actor: Actor;
}

type Starter = Pick<StartingRow, "repositoryId" | "trust" | "username" | "startsElsewhere">;

/** A sentence for people where `actor` may start no pipelines. */
export async function findTargetRepository(
  deps: ChildDeps,
  { starting, trigger, actor }: { starting: Starter; trigger: Pick<PlanTrigger, "repository">; actor: Actor },
): Promise<RequestedRepository | string> {
  const found = await findEventRepository(deps.db, starting.repositoryId);
  if (!found) return "The repository is gone.";
  const own = { ...found, id: starting.repositoryId };
  const name = trigger.repository ?? `${own.owner}/${own.name}`;
  const isHere = name.toLowerCase() === `${own.owner}/${own.name}`.toLowerCase();
  // A sync starts runs here where the settings of the repository allow it, and for nobody.
  if (isHere && actor.userId === null) return own;
  const ofSource = isHere ? null : withoutOtherRepositories(starting.trust);
  if (ofSource !== null) return ofSource;
  const [owner = "", repository = ""] = name.split("/");
  try {
    const requirement = { access: "repo_write", scope: "pipeline:write" } as const;
    const granted = await deps.authorizer.authorizeRepository(actor, requirement, {
      owner,
      name: repository,
    });
    return granted.repository;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    if (error.code === "repository_archived") return `The repository ${name} is archived.`;
    return refusal(name, { starting, isHere });
  }
}

/** The same for a repository that does not exist, and for one that nobody may know of. */
function refusal(name: string, { starting, isHere }: { starting: Starter; isHere: boolean }): string {
  const { username, startsElsewhere } = starting;
  const who = username ?? "nobody, who started this run,";
  if (isHere) return `${who} may not start pipelines in ${name} any more.`;
  const limited = startsElsewhere || username === null;
  const why = limited ? "" : " What started this run is good for pipelines of this repository only.";
  return `There is no repository ${name} in which ${who} may start pipelines.${why}`;
}

async function compileChild(
  deps: ChildDeps,
  { starting, trigger, actor, repository }: Wanted & { repository: RequestedRepository },
): Promise<{ event: PipelineEvent; compiled: CompiledFile }> {
  const isHere = repository.id === starting.repositoryId;
  const pipeline = trigger.pipeline ?? (isHere ? starting.file : undefined);
  const name = "pipeline" as const;
  const asked = { name, actor: starting.username ?? starting.event.actor, reader: actor, pipeline };
  const found =
    isHere && trigger.ref === null
      ? await compileHere(deps, starting, asked)
      : await compileWithoutInputs(deps, repository, { ...asked, ref: trigger.ref ?? undefined });
  const { event, compiled } = found;
  // What a file with errors was given is shown with its run, as it came.
  const inputs = compiled.plan ? requireInputs(compiled.plan.inputs, trigger.inputs, name) : trigger.inputs;
  return { event: { ...event, inputs }, compiled };
}

/** The commit of the run that starts it, with what its event tells of that; variables as they are set now. */
async function compileHere(
  deps: ChildDeps,
  { repositoryId, event: above }: StartingRow,
  asked: { name: "pipeline"; actor: string; reader: Actor; pipeline: string | undefined },
) {
  const variables = mergeVariables(await readSetVariables(deps.db, repositoryId), {});
  const problem = tooMuch(variables);
  if (problem !== null) throw invalidField("variables", "too_large", problem);
  const { schedule: _, variableLevels: __, environmentVariables: ___, ...kept } = above;
  const event: PipelineEvent = { ...kept, name: asked.name, actor: asked.actor, inputs: {}, ...variables };
  return { event, compiled: await compileEvent(deps, { ...asked, repositoryId, event }) };
}

function whyUnwanted(compiled: CompiledFile, event: PipelineEvent): string | null {
  if (!compiled.plan || matchTriggers(compiled.on, event).run) return null;
  return `${compiled.file} does not list the event pipeline under "on", so other pipelines cannot start it.`;
}

function sentenceOf(error: AppError): string {
  const { errors } = error.options;
  return errors && errors.length > 0
    ? errors
        .slice(0, 5)
        .map(({ message }) => message)
        .join(" ")
    : error.message;
}
