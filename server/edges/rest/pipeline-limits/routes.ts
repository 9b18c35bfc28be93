/** Binds the operations on the limits of pipelines. */
import {
  getOrganizationPipelineLimits,
  getPipelineLimits,
  getRepositoryPipelineLimits,
  setOrganizationPipelineLimits,
  setPipelineLimits,
} from "@forgeline/schemas/pipeline-limits/routes.ts";
import type { PipelineLimitService } from "../../../domains/pipelines/domain.ts";
import type { RouteBinder } from "../route-binder.ts";

export function registerPipelineLimitRoutes(
  app: RouteBinder,
  { pipelineLimits }: { pipelineLimits: PipelineLimitService },
): void {
  app.bind(getPipelineLimits, async () => ({ body: { limits: await pipelineLimits.get(null) } }));
  app.bind(setPipelineLimits, async ({ actor, body }) => ({
    body: { limits: await pipelineLimits.set(actor, null, body) },
  }));
  app.bind(getOrganizationPipelineLimits, async ({ params }) => ({
    body: { limits: await pipelineLimits.get(params.org) },
  }));
  app.bind(setOrganizationPipelineLimits, async ({ actor, params, body }) => ({
    body: { limits: await pipelineLimits.set(actor, params.org, body) },
  }));
  app.bindRepository(getRepositoryPipelineLimits, async ({ repository }) => ({
    body: { limits: await pipelineLimits.ofRepository(repository.id) },
  }));
}
