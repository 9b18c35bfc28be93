/** Binds the operations on runs. */
import {
  cancelPipeline,
  declareJobLost,
  exportPipelines,
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
import type { OpenLogs, PipelineService, RunExport } from "../../../domains/pipelines/domain.ts";
import { subjectOf } from "../../../platform/access/subject.ts";
import { sendInTurns } from "../logs/send-in-turns.ts";

export function registerPipelineRoutes(
  app: RouteBinder,
  { pipelines, ...history }: { pipelines: PipelineService; runExport: RunExport; openLogs: OpenLogs },
): void {
  // Before the runs: `export` is no id of one.
  registerExport(app, history);
  app.bindRepository(triggerPipeline, async ({ actor, repository, body }) => {
    const shown = await pipelines.trigger(actor, repository, body);
    return { body: shown, location: shown.url };
  });
  app.bindRepository(listPipelines, async ({ repository, query }) => {
    const { items, total } = await pipelines.list(repository, query);
    return { body: items, total };
  });
  app.bindRepository(getPipeline, async ({ actor, repository, params, revalidate }) => ({
    body: await pipelines.get(actor, repository, { id: params.id, revalidate }),
  }));
  app.bindRepository(listPipelineJobs, async ({ repository, params, revalidate }) => ({
    body: await pipelines.jobs(repository, params.id, revalidate),
  }));
  app.bindRepository(getPipelineJob, async ({ repository, params, revalidate }) => ({
    body: await pipelines.job(repository, { pipeline: params.id, job: params.job }, revalidate),
  }));
  app.bindRepository(listPipelineEvents, async ({ repository, params, query }) => {
    const { items, total } = await pipelines.events(repository, params.id, query);
    return { body: items, total };
  });
  app.bindRepository(cancelPipeline, async ({ actor, repository, params, body }) => ({
    body: await pipelines.cancel(actor, repository, { id: params.id, force: body.force ?? false }),
  }));
  app.bindRepository(rerunPipeline, async ({ actor, repository, params, body }) => ({
    body: await pipelines.rerun(actor, repository, { id: params.id, from: body.from }),
  }));
  app.bindRepository(declareJobLost, async ({ actor, repository, params }) => ({
    body: await pipelines.declareLost(actor, repository, { pipeline: params.id, job: params.job }),
  }));
  app.bindRepository(lintPipeline, async ({ actor, repository, body }) => ({
    body: await pipelines.lint(actor, repository, body),
  }));
  app.bindRepository(planPipeline, async ({ actor, repository, body }) => ({
    body: await pipelines.plan(actor, repository, body),
  }));
}

function registerExport(app: RouteBinder, history: { runExport: RunExport; openLogs: OpenLogs }): void {
  app.bindRepository(exportPipelines, async ({ actor, repository, query, revalidate, raw, turn }) => {
    const lines = await history.runExport.open(repository, query, revalidate);
    const close = history.openLogs.hold(subjectOf(actor));
    raw.res.setHeader("Content-Type", "application/x-ndjson; charset=utf-8");
    return sendInTurns({ ...raw, turn }, lines).finally(close);
  });
}
