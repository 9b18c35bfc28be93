/**
 * Reactions to texts: one sign of a fixed set, of each at most one by one person. Who may comment may react. Nobody is told, and no
 * event is made of them.
 */
import type { Reaction, ReactionName, Reactions } from "@forgeline/schemas/reactions/resource.ts";
import type { ReactionQuery } from "@forgeline/schemas/reactions/routes.ts";
import { userIdOf, type Actor } from "../../../platform/access/actor.ts";
import type { Addresses } from "../../../platform/addresses.ts";
import { AppError } from "../../../platform/app-error.ts";
import type { Database } from "../../../platform/db/database.ts";
import type { GrantedRepository, GrantedTeam } from "../../policy/domain.ts";
import type { CommentService } from "../comments/service.ts";
import type { DiscussionReplyService } from "../discussions/replies.ts";
import type { DiscussionService } from "../discussions/service.ts";
import type { ReviewService } from "../reviews/service.ts";
import type { WorkItems, ItemKind } from "../work-items/work-items.ts";
import { mayChange, viewerOf } from "../work-items/may-change.ts";
import { presentReaction, presentReactions } from "./present.ts";
import * as store from "./reactions.store.ts";

/** Which text, and what it is found by. */
export type ReactedText =
  | { granted: GrantedRepository; kind: ItemKind; number: number }
  | { granted: GrantedRepository; kind: "comment"; id: string }
  | { granted: GrantedRepository; kind: "review"; number: number; review: string }
  | { granted: GrantedTeam; kind: "discussion"; number: number }
  | { granted: GrantedTeam; kind: "reply"; number: number; id: string };

export interface ReactionService {
  /** Oldest first. Throws `not_found`. */
  list(actor: Actor, text: ReactedText, query: ReactionQuery): Promise<{ items: Reaction[]; total: number }>;
  /** Throws `not_found`, and `forbidden` for those who may not comment. What is there already stays once. */
  add(actor: Actor, text: ReactedText, name: ReactionName): Promise<Reactions>;
  /** One's own. Throws `not_found` where the text is not there; a reaction that is not there is no mistake. */
  remove(actor: Actor, text: ReactedText, name: ReactionName): Promise<void>;
}

export interface ReactionServiceDeps {
  db: Database;
  addresses: Addresses;
  workItems: Pick<WorkItems, "find">;
  comments: Pick<CommentService, "findToReact">;
  reviews: Pick<ReviewService, "get">;
  discussions: Pick<DiscussionService, "get">;
  discussionReplies: Pick<DiscussionReplyService, "get">;
}

/** A text that the actor sees. */
interface Found {
  id: string;
  mayReact: boolean;
}

export function createReactionService(deps: ReactionServiceDeps): ReactionService {
  const { db, addresses } = deps;

  async function onBoard(actor: Actor, text: Extract<ReactedText, { granted: GrantedTeam }>): Promise<Found> {
    const { granted, number } = text;
    const discussion = await deps.discussions.get(actor, granted, number);
    const mayReact = discussion.viewer_may.reply;
    if (text.kind === "discussion") return { id: discussion.id, mayReact };
    return { id: (await deps.discussionReplies.get(actor, granted, { number, id: text.id })).id, mayReact };
  }

  async function find(actor: Actor, text: ReactedText, isChange: boolean): Promise<Found> {
    if (text.kind === "discussion" || text.kind === "reply") return onBoard(actor, text);
    const { granted } = text;
    if (text.kind === "comment") return deps.comments.findToReact(actor, granted, { id: text.id, isChange });
    if (text.kind === "review") {
      const review = await deps.reviews.get(actor, granted, text);
      return { id: review.id, mayReact: review.viewer_may.react };
    }
    const { kind, number } = text;
    const item = await deps.workItems.find({ repositoryId: granted.repository.id, number, kind });
    return { id: item.id, mayReact: mayChange(viewerOf(actor, granted), item).comment };
  }

  return {
    async list(actor, text, query) {
      const { id } = await find(actor, text, false);
      const { rows, total } = await store.listReactions(db, id, query);
      return { items: rows.map((row) => presentReaction(row, addresses)), total };
    },
    async add(actor, text, name) {
      const { id, mayReact } = await find(actor, text, true);
      if (!mayReact)
        throw new AppError("forbidden", {
          message: "Only those who may comment here react: the conversation is locked, or not yours.",
        });
      const userId = userIdOf(actor);
      await store.addReaction(db, { subjectId: id, userId, name });
      return presentReactions(await store.countReactions(db, id, userId));
    },
    async remove(actor, text, name) {
      const { id } = await find(actor, text, true);
      await store.removeReaction(db, { subjectId: id, userId: userIdOf(actor), name });
    },
  };
}
