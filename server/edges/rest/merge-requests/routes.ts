/** Binds the operations on merge requests. */
import {
  closeMergeRequest,
  createMergeRequest,
  createMergeRequestComment,
  getMergeRequest,
  listMergeRequestComments,
  listMergeRequestFiles,
  listMergeRequestCommits,
  listMergeRequests,
  listMergeRequestTimeline,
  mergeMergeRequest,
  reopenMergeRequest,
  setMergeRequestDraft,
  updateMergeRequest,
} from "@forgeline/schemas/merge-requests/routes.ts";
import type {
  CommentService,
  MergeRequestContent,
  MergeRequestMerging,
  MergeRequestService,
} from "../../../domains/collaboration/domain.ts";
import type { RouteBinder } from "../route-binder.ts";

export interface MergeRequestRoutesDeps {
  mergeRequests: MergeRequestService;
  mergeRequestContent: MergeRequestContent;
  mergeRequestMerging: MergeRequestMerging;
  comments: CommentService;
}

export function registerMergeRequestRoutes(app: RouteBinder, deps: MergeRequestRoutesDeps): void {
  const { mergeRequests, mergeRequestMerging } = deps;
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
  app.bindRepository(mergeMergeRequest, async ({ actor, params, body, ...granted }) => ({
    body: await mergeRequestMerging.merge(actor, granted, { ...body, number: params.number }),
  }));
  registerParts(app, deps);
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
  app.bindRepository(listMergeRequestTimeline, async ({ params, query, ...granted }) => {
    const { items, total } = await mergeRequests.timeline(granted, params.number, query);
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
