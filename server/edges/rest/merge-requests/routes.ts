/** Binds the operations on merge requests. */
import {
  cancelAutoMerge,
  closeMergeRequest,
  createMergeRequest,
  createMergeRequestComment,
  enableAutoMerge,
  getMergeRequest,
  getMergeRequestApprovals,
  listMergeRequestChecks,
  listMergeRequestComments,
  listMergeRequestFiles,
  listMergeRequestCommits,
  listMergeRequests,
  listMergeRequestTimeline,
  mergeMergeRequest,
  reopenMergeRequest,
  runMergeRequestPipelines,
  setMergeRequestDraft,
  updateMergeRequest,
} from "@forgeline/schemas/merge-requests/routes.ts";
import type {
  AutoMergeService,
  CommentService,
  MergeRequestContent,
  MergeRequestService,
  MergeRequirements,
} from "../../../domains/collaboration/domain.ts";
import type { MergeRequestRuns } from "../../../domains/pipelines/domain.ts";
import type { RouteBinder } from "../route-binder.ts";

export interface MergeRequestRoutesDeps {
  mergeRequests: MergeRequestService;
  mergeRequestContent: MergeRequestContent;
  autoMerges: AutoMergeService;
  mergeRequirements: MergeRequirements;
  comments: CommentService;
}

export function registerMergeRequestRoutes(
  app: RouteBinder,
  deps: MergeRequestRoutesDeps & { mergeRequestRuns: Pick<MergeRequestRuns, "runAgain"> },
): void {
  const { mergeRequests } = deps;
  app.bindRepository(listMergeRequests, async ({ actor, query, ...granted }) => {
    const { items, total } = await mergeRequests.list(actor, granted, query);
    return { body: items, total };
  });
  app.bindRepository(createMergeRequest, async ({ actor, body, ...granted }) => {
    const made = await mergeRequests.create(actor, granted, body);
    return { body: made, location: made.url };
  });
  app.bindRepository(getMergeRequest, async ({ actor, params, ...granted }) => ({
    body: await mergeRequests.get(actor, granted, params.number),
  }));
  app.bindRepository(updateMergeRequest, async ({ actor, params, body, ...granted }) => ({
    body: await mergeRequests.update(actor, granted, { ...body, number: params.number }),
  }));
  app.bindRepository(setMergeRequestDraft, async ({ actor, params, body, ...granted }) => ({
    body: await mergeRequests.update(actor, granted, { ...body, number: params.number }),
  }));
  app.bindRepository(closeMergeRequest, async ({ actor, params, ...granted }) => ({
    body: await mergeRequests.close(actor, granted, params.number),
  }));
  app.bindRepository(reopenMergeRequest, async ({ actor, params, ...granted }) => ({
    body: await mergeRequests.reopen(actor, granted, params.number),
  }));
  app.bindRepository(runMergeRequestPipelines, ({ actor, repository, params }) =>
    deps.mergeRequestRuns.runAgain(actor, repository, params.number),
  );
  registerMerging(app, deps);
  registerParts(app, deps);
  registerRequirements(app, deps);
}

function registerMerging(app: RouteBinder, { autoMerges }: MergeRequestRoutesDeps): void {
  app.bindRepository(mergeMergeRequest, async ({ actor, params, body, ...granted }) => ({
    body: await autoMerges.merge(actor, granted, { ...body, number: params.number }),
  }));
  app.bindRepository(enableAutoMerge, async ({ actor, params, body, ...granted }) => ({
    body: await autoMerges.enable(actor, granted, { ...body, number: params.number }),
  }));
  app.bindRepository(cancelAutoMerge, async ({ actor, params, ...granted }) => ({
    body: await autoMerges.cancel(actor, granted, params.number),
  }));
}

function registerRequirements(app: RouteBinder, { mergeRequirements }: MergeRequestRoutesDeps): void {
  app.bindRepository(getMergeRequestApprovals, async ({ actor, params, ...granted }) => ({
    body: await mergeRequirements.approvals(actor, granted, params.number),
  }));
  app.bindRepository(listMergeRequestChecks, async ({ actor, params, query, ...granted }) => {
    const wanted = { ...query, number: params.number };
    const { items, total } = await mergeRequirements.checks(actor, granted, wanted);
    return { body: items, total };
  });
}

function registerParts(
  app: RouteBinder,
  { mergeRequests, mergeRequestContent, comments }: MergeRequestRoutesDeps,
): void {
  app.bindRepository(listMergeRequestCommits, async ({ params, query, repository }) => {
    const { items, total } = await mergeRequestContent.commits(repository, {
      ...query,
      number: params.number,
    });
    return { body: items, total };
  });
  app.bindRepository(listMergeRequestFiles, async ({ params, query, revalidate, repository }) => {
    const wanted = { ...query, number: params.number };
    const { files, total, truncated } = await mergeRequestContent.files(repository, wanted, revalidate);
    return { body: files, total, ...(truncated ? { headers: { "X-Files-Truncated": "true" } } : {}) };
  });
  app.bindRepository(listMergeRequestTimeline, async ({ actor, params, query, ...granted }) => {
    const { items, total } = await mergeRequests.timeline(actor, granted, {
      number: params.number,
      ...query,
    });
    return { body: items, total };
  });
  app.bindRepository(listMergeRequestComments, async ({ actor, params, query, ...granted }) => {
    const { number } = params;
    const { items, total } = await comments.list(actor, granted, { kind: "merge_request", number, ...query });
    return { body: items, total };
  });
  app.bindRepository(createMergeRequestComment, async ({ actor, params, body, ...granted }) => {
    const { number } = params;
    const comment = await comments.create(actor, granted, { kind: "merge_request", number, body: body.body });
    return { body: comment, location: comment.url };
  });
}
