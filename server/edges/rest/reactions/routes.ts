/** Binds the operations on reactions. To be called before those on teams, whose `*team` would match them. */
import * as routes from "@forgeline/schemas/reactions/routes.ts";
import type { ReactionService } from "../../../domains/collaboration/domain.ts";
import type { GrantedTeam } from "../../../domains/policy/domain.ts";
import type { RouteBinder } from "../route-binder.ts";

interface ReactionRouteDeps {
  reactions: ReactionService;
}

export function registerReactionRoutes(app: RouteBinder, deps: ReactionRouteDeps): void {
  bindItems(app, deps);
  bindComments(app, deps);
  bindReviews(app, deps);
  bindDiscussions(app, deps);
  bindReplies(app, deps);
}

function bindItems(app: RouteBinder, { reactions }: ReactionRouteDeps): void {
  const { listIssueReactions, addIssueReaction, removeIssueReaction } = routes;
  const { listMergeRequestReactions, addMergeRequestReaction, removeMergeRequestReaction } = routes;
  for (const [kind, list, add, remove] of [
    ["issue", listIssueReactions, addIssueReaction, removeIssueReaction],
    ["merge_request", listMergeRequestReactions, addMergeRequestReaction, removeMergeRequestReaction],
  ] as const) {
    app.bindRepository(list, async ({ actor, params, query, ...granted }) => {
      const text = { granted, kind, number: params.number };
      const { items, total } = await reactions.list(actor, text, query);
      return { body: items, total };
    });
    app.bindRepository(add, async ({ actor, params, body, ...granted }) => ({
      body: await reactions.add(actor, { granted, kind, number: params.number }, body.name),
    }));
    app.bindRepository(remove, ({ actor, params, ...granted }) =>
      reactions.remove(actor, { granted, kind, number: params.number }, params.reaction),
    );
  }
}

function bindComments(app: RouteBinder, { reactions }: ReactionRouteDeps): void {
  const kind = "comment";
  app.bindRepository(routes.listCommentReactions, async ({ actor, params, query, ...granted }) => {
    const { items, total } = await reactions.list(actor, { granted, kind, id: params.id }, query);
    return { body: items, total };
  });
  app.bindRepository(routes.addCommentReaction, async ({ actor, params, body, ...granted }) => ({
    body: await reactions.add(actor, { granted, kind, id: params.id }, body.name),
  }));
  app.bindRepository(routes.removeCommentReaction, ({ actor, params, ...granted }) =>
    reactions.remove(actor, { granted, kind, id: params.id }, params.reaction),
  );
}

function bindReviews(app: RouteBinder, { reactions }: ReactionRouteDeps): void {
  const kind = "review";
  app.bindRepository(routes.listReviewReactions, async ({ actor, params, query, ...granted }) => {
    const { number, review } = params;
    const { items, total } = await reactions.list(actor, { granted, kind, number, review }, query);
    return { body: items, total };
  });
  app.bindRepository(routes.addReviewReaction, async ({ actor, params, body, ...granted }) => {
    const { number, review } = params;
    return { body: await reactions.add(actor, { granted, kind, number, review }, body.name) };
  });
  app.bindRepository(routes.removeReviewReaction, ({ actor, params, ...granted }) => {
    const { number, review, reaction } = params;
    return reactions.remove(actor, { granted, kind, number, review }, reaction);
  });
}

function bindDiscussions(app: RouteBinder, { reactions }: ReactionRouteDeps): void {
  const textOf = (input: GrantedTeam & { params: { number: number } }) =>
    ({ granted: grantedOf(input), kind: "discussion", number: input.params.number }) as const;
  app.bindTeam(routes.listDiscussionReactions, async (input) => {
    const { items, total } = await reactions.list(input.actor, textOf(input), input.query);
    return { body: items, total };
  });
  app.bindTeam(routes.addDiscussionReaction, async (input) => ({
    body: await reactions.add(input.actor, textOf(input), input.body.name),
  }));
  app.bindTeam(routes.removeDiscussionReaction, (input) =>
    reactions.remove(input.actor, textOf(input), input.params.reaction),
  );
}

function bindReplies(app: RouteBinder, { reactions }: ReactionRouteDeps): void {
  const textOf = (input: GrantedTeam & { params: { number: number; id: string } }) => {
    const { number, id } = input.params;
    return { granted: grantedOf(input), kind: "reply", number, id } as const;
  };
  app.bindTeam(routes.listReplyReactions, async (input) => {
    const { items, total } = await reactions.list(input.actor, textOf(input), input.query);
    return { body: items, total };
  });
  app.bindTeam(routes.addReplyReaction, async (input) => ({
    body: await reactions.add(input.actor, textOf(input), input.body.name),
  }));
  app.bindTeam(routes.removeReplyReaction, (input) =>
    reactions.remove(input.actor, textOf(input), input.params.reaction),
  );
}

function grantedOf({ organization, role, team, teamRole }: GrantedTeam): GrantedTeam {
  return { organization, role, team, teamRole };
}
