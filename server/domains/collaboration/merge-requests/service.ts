/** Merge requests as people make, read, change, close and reopen them. Merging is `merging.ts`, and what they bring `content.ts`. */
import type { PageQuery } from "@forgeline/schemas/core/pagination.ts";
import type {
  MergeRequest,
  MergeRequestCreate,
  MergeRequestUpdate,
} from "@forgeline/schemas/merge-requests/resource.ts";
import type { MergeRequestQuery } from "@forgeline/schemas/merge-requests/routes.ts";
import type { TimelineEvent } from "@forgeline/schemas/work-items/resource.ts";
import { userIdOf, type Actor } from "../../../platform/access/actor.ts";
import { hasScope } from "../../../platform/access/requirement.ts";
import type { Addresses } from "../../../platform/addresses.ts";
import { AppError } from "../../../platform/app-error.ts";
import type { Database, Transaction } from "../../../platform/db/database.ts";
import { newId } from "../../../platform/ids.ts";
import type { GrantedRepository } from "../../policy/domain.ts";
import { mayChange, viewerOf } from "../work-items/may-change.ts";
import type { Reviewers } from "../reviews/reviewers.ts";
import type { ItemChanges, Place, WorkItems } from "../work-items/work-items.ts";
import type { BranchPair, Branches } from "./branches.ts";
import type { MergeRequestChanges } from "./changes.ts";
import { listMergeRequests } from "./list.store.ts";
import * as store from "./merge-requests.store.ts";
import { presentMergeRequest } from "./present.ts";
import { requireRight } from "./rights.ts";
import { mergeRequestStates } from "./merge-request-states.ts";

type Listed<Item> = Promise<{ items: Item[]; total: number }>;

export interface MergeRequestService {
  list(actor: Actor, granted: GrantedRepository, query: MergeRequestQuery): Listed<MergeRequest>;
  /** Throws `not_found`. */
  get(actor: Actor, granted: GrantedRepository, number: number): Promise<MergeRequest>;
  /**
   * Throws `validation_failed` for branches that cannot be merged and for unknown labels and people, and `conflict` where one with
   * these branches is open.
   */
  create(actor: Actor, granted: GrantedRepository, wanted: MergeRequestCreate): Promise<MergeRequest>;
  /** As `create`; also throws `not_found`, and `forbidden` for what takes more. What is already so is no change. */
  update(
    actor: Actor,
    granted: GrantedRepository,
    wanted: MergeRequestUpdate & { number: number },
  ): Promise<MergeRequest>;
  /** Throws `not_found`, `forbidden`, and `conflict` for one that is merged or being merged. Safe to repeat. */
  close(actor: Actor, granted: GrantedRepository, number: number): Promise<MergeRequest>;
  /** As `create`; also throws `not_found`, and `conflict` for one that is merged. Safe to repeat. */
  reopen(actor: Actor, granted: GrantedRepository, number: number): Promise<MergeRequest>;
  /** Throws `not_found`. */
  timeline(granted: GrantedRepository, number: number, page: PageQuery): Listed<TimelineEvent>;
}

export interface MergeRequestServiceDeps {
  db: Database;
  addresses: Addresses;
  workItems: WorkItems;
  changes: MergeRequestChanges;
  branches: Branches;
  reviewers: Pick<Reviewers, "set" | "visibleTeams">;
}

const noTeams: ReadonlyMap<string, string[]> = new Map();

export function createMergeRequestService(deps: MergeRequestServiceDeps): MergeRequestService {
  const { db, workItems, changes, branches } = deps;

  async function shown(actor: Actor, granted: GrantedRepository, rows: readonly store.MergeRequestRow[]) {
    const asking = rows.filter((row) => row.asks_teams).map(({ id }) => id);
    const view = {
      repository: granted.repository,
      viewer: viewerOf(actor, granted),
      seesRuns: granted.repository.publicPipelines || hasScope(actor, "pipeline:read"),
      teams: asking.length === 0 ? noTeams : await deps.reviewers.visibleTeams(actor, asking),
      addresses: deps.addresses,
    };
    return rows.map((row) => presentMergeRequest(row, view));
  }

  async function found({ repository }: GrantedRepository, number: number) {
    const row = await store.findMergeRequest(db, repository.id, number);
    if (!row) throw new AppError("not_found");
    return row;
  }

  async function get(actor: Actor, granted: GrantedRepository, number: number): Promise<MergeRequest> {
    const row = await found(granted, number);
    if (row.mergeability === "checking") await db.query(store.statements.setLookedAt, [row.id]);
    return (await shown(actor, granted, [row]))[0]!;
  }

  async function refuseSecond(tx: Transaction, repositoryId: string, pair: BranchPair): Promise<void> {
    const number = await store.findOpen(tx, repositoryId, pair);
    if (number !== undefined) throw isOpenAlready(number);
  }

  /** Which branches it shall have; undefined where they stay. Git is asked before the transaction. */
  async function retargeted({ repository }: GrantedRepository, row: store.MergeRequestRow, target?: string) {
    if (target === undefined || target === row.target_branch) return undefined;
    const pair = { source: row.source_branch, target };
    return { pair, compared: await branches.compare(repository.id, pair) };
  }

  return {
    async list(actor, granted, query) {
      const { rows, total } = await listMergeRequests(db, granted.repository.id, query);
      return { items: await shown(actor, granted, rows), total };
    },
    get,
    async create(actor, granted, wanted) {
      const { repository } = granted;
      const { title, description: body = "", draft = false, source_branch: source } = wanted;
      const pair = { source, target: wanted.target_branch ?? repository.defaultBranch };
      const compared = await branches.compare(repository.id, pair);
      const id = newId("mr");
      const number = await db.transaction(async (tx) => {
        await refuseSecond(tx, repository.id, pair);
        const authorId = userIdOf(actor);
        const ofItem = { id, repositoryId: repository.id, title, body, authorId };
        const item = await workItems.insert(tx, { ...ofItem, kind: "merge_request" });
        const isNew = await store.insertMergeRequest(
          tx,
          { id, repositoryId: repository.id, ...pair, draft },
          compared,
        );
        if (!isNew) throw isOpenAlready(await store.findOpen(db, repository.id, pair));
        const triaged = triageChanges(wanted);
        if (triaged) await workItems.change(tx, { item, actor }, triaged);
        const { reviewers } = wanted;
        if (reviewers) await deps.reviewers.set(tx, { item, actor }, { reviewers });
        await changes.tell(tx, { item, actor }, "opened");
        return item.number;
      });
      await branches.keepHead(repository.id, number, compared.head);
      return get(actor, granted, number);
    },
    async update(actor, granted, { number, ...wanted }) {
      const row = await found(granted, number);
      requireRights(viewerOf(actor, granted), row, wanted);
      const next = await retargeted(granted, row, wanted.target_branch);
      await db.transaction(async (tx) => {
        const item = await changes.lock(tx, granted.repository.id, number);
        const place = { item, actor };
        requireRights(viewerOf(actor, granted), item, wanted);
        const { title, description: body, draft } = wanted;
        const changed = await workItems.change(tx, place, { title, body, ...triageChanges(wanted) });
        const isDrafted = draft !== undefined && (await setDraft(tx, place, draft));
        if (next) await retarget(tx, place, next);
        if (changed.length > 0 || isDrafted || next) await changes.tell(tx, place, "edited");
      });
      return get(actor, granted, number);
    },
    async close(actor, granted, number) {
      await db.transaction(async (tx) => {
        const item = await changes.lock(tx, granted.repository.id, number);
        requireRight(mayChange(viewerOf(actor, granted), item), "close");
        if (item.state === "closed") return;
        const { is_merging: isMerging } = await store.readBranches(tx, item.id);
        if (isMerging) throw new AppError("conflict", { message: mergingText });
        if (!(await changes.close(tx, { item, actor })))
          throw new AppError("conflict", { message: "It is merged: it cannot be closed." });
      });
      return get(actor, granted, number);
    },
    async reopen(actor, granted, number) {
      const row = await found(granted, number);
      requireRight(mayChange(viewerOf(actor, granted), row), "close");
      if (row.state === "open") return get(actor, granted, number);
      if (!mergeRequestStates.next(row.state, "reopen"))
        throw new AppError("conflict", { message: "It is merged: it cannot be reopened." });
      const pair = { source: row.source_branch, target: row.target_branch };
      const compared = await branches.compare(granted.repository.id, pair);
      await db.transaction(async (tx) => {
        const item = await changes.lock(tx, granted.repository.id, number);
        const state = mergeRequestStates.next(item.state, "reopen");
        if (!state) return;
        await refuseSecond(tx, granted.repository.id, pair);
        if (!(await store.compareAgain(tx, { id: item.id, target: pair.target }, compared)))
          throw isOpenAlready(undefined);
        await workItems.moveState(tx, { item, actor }, { state, event: { kind: "reopened" } });
        await changes.tell(tx, { item, actor }, "reopened");
      });
      return get(actor, granted, number);
    },
    timeline: ({ repository }, number, page) =>
      workItems.timeline({ repositoryId: repository.id, number, kind: "merge_request" }, page),
  };

  async function setDraft(tx: Transaction, place: Place, draft: boolean): Promise<boolean> {
    const before = await store.readBranches(tx, place.item.id);
    if (before.draft === draft) return false;
    await tx.query(store.statements.setDraft, [place.item.id, draft]);
    await workItems.record(tx, place, [{ kind: draft ? "drafted" : "readied" }]);
    return true;
  }

  async function retarget(
    tx: Transaction,
    place: Place,
    { pair, compared }: { pair: BranchPair; compared: store.Compared },
  ): Promise<void> {
    const { id, state, repository_id: repositoryId } = place.item;
    const before = await store.readBranches(tx, id);
    if (state !== "open")
      throw new AppError("conflict", { message: "The target branch can be changed while it is open." });
    if (before.is_merging) throw new AppError("conflict", { message: mergingText });
    await refuseSecond(tx, repositoryId, pair);
    if (!(await store.compareAgain(tx, { id, target: pair.target }, compared)))
      throw isOpenAlready(undefined);
    const details = { from: before.target_branch, to: pair.target };
    await workItems.record(tx, place, [{ kind: "retargeted", details }]);
  }
}

export const mergingText = "It is being merged right now: look at it again in a moment.";

function isOpenAlready(number: number | undefined): AppError {
  const which = number === undefined ? "A merge request" : `Merge request !${number}`;
  return new AppError("conflict", { message: `${which} with these branches is open already.` });
}

function requireRights(
  viewer: ReturnType<typeof viewerOf>,
  item: { author_id: string | null; locked: boolean },
  wanted: MergeRequestUpdate,
): void {
  const may = mayChange(viewer, item);
  const { title, description, draft, target_branch: target } = wanted;
  if ([title, description, draft, target].some((value) => value !== undefined)) requireRight(may, "edit");
  if (triageChanges(wanted)) requireRight(may, "triage");
}

/** What takes Triage; undefined if nothing of it is wanted. */
function triageChanges(wanted: MergeRequestCreate | MergeRequestUpdate): ItemChanges | undefined {
  const { labels, assignees } = wanted;
  const milestone = "milestone" in wanted ? wanted.milestone : undefined;
  const changes = { labels, assignees, milestone };
  return Object.values(changes).some((value) => value !== undefined) ? changes : undefined;
}
