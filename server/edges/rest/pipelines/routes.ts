/** Binds the operations on runs. */
import {
  cancelPipeline,
  getPipeline,
  getPipelineJob,
  lintPipeline,
  listPipelineEvents,
  listPipelineJobs,
  listPipelines,
  planPipeline,
  rerunPipeline,
  triggerPipeline,
} from "@forgeline/schemas/pipelines/routes.ts";
import type { RouteBinder } from "../route-binder.ts";
import type { PipelineService } from "../../../domains/pipelines/domain.ts";

export function registerPipelineRoutes(
  app: RouteBinder,
  { pipelines }: { pipelines: PipelineService },
): void {
  app.bindRepository(triggerPipeline, async ({ actor, repository, body }) => {
    const shown = await pipelines.trigger(actor, repository, body);
    return { body: shown, location: shown.url };
  });
  app.bindRepository(listPipelines, async ({ repository, query }) => {
    const { items, total } = await pipelines.list(repository, query);
    return { body: items, total };
  });
  app.bindRepository(getPipeline, async ({ repository, params, revalidate }) => {
    const run = await pipelines.find(repository, params.id);
    revalidate(versionOf(run));
    return { body: await pipelines.get(run.id) };
  });
  app.bindRepository(listPipelineJobs, async ({ repository, params, revalidate }) => {
    const run = await pipelines.find(repository, params.id);
    revalidate(versionOf(run));
    return { body: await pipelines.jobs(run.id) };
  });
  app.bindRepository(getPipelineJob, async ({ repository, params, revalidate }) => {
    const run = await pipelines.find(repository, params.id);
    revalidate(versionOf(run));
    return { body: await pipelines.job(run.id, params.job) };
  });
  app.bindRepository(listPipelineEvents, async ({ repository, params, query }) => {
    const run = await pipelines.find(repository, params.id);
    const { items, total } = await pipelines.events(run.id, query);
    return { body: items, total };
  });
  app.bindRepository(cancelPipeline, async ({ actor, repository, params, body }) => ({
    body: await pipelines.cancel(actor, repository, { id: params.id, force: body.force ?? false }),
  }));
  app.bindRepository(rerunPipeline, async ({ actor, repository, params, body }) => ({
    body: await pipelines.rerun(actor, repository, { id: params.id, from: body.from }),
  }));
  app.bindRepository(lintPipeline, async ({ body }) => ({
    body: await pipelines.lint(body.content, body.file),
  }));
  app.bindRepository(planPipeline, async ({ actor, repository, body }) => ({
    body: await pipelines.plan(actor, repository, body),
  }));
}

/** While a run is open its durations and the reasons of what is queued change with time. */
function versionOf(run: Awaited<ReturnType<PipelineService["find"]>>): string {
  return run.open ? `${run.id}:${run.version}:${Math.floor(Date.now() / 1000)}` : `${run.id}:${run.version}`;
}
