/** Asks code owners of what a merge request changes for a review: each person and team once, with the first line that names them. */
import { AppError } from "../../../../platform/app-error.ts";
import type { Database } from "../../../../platform/db/database.ts";
import type { CodeOwnerReviewer, Reviewers } from "../../reviews/reviewers.ts";
import { placeActor, type MergeRequestChanges } from "../changes.ts";
import { findOwned, type OwnerNeedsDeps, type Subject } from "./owner-needs.ts";

export interface OwnerRequests {
  /** Those that were asked before and own nothing of it any more are not asked any more; where it changes too much to tell, all stay. Safe to repeat. */
  ask(repositoryId: string, subject: Subject): Promise<void>;
}

export interface OwnerRequestsDeps extends OwnerNeedsDeps {
  db: Database;
  changes: Pick<MergeRequestChanges, "lock" | "askReview">;
  reviewers: Pick<Reviewers, "setCodeOwners">;
}

const maxAsked = 100;

export function createOwnerRequests(deps: OwnerRequestsDeps): OwnerRequests {
  const { db, changes, reviewers } = deps;
  return {
    async ask(repositoryId, subject) {
      // Which teams there are is decided for whoever looks at the reviewers.
      const everyone = { userId: null, isAdmin: false };
      const lines = await findOwned(deps, { viewer: everyone, repositoryId, subject });
      // Too much to tell is not nothing: who is asked stays so, and is not told anew once it can be told again.
      if (lines === null) return;
      const asked = new Map<string, CodeOwnerReviewer>();
      for (const { rule, known } of lines)
        for (const owner of known) {
          const { pattern } = rule;
          if (owner.type === "team")
            asked.set(owner.teamId, asked.get(owner.teamId) ?? { teamId: owner.teamId, pattern });
          else if (owner.userId !== subject.authorId)
            asked.set(owner.userId, asked.get(owner.userId) ?? { userId: owner.userId, pattern });
        }
      try {
        await db.transaction(async (tx) => {
          const item = await changes.lock(tx, repositoryId, subject.number);
          const owners = [...asked.values()].slice(0, maxAsked);
          const added = await reviewers.setCodeOwners(tx, item.id, owners);
          await changes.askReview(tx, { item, actor: placeActor(null) }, added);
        });
      } catch (error) {
        // It was deleted meanwhile, with its repository.
        if (!(error instanceof AppError)) throw error;
      }
    },
  };
}
