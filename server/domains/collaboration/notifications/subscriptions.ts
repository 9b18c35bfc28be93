/** What somebody wants to be told of: a repository, and single issues and merge requests. */
import type {
  ItemSubscription,
  RepositorySubscription,
  RepositorySubscriptionUpdate,
} from "@forgeline/schemas/subscriptions/resource.ts";
import { userIdOf, type Actor } from "../../../platform/access/actor.ts";
import { AppError } from "../../../platform/app-error.ts";
import type { Database, Transaction } from "../../../platform/db/database.ts";
import type { GrantedRepository } from "../../policy/domain.ts";
import * as store from "./subscriptions.store.ts";
import { presentItemSubscription } from "./present.ts";

/** Which issue or merge request. */
export interface SubscribedItem {
  kind: "issue" | "merge_request";
  number: number;
}

export interface SubscriptionService {
  get(actor: Actor, granted: GrantedRepository): Promise<RepositorySubscription>;
  /** Safe to repeat, as all that follow. */
  put(
    actor: Actor,
    granted: GrantedRepository,
    wanted: RepositorySubscriptionUpdate,
  ): Promise<RepositorySubscription>;
  remove(actor: Actor, granted: GrantedRepository): Promise<void>;
  /** For who makes a repository or is given one, unless they do not want that. What they chose for it before stays. */
  watchOwn(tx: Transaction, gain: { repositoryId: string; userId: string }): Promise<void>;
  /** Throws `not_found`. */
  ofItem(actor: Actor, granted: GrantedRepository, item: SubscribedItem): Promise<ItemSubscription>;
  /** Throws `not_found`. */
  subscribe(actor: Actor, granted: GrantedRepository, item: SubscribedItem): Promise<ItemSubscription>;
  /** Without asking what they may: for who proved to be told of it. Nothing for what is gone. */
  muteItem(userId: string, itemId: string): Promise<void>;
  /** Throws `not_found`. */
  mute(actor: Actor, granted: GrantedRepository, item: SubscribedItem): Promise<void>;
}

export function createSubscriptionService({ db }: { db: Database }): SubscriptionService {
  const placeOf = (actor: Actor, { repository }: GrantedRepository) => ({
    repositoryId: repository.id,
    userId: userIdOf(actor),
  });

  async function found(actor: Actor, granted: GrantedRepository, item: SubscribedItem) {
    const facts = await store.findItem(db, { ...placeOf(actor, granted), ...item });
    if (!facts) throw new AppError("not_found");
    return facts;
  }

  async function choose(facts: store.ItemFacts, userId: string, state: "subscribed" | "muted") {
    await db.query(store.statements.putItem, [facts.id, userId, state]);
  }

  async function remove(actor: Actor, granted: GrantedRepository): Promise<void> {
    const { repositoryId, userId } = placeOf(actor, granted);
    await db.query(store.statements.removeRepository, [repositoryId, userId]);
  }

  return {
    async get(actor, granted) {
      const { repositoryId, userId } = placeOf(actor, granted);
      const row = await db.one(store.statements.findRepository, [repositoryId, userId]);
      return row ? { level: row.level, events: row.kinds } : { level: "participating", events: [] };
    },
    async put(actor, granted, { level, events: wanted = [] }) {
      const events = [...new Set(wanted)];
      if (level === "participating") await remove(actor, granted);
      else await store.putRepository(db, placeOf(actor, granted), { level, kinds: events });
      return { level, events };
    },
    remove,
    async watchOwn(tx, { repositoryId, userId }) {
      await tx.query(store.statements.watchOwn, [repositoryId, userId]);
    },
    async ofItem(actor, granted, item) {
      return presentItemSubscription(await found(actor, granted, item));
    },
    async subscribe(actor, granted, item) {
      await choose(await found(actor, granted, item), userIdOf(actor), "subscribed");
      return presentItemSubscription(await found(actor, granted, item));
    },
    async muteItem(userId, itemId) {
      await db.query(store.statements.muteIfThere, [itemId, userId]);
    },
    async mute(actor, granted, item) {
      await choose(await found(actor, granted, item), userIdOf(actor), "muted");
    },
  };
}
