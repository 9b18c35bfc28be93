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

/** Ids of those who are asked now. */
export interface ReviewRequest {
  users: readonly string[];
  teams: readonly string[];
}

export interface SetReviewers {
  /** Who is to review it is not as it was. */
  isChanged: boolean;
  /** Anew, or once more. */
  asked: ReviewRequest;
}

export interface Reviewers {
  /**
   * People and teams that are asked by hand; they replace those that were. The work item is locked.
   * Throws `validation_failed` for people who cannot be asked and teams that the actor may not see, and `conflict` past the bound, and for who is
   * asked again too early.
   */
  set(tx: Transaction, place: SetPlace, wanted: ReviewersUpdate): Promise<SetReviewers>;
  /** Before the actor makes a merge request. Throws `validation_failed` as `set`. */
  refuseUnknown(actor: Actor, repositoryId: string, usernames: readonly string[]): Promise<void>;
  /** Code owners; they replace those that were. The first pattern of each counts. Safe to repeat. Those whom nobody had asked before. */
  setCodeOwners(
    tx: Transaction,
    mergeRequestId: string,
    owners: readonly CodeOwnerReviewer[],
  ): Promise<ReviewRequest>;
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

export interface SetPlace extends ReviewersPlace {
  /** The actor asks again only those who have reviewed it since they were asked. */
  onlyReviewed: boolean;
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
    const added = await findUsers(tx, item, { field: "reviewers", names: asked });
    const removed = before.filter((user) => !kept.includes(user));
    if (removed.length > 0) {
      await tx.query(store.statements.removeUsers, [item.id, removed.map(({ id }) => id)]);
      await workItems.record(
        tx,
        { item, actor },
        removed.map(({ username }) => noLongerAsked(username)),
      );
    }
    return { added: await askUsers(tx, { item, actor }, added), removed: removed.length };
  }

  async function askUsers(
    tx: Transaction,
    { item, actor }: ReviewersPlace,
    users: readonly { id: string; username: string }[],
  ): Promise<string[]> {
    const ids = users.map(({ id }) => id);
    if (ids.length === 0) return ids;
    await tx.query(store.statements.addUsers, [item.id, ids, actor.userId]);
    const events = users.map(({ username }) => ({
      kind: "review_requested" as const,
      details: { username },
    }));
    await workItems.record(tx, { item, actor }, events);
    return ids;
  }

  async function setTeams(tx: Transaction, { item, actor }: ReviewersPlace, wanted: readonly string[]) {
    const seen = await tx.query(store.statements.teamsOf, [item.id, actor.userId, actor.isAdmin]);
    const found = await findTeams(tx, { item, actor }, { field: "teams", names: inLowerCase(wanted) });
    const added = found.filter(({ id }) => !seen.some((team) => team.id === id));
    const removed = seen.filter(({ id }) => !found.some((team) => team.id === id));
    if (removed.length > 0) {
      await tx.query(store.statements.removeTeams, [item.id, removed.map(({ id }) => id)]);
      const events = removed.map(() => ({ kind: "review_request_removed" as const }));
      await workItems.record(tx, { item, actor }, events);
    }
    return { added: await askTeams(tx, { item, actor }, added), removed: removed.length };
  }

  /** The timeline names no team: not everybody who reads it may know which there are. */
  async function askTeams(
    tx: Transaction,
    { item, actor }: ReviewersPlace,
    teams: readonly { id: string }[],
  ): Promise<string[]> {
    const ids = teams.map(({ id }) => id);
    if (ids.length === 0) return ids;
    await tx.query(store.statements.addTeams, [item.id, ids, actor.userId]);
    const events = teams.map(() => ({ kind: "review_requested" as const }));
    await workItems.record(tx, { item, actor }, events);
    return ids;
  }

  async function askAgain(tx: Transaction, place: SetPlace, wanted: ReviewersUpdate) {
    const { again = [], teams_again: teamsAgain = [] } = wanted;
    if (place.onlyReviewed && again.length + teamsAgain.length > 0)
      await refuseWaiting(tx, place, [...again, ...teamsAgain]);
    const users = await findUsers(tx, place.item, { field: "again", names: inLowerCase(again) });
    const names = inLowerCase(teamsAgain);
    const teams = await findTeams(tx, place, { field: "teams_again", names });
    return { users: await askUsers(tx, place, users), teams: await askTeams(tx, place, teams) };
  }

  return {
    async set(tx, place, wanted) {
      const { reviewers, teams } = wanted;
      const users = reviewers === undefined ? unchanged : await setUsers(tx, place, reviewers);
      const ofTeams = teams === undefined ? unchanged : await setTeams(tx, place, teams);
      const again = await askAgain(tx, place, wanted);
      const isChanged = [users, ofTeams].some(({ added, removed }) => added.length + removed > 0);
      const asked = {
        users: [...new Set([...users.added, ...again.users])],
        teams: [...new Set([...ofTeams.added, ...again.teams])],
      };
      const counted = await tx.one(store.statements.countAsked, [place.item.id]);
      if (asked.users.length + asked.teams.length > 0 && (counted?.total ?? 0) > maxReviewers)
        throw new AppError("conflict", {
          message: `At most ${maxReviewers} people and teams can be asked for a review.`,
        });
      return { isChanged, asked };
    },
    async refuseUnknown(actor, repositoryId, usernames) {
      const item = { repository_id: repositoryId, author_id: actor.userId };
      await findUsers(db, item, { field: "reviewers", names: inLowerCase(usernames) });
    },
    async setCodeOwners(tx, mergeRequestId, owners) {
      const byId = new Map<string, store.OwnerRow>();
      for (const { userId = null, teamId = null, pattern } of owners) {
        const id = userId ?? teamId;
        if (id !== null && !byId.has(id)) byId.set(id, { user_id: userId, team_id: teamId, pattern });
      }
      const added = await store.replaceOwners(tx, mergeRequestId, [...byId.values()]);
      return {
        users: added.flatMap(({ user_id: id }) => id ?? []),
        teams: added.flatMap(({ team_id: id }) => id ?? []),
      };
    },
    visibleTeams: (actor, ids) => store.visibleTeams(db, ids, actor),
  };
}

async function refuseWaiting(tx: Transaction, { item, actor }: SetPlace, names: readonly string[]) {
  const { users, teams } = await store.listReviewers(tx, item.id, actor);
  const reviewed = [
    ...users.map(({ user_snapshot: user, state }) => ({ name: user.username, state })),
    ...teams.map(({ team: name, state }) => ({ name, state })),
  ].filter(({ state }) => state !== "waiting");
  const isWaiting = (name: string) => !reviewed.some((one) => one.name.toLowerCase() === name.toLowerCase());
  const waiting = names.find(isWaiting);
  if (waiting !== undefined)
    throw new AppError("conflict", {
      message: `${waiting} has not reviewed it since they were asked: only those with Triage ask once more before that.`,
    });
}

const unchanged = { added: [], removed: 0 };

const noLongerAsked = (username: string) => ({
  kind: "review_request_removed" as const,
  details: { username },
});

function inLowerCase(names: readonly string[]): string[] {
  return [...new Set(names.map((name) => name.toLowerCase()))];
}

/** In lower case; which field of the request names them. */
interface NamedIn {
  field: string;
  names: readonly string[];
}

async function findUsers(
  db: Queryable,
  item: Pick<Place["item"], "repository_id" | "author_id">,
  { field, names }: NamedIn,
) {
  if (names.length === 0) return [];
  const wanted = { repositoryId: item.repository_id, names, authorId: item.author_id };
  const found = await store.findReviewers(db, wanted);
  const missing = names.find((name) => !found.some(({ username }) => username.toLowerCase() === name));
  if (missing === undefined) return found;
  const message = `${missing} cannot be asked for a review here: people who belong to the repository can, but not who proposed it.`;
  throw invalidField(field, "unknown", message);
}

async function findTeams(tx: Transaction, { item, actor }: ReviewersPlace, { field, names }: NamedIn) {
  if (names.length === 0) return [];
  const found = await store.findTeams(tx, { repositoryId: item.repository_id, names, viewer: actor });
  const missing = names.find((name) => !found.some((team) => team.name === name));
  if (missing === undefined) return found;
  const message = `No team of the organization that owns the repository is named ${missing}.`;
  throw invalidField(field, "unknown", message);
}
