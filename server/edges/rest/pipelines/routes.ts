/** Binds the operations on runs. */
import {
  cancelPipeline,
  declareJobLost,
  exportOrganizationPipelines,
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
import type {
  OpenLogs,
  OrganizationExport,
  PipelineService,
  RunExport,
} from "../../../domains/pipelines/domain.ts";
import type { Actor } from "../../../platform/access/actor.ts";
import { subjectOf } from "../../../platform/access/subject.ts";
import { sendInTurns, type SlowExchange } from "../logs/send-in-turns.ts";

interface History {
  runExport: RunExport;
  organizationExport: OrganizationExport;
  openLogs: OpenLogs;
}

export function registerPipelineRoutes(
  app: RouteBinder,
  { pipelines, ...history }: { pipelines: PipelineService } & History,
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
    body: await pipelines.rerun(actor, repository, { id: params.id, ...body }),
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

function registerExport(app: RouteBinder, history: History): void {
  const send = (actor: Actor, exchange: SlowExchange, lines: AsyncIterable<string>) => {
    const close = history.openLogs.hold(subjectOf(actor));
    exchange.res.setHeader("Content-Type", "application/x-ndjson; charset=utf-8");
    return sendInTurns(exchange, lines).finally(close);
  };
  app.bindRepository(exportPipelines, async ({ actor, repository, query, revalidate, raw, turn }) => {
    const lines = await history.runExport.open(repository, query, revalidate);
    return send(actor, { ...raw, turn }, lines);
  });
  app.bindOrganization(exportOrganizationPipelines, async ({ raw, turn, actor, ...asked }) => {
    const lines = await history.organizationExport.open({ actor, ...asked });
    return send(actor, { ...raw, turn }, lines);
  });
}
