/** Who is asked to review merge requests: people, teams and code owners. Each change is made in the transaction of whoever makes it. */
import { maxReviewers } from "@forgeline/schemas/merge-requests/resource.ts";
import type { ReviewersUpdate } from "@forgeline/schemas/reviews/resource.ts";
import type { Actor } from "../../../platform/access/actor.ts";
import { AppError, invalidField } from "../../../platform/app-error.ts";
import type { Database, Queryable, Transaction } from "../../../platform/db/database.ts";
import type { Place, WorkItems } from "../work-items/work-items.ts";
import * as store from "./reviewers.store.ts";

/** Somebody whom CODEOWNERS names for what a merge request changes. */
export type CodeOwnerReviewer =
  | { userId: string; teamId?: never; pattern: string }
  | { teamId: string; userId?: never; pattern: string };

export interface Reviewers {
  /**
   * People and teams that are asked by hand; they replace those that were. The work item is locked. False where nothing changed.
   * Throws `validation_failed` for people who cannot be asked and teams that the actor may not see, and `conflict` past the bound.
   */
  set(tx: Transaction, place: ReviewersPlace, wanted: ReviewersUpdate): Promise<boolean>;
  /** Before the actor makes a merge request. Throws `validation_failed` as `set`. */
  refuseUnknown(actor: Actor, repositoryId: string, usernames: readonly string[]): Promise<void>;
  /** Code owners; they replace those that were. The first pattern of each counts. Safe to repeat. */
  setCodeOwners(tx: Transaction, mergeRequestId: string, owners: readonly CodeOwnerReviewer[]): Promise<void>;
  /** Full names of the teams that are asked and that the actor may see, by merge request. */
  visibleTeams(
    actor: Pick<Actor, "userId" | "isAdmin">,
    mergeRequestIds: readonly string[],
  ): Promise<ReadonlyMap<string, string[]>>;
}

/** The work item is that of the merge request. */
export interface ReviewersPlace {
  item: Place["item"];
  actor: Actor;
}

export interface ReviewersDeps {
  db: Database;
  workItems: Pick<WorkItems, "record">;
}

export function createReviewers({ db, workItems }: ReviewersDeps): Reviewers {
  async function setUsers(tx: Transaction, { item, actor }: ReviewersPlace, wanted: readonly string[]) {
    const before = await tx.query(store.statements.usersOf, [item.id]);
    const names = inLowerCase(wanted);
    // Who is asked already may stay, whatever has become of their access.
    const kept = before.filter(({ username }) => names.includes(username.toLowerCase()));
    const asked = names.filter((name) => !kept.some(({ username }) => username.toLowerCase() === name));
    const added = await findUsers(tx, item, asked);
    const removed = before.filter((user) => !kept.includes(user));
    if (added.length + removed.length === 0) return false;
    await tx.query(store.statements.removeUsers, [item.id, removed.map(({ id }) => id)]);
    await tx.query(store.statements.addUsers, [item.id, added.map(({ id }) => id), actor.userId]);
    await workItems.record(tx, { item, actor }, [
      ...added.map(({ username }) => ({ kind: "review_requested" as const, details: { username } })),
      ...removed.map(({ username }) => ({ kind: "review_request_removed" as const, details: { username } })),
    ]);
    return true;
  }

  /** The timeline names no team: not everybody who reads it may know which there are. */
  async function setTeams(tx: Transaction, { item, actor }: ReviewersPlace, wanted: readonly string[]) {
    const seen = await tx.query(store.statements.teamsOf, [item.id, actor.userId, actor.isAdmin]);
    const found = await findTeams(tx, { item, actor }, inLowerCase(wanted));
    const added = found.filter(({ id }) => !seen.some((team) => team.id === id));
    const removed = seen.filter(({ id }) => !found.some((team) => team.id === id));
    if (added.length + removed.length === 0) return false;
    await tx.query(store.statements.removeTeams, [item.id, removed.map(({ id }) => id)]);
    await tx.query(store.statements.addTeams, [item.id, added.map(({ id }) => id), actor.userId]);
    await workItems.record(tx, { item, actor }, [
      ...added.map(() => ({ kind: "review_requested" as const })),
      ...removed.map(() => ({ kind: "review_request_removed" as const })),
    ]);
    return true;
  }

  return {
    async set(tx, place, { reviewers, teams }) {
      const isChanged = [
        reviewers !== undefined && (await setUsers(tx, place, reviewers)),
        teams !== undefined && (await setTeams(tx, place, teams)),
      ].includes(true);
      const counted = await tx.one(store.statements.countAsked, [place.item.id]);
      if (isChanged && (counted?.total ?? 0) > maxReviewers)
        throw new AppError("conflict", {
          message: `At most ${maxReviewers} people and teams can be asked for a review.`,
        });
      return isChanged;
    },
    async refuseUnknown(actor, repositoryId, usernames) {
      await findUsers(db, { repository_id: repositoryId, author_id: actor.userId }, inLowerCase(usernames));
    },
    async setCodeOwners(tx, mergeRequestId, owners) {
      const byId = new Map<string, store.OwnerRow>();
      for (const { userId = null, teamId = null, pattern } of owners) {
        const id = userId ?? teamId;
        if (id !== null && !byId.has(id)) byId.set(id, { user_id: userId, team_id: teamId, pattern });
      }
      await store.replaceOwners(tx, mergeRequestId, [...byId.values()]);
    },
    visibleTeams: (actor, ids) => store.visibleTeams(db, ids, actor),
  };
}

function inLowerCase(names: readonly string[]): string[] {
  return [...new Set(names.map((name) => name.toLowerCase()))];
}

async function findUsers(
  db: Queryable,
  item: Pick<Place["item"], "repository_id" | "author_id">,
  names: string[],
) {
  if (names.length === 0) return [];
  const wanted = { repositoryId: item.repository_id, names, authorId: item.author_id };
  const found = await store.findReviewers(db, wanted);
  const missing = names.find((name) => !found.some(({ username }) => username.toLowerCase() === name));
  if (missing === undefined) return found;
  const message = `${missing} cannot be asked for a review here: people who belong to the repository can, but not who proposed it.`;
  throw invalidField("reviewers", "unknown", message);
}

async function findTeams(tx: Transaction, { item, actor }: ReviewersPlace, names: string[]) {
  if (names.length === 0) return [];
  const found = await store.findTeams(tx, { repositoryId: item.repository_id, names, viewer: actor });
  const missing = names.find((name) => !found.some((team) => team.name === name));
  if (missing === undefined) return found;
  const message = `No team of the organization that owns the repository is named ${missing}.`;
  throw invalidField("teams", "unknown", message);
}
