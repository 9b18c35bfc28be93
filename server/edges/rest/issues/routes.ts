/** Binds the operations on issues. */
import {
  createIssue,
  createIssueComment,
  deleteIssue,
  getIssue,
  listIssueComments,
  listIssues,
  listIssueTimeline,
  lockIssue,
  transferIssue,
  pinIssue,
  unlockIssue,
  unpinIssue,
  updateIssue,
  updateIssues,
} from "@forgeline/schemas/issues/routes.ts";
import type {
  CommentService,
  IssueBulkEdits,
  IssueService,
  IssueTransferService,
} from "../../../domains/collaboration/domain.ts";
import type { RouteBinder } from "../route-binder.ts";

interface IssueRouteDeps {
  issues: IssueService;
  issueBulkEdits: IssueBulkEdits;
  issueTransfers: IssueTransferService;
  comments: CommentService;
}

export function registerIssueRoutes(
  app: RouteBinder,
  { issues, issueBulkEdits, issueTransfers, comments }: IssueRouteDeps,
): void {
  app.bindRepository(listIssues, async ({ actor, query, ...granted }) => {
    const { items, total } = await issues.list(actor, granted, query);
    return { body: items, total };
  });
  app.bindRepository(createIssue, async ({ actor, body, ...granted }) => {
    const issue = await issues.create(actor, granted, body);
    return { body: issue, location: issue.url };
  });
  app.bindRepository(getIssue, async ({ actor, params, ...granted }) => ({
    body: await issues.get(actor, granted, params.number),
  }));
  app.bindRepository(updateIssue, async ({ actor, params, body, ...granted }) => ({
    body: await issues.update(actor, granted, { ...body, number: params.number }),
  }));
  app.bindRepository(updateIssues, async ({ actor, body, ...granted }) => ({
    body: await issueBulkEdits.update(actor, granted, body),
  }));
  app.bindRepository(transferIssue, async ({ actor, params, body, ...granted }) => ({
    body: await issueTransfers.transfer(actor, granted, { number: params.number, ...body }),
  }));
  app.bindRepository(deleteIssue, ({ actor, params, ...granted }) =>
    issues.remove(actor, granted, params.number),
  );
  app.bindRepository(listIssueTimeline, async ({ actor, params, query, ...granted }) => {
    const { items, total } = await issues.timeline(actor, granted, { number: params.number, ...query });
    return { body: items, total };
  });
  app.bindRepository(listIssueComments, async ({ actor, params, query, ...granted }) => {
    const { number } = params;
    const { items, total } = await comments.list(actor, granted, { kind: "issue", number, ...query });
    return { body: items, total };
  });
  app.bindRepository(createIssueComment, async ({ actor, params, body, ...granted }) => {
    const { number } = params;
    const comment = await comments.create(actor, granted, { kind: "issue", number, body: body.body });
    return { body: comment, location: comment.url };
  });
  registerMarks(app, issues);
}

function registerMarks(app: RouteBinder, issues: IssueService): void {
  app.bindRepository(lockIssue, ({ actor, params, ...granted }) =>
    issues.setLocked(actor, granted, { number: params.number, locked: true }),
  );
  app.bindRepository(unlockIssue, ({ actor, params, ...granted }) =>
    issues.setLocked(actor, granted, { number: params.number, locked: false }),
  );
  app.bindRepository(pinIssue, ({ actor, params, ...granted }) =>
    issues.setPinned(actor, granted, { number: params.number, pinned: true }),
  );
  app.bindRepository(unpinIssue, ({ actor, params, ...granted }) =>
    issues.setPinned(actor, granted, { number: params.number, pinned: false }),
  );
}
