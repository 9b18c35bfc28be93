/** Asks people and teams to review a merge request, and shows what they say. */
import type { PageQuery } from "@forgeline/schemas/core/pagination.ts";
import type { MergeRequest } from "@forgeline/schemas/merge-requests/resource.ts";
import type { Reviewer, ReviewersUpdate } from "@forgeline/schemas/reviews/resource.ts";
import type { Actor } from "../../../platform/access/actor.ts";
import type { Addresses } from "../../../platform/addresses.ts";
import { AppError } from "../../../platform/app-error.ts";
import type { Database, Transaction } from "../../../platform/db/database.ts";
import { presentEventUser } from "../../accounts/domain.ts";
import type { GrantedRepository } from "../../policy/domain.ts";
import { mayChange, viewerOf } from "../work-items/may-change.ts";
import type { Place } from "../work-items/work-items.ts";
import { findPlace } from "./places.store.ts";
import type { ReviewedMergeRequests } from "./review-changes.ts";
import type { Reviewers, ReviewRequest } from "./reviewers.ts";
import { listReviewers } from "./reviewers.store.ts";

export interface ReviewerService {
  /** Teams only as far as the caller may see them. Throws `not_found`. */
  list(
    actor: Actor,
    granted: GrantedRepository,
    query: PageQuery & { number: number },
  ): Promise<{ items: Reviewer[]; total: number }>;
  /** Throws `not_found`, `forbidden`, and as `Reviewers.set`. What is already so is no change. */
  set(
    actor: Actor,
    granted: GrantedRepository,
    wanted: ReviewersUpdate & { number: number },
  ): Promise<MergeRequest>;
}

export interface ReviewerServiceDeps {
  db: Database;
  addresses: Addresses;
  reviewers: Reviewers;
  mergeRequests: Pick<ReviewedMergeRequests, "lock"> & {
    tellEdited(tx: Transaction, place: Place): Promise<void>;
    /** Those who are asked are told. Nothing for nobody. */
    askReview(tx: Transaction, place: Place, asked: ReviewRequest): Promise<void>;
    get(actor: Actor, granted: GrantedRepository, number: number): Promise<MergeRequest>;
  };
}

export function createReviewerService(deps: ReviewerServiceDeps): ReviewerService {
  const { db, addresses, reviewers, mergeRequests } = deps;
  return {
    async list(actor, granted, { number, page, per_page: perPage }) {
      const row = await findPlace(db, granted.repository.id, number);
      if (!row) throw new AppError("not_found");
      const { users, teams } = await listReviewers(db, row.id, actor);
      const all: Reviewer[] = [
        ...users.map(({ user_snapshot: user, reason, pattern, state }) => ({
          user: presentEventUser(user, addresses),
          team: null,
          reason,
          pattern,
          state,
        })),
        ...teams.map((team) => ({ user: null, ...team })),
      ];
      return { items: all.slice((page - 1) * perPage, page * perPage), total: all.length };
    },
    async set(actor, granted, { number, ...wanted }) {
      await db.transaction(async (tx) => {
        const item = await mergeRequests.lock(tx, granted.repository.id, number);
        const may = mayChange(viewerOf(actor, granted), item);
        if (!may.close)
          throw new AppError("forbidden", {
            message: "Only the author, and those with Triage, ask for reviews.",
          });
        const { isChanged, asked } = await reviewers.set(
          tx,
          { item, actor, onlyReviewed: !may.triage },
          wanted,
        );
        if (item.state !== "open" && asked.users.length + asked.teams.length > 0)
          throw new AppError("conflict", {
            message: "Reviews are asked for while a merge request is open.",
          });
        // First, so that the edit tells nobody of it once more.
        await mergeRequests.askReview(tx, { item, actor }, asked);
        if (isChanged) await mergeRequests.tellEdited(tx, { item, actor });
      });
      return mergeRequests.get(actor, granted, number);
    },
  };
}
