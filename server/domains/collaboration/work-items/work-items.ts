/**
 * What issues and merge requests have in common, changed in the transaction of whoever changes one. Each change writes its
 * timeline; what is already so changes nothing and writes nothing.
 */
import type { PageQuery } from "@forgeline/schemas/core/pagination.ts";
import type { TimelineEvent } from "@forgeline/schemas/work-items/resource.ts";
import type { Addresses } from "../../../platform/addresses.ts";
import type { Actor } from "../../../platform/access/actor.ts";
import { hasScope } from "../../../platform/access/requirement.ts";
import { AppError, invalidField } from "../../../platform/app-error.ts";
import type { Database, Transaction } from "../../../platform/db/database.ts";
import { noteMentioned } from "../attachments/note-mentioned.ts";
import type { LabelService } from "../labels/service.ts";
import { withoutScopeRivals } from "../labels/scopes.ts";
import type { MilestoneService } from "../milestones/service.ts";
import { presentEvent } from "./present.ts";
import * as store from "./work-items.store.ts";

/** Wanted values; what is left out stays. */
export interface ItemChanges {
  title?: string | undefined;
  body?: string | undefined;
  /** Names; they replace those that are there. */
  labels?: readonly string[] | undefined;
  assignees?: readonly string[] | undefined;
  /** Id, or null for none. */
  milestone?: string | null | undefined;
  dueOn?: string | null | undefined;
}

export type { ItemKind } from "./work-items.store.ts";

export interface Place {
  item: store.LockedItem;
  /** Without a user it is the system. */
  actor: Pick<Actor, "userId">;
}

/** What closed an issue: the merge request with this id, or a commit. */
export interface ChangedBy {
  sourceId?: string;
  commit?: string | null;
}

export interface WorkItems {
  /** With a number of its own, in the state `open`. */
  insert(tx: Transaction, item: store.NewItem): Promise<store.LockedItem>;
  /** Others that change it wait until the transaction ends. Throws `not_found`. */
  lock(tx: Transaction, address: store.ItemAddress): Promise<store.LockedItem>;
  /** Throws `validation_failed` for unknown labels, milestones and people. Returns the names of the fields that changed. */
  change(tx: Transaction, place: Place, wanted: ItemChanges): Promise<string[]>;
  /** False if it is in this state already. */
  setState(
    tx: Transaction,
    place: Place,
    wanted: { state: "open" | "closed"; reason: string | null; by?: ChangedBy; duplicateOf?: string | null },
  ): Promise<boolean>;
  /** What a text names says so in its timeline, once for each source. */
  mention(tx: Transaction, mentioned: store.Mentioned): Promise<void>;
  /** Of a merge request, whose table of states allows it; with what the timeline says of it. */
  moveState(
    tx: Transaction,
    place: Place,
    wanted: { state: "open" | "closed" | "merged"; event: store.NewEvent },
  ): Promise<void>;
  /** Into the timeline; `updated_at` rises. */
  record(tx: Transaction, place: Place, events: readonly store.NewEvent[]): Promise<void>;
  setLocked(tx: Transaction, place: Place, locked: boolean): Promise<boolean>;
  /** The names of its labels, and the user names of its assignees. */
  namesOn(tx: Transaction, itemId: string): Promise<Record<"labels" | "assignees", string[]>>;
  /** Throws `conflict` past the bound. */
  setPinned(tx: Transaction, place: Place, pinned: boolean): Promise<boolean>;
  remove(tx: Transaction, itemId: string): Promise<void>;
  /** Throws `not_found`. */
  find(address: store.ItemAddress): Promise<store.FoundItem>;
  /** So many more, or less. */
  countComment(tx: Transaction, itemId: string, change: number): Promise<void>;
  /** Throws `not_found`. */
  timeline(
    address: store.ItemAddress,
    viewer: Actor,
    page: PageQuery,
  ): Promise<{ items: TimelineEvent[]; total: number }>;
}

export interface WorkItemsDeps {
  db: Database;
  addresses: Addresses;
  labels: Pick<LabelService, "findByNames">;
  milestones: Pick<MilestoneService, "find">;
}

const maxPinned = 6;

export function createWorkItems(deps: WorkItemsDeps): WorkItems {
  const { db, addresses } = deps;

  async function lock(tx: Transaction, address: store.ItemAddress) {
    const item = await store.lockItem(tx, address);
    if (!item) throw new AppError("not_found");
    return item;
  }

  async function find(address: store.ItemAddress) {
    const item = await store.findItem(db, address);
    if (!item) throw new AppError("not_found");
    return item;
  }

  /** Of two labels of one scope the one that is named later stays. */
  async function inOrder(tx: Transaction, repositoryId: string, names: readonly string[]) {
    const found = await deps.labels.findByNames(tx, repositoryId, names);
    const wanted = names.map((name) => name.toLowerCase());
    return found.toSorted(
      (a, b) => wanted.lastIndexOf(a.name.toLowerCase()) - wanted.lastIndexOf(b.name.toLowerCase()),
    );
  }

  async function setLabels(tx: Transaction, { item, actor }: Place, names: readonly string[]) {
    const before = await tx.query(store.statements.labelsOf, [item.id]);
    const found = withoutScopeRivals([], await inOrder(tx, item.repository_id, names));
    const added = found.filter(({ id }) => !before.some((label) => label.id === id));
    const removed = before.filter(({ id }) => !found.some((label) => label.id === id));
    if (added.length + removed.length === 0) return false;
    await tx.query(store.statements.addLabels, [item.id, added.map(({ id }) => id)]);
    await tx.query(store.statements.removeLabels, [item.id, removed.map(({ id }) => id)]);
    await recordFor(tx, { item, actor }, [
      ...added.map(({ name, color }) => ({ kind: "labeled" as const, details: { name, color } })),
      ...removed.map(({ name, color }) => ({ kind: "unlabeled" as const, details: { name, color } })),
    ]);
    return true;
  }

  async function setMilestone(tx: Transaction, { item, actor }: Place, wanted: string | null) {
    if (wanted === item.milestone_id) return false;
    const before =
      item.milestone_id && (await deps.milestones.find(tx, item.repository_id, item.milestone_id));
    const after = wanted && (await deps.milestones.find(tx, item.repository_id, wanted));
    await tx.query(store.statements.setMilestone, [item.id, wanted]);
    await recordFor(tx, { item, actor }, [
      ...(before ? [{ kind: "demilestoned" as const, details: { title: before.title } }] : []),
      ...(after ? [{ kind: "milestoned" as const, details: { title: after.title } }] : []),
    ]);
    return true;
  }

  return {
    async insert(tx, item) {
      const number = await store.insertItem(tx, item);
      await noteMentioned(tx, item.repositoryId, item.body);
      return lock(tx, { repositoryId: item.repositoryId, number, kind: item.kind });
    },
    lock,
    async change(tx, place, wanted) {
      const done: [string, boolean][] = [["texts", await setTexts(tx, place, wanted)]];
      const { labels, assignees, milestone, dueOn } = wanted;
      if (labels !== undefined) done.push(["labels", await setLabels(tx, place, labels)]);
      if (assignees !== undefined) done.push(["assignees", await setAssignees(tx, place, assignees)]);
      if (milestone !== undefined) done.push(["milestone", await setMilestone(tx, place, milestone)]);
      if (dueOn !== undefined) done.push(["due_on", await setDue(tx, place, dueOn)]);
      const changed = done.filter(([, isChange]) => isChange).map(([name]) => name);
      if (changed.length > 0) await tx.query(store.statements.touch, [place.item.id]);
      return changed;
    },
    async setState(tx, place, { state, reason, by = {}, duplicateOf = null }) {
      const { item, actor } = place;
      const isSame = item.state_reason === reason && item.duplicate_of === duplicateOf;
      if (item.state === state && (state === "open" || isSame)) return false;
      await tx.query(store.statements.setState, [item.id, state, reason, actor.userId, duplicateOf]);
      const { sourceId, commit } = by;
      const details = commit ? { reason, commit } : { reason };
      const closed = { kind: "closed" as const, details, sourceId };
      await recordFor(tx, place, [state === "open" ? { kind: "reopened" } : closed]);
      await recordDuplicate(tx, place, duplicateOf);
      return true;
    },
    async moveState(tx, place, { state, event }) {
      await tx.query(store.statements.setState, [place.item.id, state, null, place.actor.userId, null]);
      await recordFor(tx, place, [event]);
    },
    async record(tx, place, events) {
      await recordFor(tx, place, events);
      await tx.query(store.statements.touch, [place.item.id]);
    },
    async setLocked(tx, place, locked) {
      if (place.item.locked === locked) return false;
      await tx.query(store.statements.setLocked, [place.item.id, locked]);
      await recordFor(tx, place, [{ kind: locked ? "locked" : "unlocked" }]);
      return true;
    },
    async setPinned(tx, place, pinned) {
      if ((place.item.pinned_at !== null) === pinned) return false;
      if (pinned) await refuseTooManyPinned(tx, place.item.repository_id);
      await tx.query(store.statements.setPinned, [place.item.id, pinned]);
      await recordFor(tx, place, [{ kind: pinned ? "pinned" : "unpinned" }]);
      return true;
    },
    namesOn: store.findNamesOn,
    async remove(tx, itemId) {
      await tx.query(store.statements.deleteItem, [itemId]);
    },
    find,
    async countComment(tx, itemId, change) {
      await tx.query(store.statements.addComments, [itemId, change]);
    },
    mention: store.insertMentions,
    async timeline(address, viewer, page) {
      const found = await store.listEvents(db, { address, viewer: limitedViewer(viewer) }, page);
      if (!found) throw new AppError("not_found");
      const { rows, total } = found;
      return { items: rows.map((row) => presentEvent(row, addresses)), total };
    },
  };
}

const readScopes = { issue: "issue:read", merge_request: "mr:read" } as const;

/** Of other repositories those see who may read both kinds there. */
function limitedViewer(actor: Actor): store.EventViewer {
  const kinds = (["issue", "merge_request"] as const).filter((kind) => hasScope(actor, readScopes[kind]));
  const { userId, isAdmin, repositoryIds } = actor;
  return kinds.length === 2
    ? { userId, isAdmin, repositoryIds, kinds }
    : { userId: null, isAdmin: false, repositoryIds: null, kinds };
}

async function recordFor(tx: Transaction, { item, actor }: Place, events: readonly store.NewEvent[]) {
  await store.insertEvents(tx, { itemId: item.id, actorId: actor.userId }, events);
}

/** In the timelines of both issues. */
async function recordDuplicate(tx: Transaction, place: Place, duplicateOf: string | null): Promise<void> {
  const { item, actor } = place;
  if (duplicateOf === item.duplicate_of) return;
  if (item.duplicate_of !== null)
    await recordFor(tx, place, [{ kind: "unmarked_duplicate", sourceId: item.duplicate_of }]);
  if (duplicateOf === null) return;
  await recordFor(tx, place, [{ kind: "marked_duplicate", sourceId: duplicateOf }]);
  await tx.query(store.statements.insertGotDuplicate, [item.id, actor.userId, duplicateOf]);
}

async function setTexts(tx: Transaction, place: Place, wanted: ItemChanges): Promise<boolean> {
  const { item } = place;
  const { title = item.title, body = item.body } = wanted;
  if (title === item.title && body === item.body) return false;
  await tx.query(store.statements.setTexts, [item.id, title, body]);
  await noteMentioned(tx, item.repository_id, body);
  if (title !== item.title)
    await recordFor(tx, place, [{ kind: "renamed", details: { from: item.title, to: title } }]);
  return true;
}

async function setDue(tx: Transaction, place: Place, dueOn: string | null): Promise<boolean> {
  const { item } = place;
  if (dueOn === item.due_on) return false;
  await tx.query(store.statements.setDue, [item.id, dueOn]);
  await recordFor(tx, place, [{ kind: "due", details: { from: item.due_on, to: dueOn } }]);
  return true;
}

async function setAssignees(tx: Transaction, place: Place, wanted: readonly string[]): Promise<boolean> {
  const { item } = place;
  const before = await tx.query(store.statements.assigneesOf, [item.id]);
  const names = [...new Set(wanted.map((name) => name.toLowerCase()))];
  // Who is assigned already may stay, whatever has become of their access.
  const kept = before.filter(({ username }) => names.includes(username.toLowerCase()));
  const asked = names.filter((name) => !kept.some(({ username }) => username.toLowerCase() === name));
  const added = await findAssignable(tx, item, asked);
  const removed = before.filter((user) => !kept.includes(user));
  if (added.length + removed.length === 0) return false;
  await tx.query(store.statements.addAssignees, [item.id, added.map(({ id }) => id)]);
  await tx.query(store.statements.removeAssignees, [item.id, removed.map(({ id }) => id)]);
  await recordFor(tx, place, [
    ...added.map(({ username }) => ({ kind: "assigned" as const, details: { username } })),
    ...removed.map(({ username }) => ({ kind: "unassigned" as const, details: { username } })),
  ]);
  return true;
}

async function findAssignable(tx: Transaction, item: store.LockedItem, names: readonly string[]) {
  if (names.length === 0) return [];
  const found = await tx.query(store.statements.findAssignable, [item.repository_id, names, item.author_id]);
  const missing = names.find((name) => !found.some(({ username }) => username.toLowerCase() === name));
  if (missing === undefined) return found;
  const message = `${missing} cannot be assigned here: people who belong to the repository can.`;
  throw invalidField("assignees", "unknown", message);
}

async function refuseTooManyPinned(tx: Transaction, repositoryId: string): Promise<void> {
  const counted = await tx.one(store.statements.countPinned, [repositoryId]);
  if ((counted?.count ?? 0) < maxPinned) return;
  throw new AppError("conflict", { message: `At most ${maxPinned} issues can be pinned: unpin one first.` });
}
