/** Binds the operations on discussions of teams. To be called before those on teams, whose `*team` would match them. */
import {
  createDiscussion,
  createDiscussionIssue,
  createDiscussionReply,
  deleteDiscussion,
  deleteDiscussionReply,
  getDiscussion,
  getDiscussionReply,
  listDiscussionReplies,
  listDiscussions,
  lockDiscussion,
  pinDiscussion,
  unlockDiscussion,
  unpinDiscussion,
  updateDiscussion,
  updateDiscussionReply,
} from "@forgeline/schemas/discussions/routes.ts";
import type {
  DiscussionIssues,
  DiscussionReplyService,
  DiscussionService,
} from "../../../domains/collaboration/domain.ts";
import type { GrantedTeam } from "../../../domains/policy/domain.ts";
import type { RouteBinder } from "../route-binder.ts";

export interface DiscussionRouteDeps {
  discussions: DiscussionService;
  discussionReplies: DiscussionReplyService;
  discussionIssues: DiscussionIssues;
}

export function registerDiscussionRoutes(app: RouteBinder, deps: DiscussionRouteDeps): void {
  const { discussions, discussionIssues } = deps;
  bindReplies(app, deps);
  bindMarks(app, deps);
  app.bindTeam(listDiscussions, async (input) => {
    const { items, total } = await discussions.list(input.actor, grantedOf(input), input.query);
    return { body: items, total };
  });
  app.bindTeam(createDiscussion, async (input) => {
    const discussion = await discussions.create(input.actor, grantedOf(input), input.body);
    return { body: discussion, location: discussion.url };
  });
  app.bindTeam(getDiscussion, async (input) => ({
    body: await discussions.get(input.actor, grantedOf(input), input.params.number),
  }));
  app.bindTeam(updateDiscussion, async (input) => {
    const wanted = { ...input.body, number: input.params.number };
    return { body: await discussions.update(input.actor, grantedOf(input), wanted) };
  });
  app.bindTeam(createDiscussionIssue, async (input) => {
    const wanted = { ...input.body, number: input.params.number };
    const issue = await discussionIssues.create(input.actor, grantedOf(input), wanted);
    return { body: issue, location: issue.url };
  });
  app.bindTeam(deleteDiscussion, (input) =>
    discussions.remove(input.actor, grantedOf(input), input.params.number),
  );
}

function bindMarks(app: RouteBinder, { discussions }: DiscussionRouteDeps): void {
  for (const [contract, pinned] of [
    [pinDiscussion, true],
    [unpinDiscussion, false],
  ] as const)
    app.bindTeam(contract, (input) =>
      discussions.setPinned(input.actor, grantedOf(input), { number: input.params.number, pinned }),
    );
  for (const [contract, locked] of [
    [lockDiscussion, true],
    [unlockDiscussion, false],
  ] as const)
    app.bindTeam(contract, (input) =>
      discussions.setLocked(input.actor, grantedOf(input), { number: input.params.number, locked }),
    );
}

function bindReplies(app: RouteBinder, { discussionReplies: replies }: DiscussionRouteDeps): void {
  app.bindTeam(listDiscussionReplies, async (input) => {
    const query = { ...input.query, number: input.params.number };
    const { items, total } = await replies.list(input.actor, grantedOf(input), query);
    return { body: items, total };
  });
  app.bindTeam(createDiscussionReply, async (input) => {
    const wanted = { ...input.body, number: input.params.number };
    const reply = await replies.create(input.actor, grantedOf(input), wanted);
    return { body: reply, location: reply.url };
  });
  app.bindTeam(getDiscussionReply, async (input) => ({
    body: await replies.get(input.actor, grantedOf(input), addressOf(input.params)),
  }));
  app.bindTeam(updateDiscussionReply, async (input) => {
    const wanted = { ...addressOf(input.params), ...input.body };
    return { body: await replies.update(input.actor, grantedOf(input), wanted) };
  });
  app.bindTeam(deleteDiscussionReply, (input) =>
    replies.remove(input.actor, grantedOf(input), addressOf(input.params)),
  );
}

function addressOf({ number, id }: { number: number; id: string }) {
  return { number, id };
}

function grantedOf({ organization, role, team, teamRole }: GrantedTeam): GrantedTeam {
  return { organization, role, team, teamRole };
}
