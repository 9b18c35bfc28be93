/** Jobs of a plan that start pipelines elsewhere: what a run would be refused, told before there is one. */
import { hasExpression } from "@forgeline/compiler/template.ts";
import type { JobRefusal, PreviewedJob } from "@forgeline/compiler/preview-start.ts";
import type { PipelineEvent } from "@forgeline/schemas/pipeline-file/event.ts";
import type { PlanJob } from "@forgeline/schemas/pipeline-file/plan.ts";
import type { Actor } from "../../../platform/access/actor.ts";
import { childActor, startsOf } from "./child-actor.ts";
import { findTargetRepository, type ChildDeps } from "./child-target.ts";
import { trustOf } from "./source-trust.ts";

/**
 * As if `actor` started the run, who is told no more than a run would tell. What only the run knows is left to it: names with
 * expressions, and all where the credential of this request reaches no other repository, since that of the run may.
 */
export async function plannedTriggers(
  deps: ChildDeps,
  of: { actor: Actor; repositoryId: string; event: PipelineEvent; jobs: readonly PlanJob[] },
): Promise<(job: PreviewedJob) => JobRefusal | null> {
  const { actor, repositoryId, event, jobs } = of;
  const { userId, elsewhere } = startsOf(actor);
  if (userId === null || !elsewhere) return () => null;
  const { username } = actor;
  const starting = { repositoryId, trust: trustOf(event), username, startsElsewhere: elsewhere };
  const starter = childActor({ id: userId, username }, { repositoryId, elsewhere });
  const messages = new Map<string, string>();
  for (const repository of new Set(jobs.flatMap(namesOf))) {
    const found = await findTargetRepository(deps, { starting, trigger: { repository }, actor: starter });
    if (typeof found === "string") messages.set(repository, found);
  }
  return ({ job }) => {
    const message = namesOf(job).map((name) => messages.get(name))[0];
    return message === undefined ? null : { ends: "error", reason: "trigger_refused", message };
  };
}

function namesOf({ trigger }: PlanJob): string[] {
  const name = trigger?.repository ?? null;
  return name === null || hasExpression(name) ? [] : [name];
}
