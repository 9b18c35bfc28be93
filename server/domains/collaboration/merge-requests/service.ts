/** Merge requests as people make, read, change, close and reopen them. Merging is `merging.ts`, and what they bring `content.ts`. */
import type { PageQuery } from "@forgeline/schemas/core/pagination.ts";
import type {
  MergeRequest,
  MergeRequestCreate,
  MergeRequestUpdate,
} from "@forgeline/schemas/merge-requests/resource.ts";
import type { MergeRequestQuery } from "@forgeline/schemas/merge-requests/query.ts";
import type { NamedItem, TimelineEvent } from "@forgeline/schemas/work-items/resource.ts";
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
import type { Closings } from "../references/closings.ts";
import type { References } from "../references/references.ts";
import { refuseUnread } from "../work-items/refuse-unread.ts";
import { textOf } from "../work-items/text-of.ts";
import { createBranchChoice, isOpenAlready, mergingText } from "./branch-choice.ts";
import { pairOf, unknownBranch, type BranchPair, type Branches } from "./branches.ts";
import type { MergeRequestChanges } from "./changes.ts";
import type { ForeignSources } from "./foreign-source.ts";
import { recordEdits, type EditsByMaintainers } from "./invitations.ts";
import type { HeadBringers } from "./head-bringers.ts";
import { readListed } from "./listed.ts";
import { readBesides } from "./besides.ts";
import * as store from "./merge-requests.store.ts";
import { presentMergeRequest } from "./present.ts";
import type { MergeRequirements, Standing } from "./requirements/service.ts";
import { requireRight } from "./rights.ts";
import { agreeAgain, recordSharing } from "./sharing.ts";
import { mergeRequestStates } from "./merge-request-states.ts";
import type { MergeRequestSources } from "./sources.ts";
import { readTemplateLabels, type TemplateLabelsDeps } from "./template-labels.ts";

type Listed<Item> = Promise<{ items: Item[]; total: number }>;

export interface MergeRequestService {
  list(actor: Actor, granted: GrantedRepository, query: MergeRequestQuery): Listed<MergeRequest>;
  /** Throws `not_found`. */
  get(actor: Actor, granted: GrantedRepository, number: number): Promise<MergeRequest>;
  /**
   * Throws `validation_failed` for branches that cannot be merged and for unknown labels and people, `conflict` where one with
   * these branches is open, and what `MergeRequestSources.choose` and `ForeignSources.bring` throw.
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
  timeline(
    actor: Actor,
    granted: GrantedRepository,
    query: PageQuery & { number: number },
  ): Listed<TimelineEvent>;
}

export interface MergeRequestServiceDeps extends TemplateLabelsDeps {
  db: Database;
  addresses: Addresses;
  workItems: WorkItems;
  changes: MergeRequestChanges;
  branches: Branches;
  references: Pick<References, "keep">;
  closings: Pick<Closings, "closedBy">;
  requirements: Pick<MergeRequirements, "standingOf" | "ofList">;
  reviewers: Pick<Reviewers, "refuseUnknown" | "set" | "visibleTeams">;
  sources: Pick<MergeRequestSources, "choose">;
  foreignSources: Pick<ForeignSources, "bring" | "hasBranch">;
  headBringers: HeadBringers;
  edits: Pick<EditsByMaintainers, "ofNew" | "refuse" | "reopened" | "set">;
}

interface ToShow<Row> {
  rows: readonly Row[];
  standingOf(row: Row): Pick<Standing, "blockedBy" | "mayMerge">;
  closes: NamedItem[];
}

const noTeams: ReadonlyMap<string, string[]> = new Map();

export function createMergeRequestService(deps: MergeRequestServiceDeps): MergeRequestService {
  const { db, workItems, changes, branches } = deps;
  const { refuseSecond, retargeted, retarget } = createBranchChoice(deps);

  async function shown<Row extends store.MergeRequestRow>(
    actor: Actor,
    granted: GrantedRepository,
    { rows, standingOf, closes }: ToShow<Row>,
  ) {
    const asking = rows.filter((row) => row.asks_teams).map(({ id }) => id);
    const view = {
      repository: granted.repository,
      viewer: viewerOf(actor, granted),
      seesRuns: granted.repository.publicPipelines || hasScope(actor, "pipeline:read"),
      teams: asking.length === 0 ? noTeams : await deps.reviewers.visibleTeams(actor, asking),
      addresses: deps.addresses,
      closes,
    };
    return rows.map((row) => presentMergeRequest(row, { ...view, standing: standingOf(row) }));
  }

  const findFor = (actor: Actor, { repository }: GrantedRepository, number: number) =>
    findSeen(db, { repositoryId: repository.id, number }, actor.userId);

  async function get(actor: Actor, granted: GrantedRepository, number: number): Promise<MergeRequest> {
    const row = await findFor(actor, granted, number);
    if (row.is_look_due) await db.query(store.statements.setLookedAt, [row.id]);
    const { standing, closes } = await readBesides(deps, { actor, granted, row });
    return (await shown(actor, granted, { rows: [row], standingOf: () => standing, closes }))[0]!;
  }

  /** Of a new one. Whoever proposes a branch of the repository itself stands for what it has. */
  async function headOf(
    actor: Actor,
    granted: GrantedRepository,
    pair: BranchPair & { sourceId: string },
  ): Promise<{ compared: store.Compared; bringerId: string | null }> {
    const { repository } = granted;
    if (pair.sourceId === repository.id)
      return { compared: await branches.compare(repository.id, pair), bringerId: actor.userId };
    const compared = await deps.foreignSources.bring(granted, pair.sourceId, pair);
    return { compared, bringerId: await deps.headBringers.find(db, { ...pair, sha: compared.head }) };
  }

  return {
    async list(actor, granted, query) {
      const { total, ...found } = await readListed(deps, { actor, granted }, query);
      return { items: await shown(actor, granted, { ...found, closes: [] }), total };
    },
    get,
    async create(actor, granted, wanted) {
      const { repository } = granted;
      const { title, description: body = "", draft = false, source_branch: source } = wanted;
      refuseUntriaged(viewerOf(actor, granted), wanted);
      const from = await deps.sources.choose(actor, granted, wanted.source_repo);
      const pair = { source, target: wanted.target_branch ?? repository.defaultBranch, sourceId: from.id };
      await refuseSecond(db, repository.id, pair);
      await deps.reviewers.refuseUnknown(actor, repository.id, wanted.reviewers ?? []);
      const templateLabels = await readTemplateLabels(deps, repository, wanted.template);
      const edits = await deps.edits.ofNew(actor, { into: repository, from }, wanted.maintainer_can_modify);
      const { compared, bringerId } = await headOf(actor, granted, pair);
      const id = newId("mr");
      const number = await db.transaction(async (tx) => {
        await refuseSecond(tx, repository.id, pair);
        const authorId = userIdOf(actor);
        const ofItem = { id, repositoryId: repository.id, title, body, authorId };
        const item = await workItems.insert(tx, { ...ofItem, kind: "merge_request" });
        const isNew = await store.insertMergeRequest(
          tx,
          { id, repositoryId: repository.id, from, ...pair, draft, edits },
          compared,
        );
        if (!isNew) throw isOpenAlready(await store.findOpen(db, repository.id, pair));
        const labels = [...(await templateLabels(tx)), ...(wanted.labels ?? [])];
        const triaged = triageChanges({ ...wanted, labels: labels.length > 0 ? labels : undefined });
        if (triaged) await workItems.change(tx, { item, actor }, triaged);
        const { reviewers } = wanted;
        if (reviewers) await deps.reviewers.set(tx, { item, actor, onlyReviewed: true }, { reviewers });
        const text = textOf({ title, body });
        await deps.references.keep(tx, { actor, repository }, { item, commentId: null, text });
        await recordSharing(tx, actor, { from, repository, number: item.number });
        if (edits)
          await recordEdits(tx, actor, { from, target: repository, number: item.number, allowed: true });
        await changes.tell(tx, { item, actor, bringerId }, "opened");
        return item.number;
      });
      await branches.keepHead(repository.id, number, compared.head);
      return get(actor, granted, number);
    },
    async update(actor, granted, { number, ...wanted }) {
      const row = await findFor(actor, granted, number);
      requireRights(viewerOf(actor, granted), row, wanted);
      await deps.edits.refuse(actor, row, wanted.maintainer_can_modify);
      const next = await retargeted(row, wanted.target_branch);
      await db.transaction(async (tx) => {
        const item = await changes.lock(tx, granted.repository.id, number);
        const place = { item, actor };
        requireRights(viewerOf(actor, granted), item, wanted);
        const { title, description: body, draft, previous_description: previous } = wanted;
        refuseUnread(previous, { now: item.body, wanted: body });
        const changed = await workItems.change(tx, place, { title, body, ...triageChanges(wanted) });
        if (changed.includes("texts")) {
          const text = textOf({ title: title ?? item.title, body: body ?? item.body });
          await deps.references.keep(tx, { actor, ...granted }, { item, commentId: null, text });
        }
        const isDrafted = draft !== undefined && (await setDraft(tx, workItems, { place, draft }));
        if (next) await retarget(tx, place, next);
        const edited = { ...place, target: granted.repository, source: row.source_repo };
        const isOpened = await deps.edits.set(tx, edited, wanted.maintainer_can_modify);
        if (changed.length > 0 || isDrafted || next || isOpened) await changes.tell(tx, place, "edited");
      });
      return get(actor, granted, number);
    },
    async close(actor, granted, number) {
      await db.transaction(async (tx) => {
        const item = await changes.lock(tx, granted.repository.id, number);
        requireRight(mayChange(viewerOf(actor, granted), item), "close");
        if (item.state === "closed") return;
        const { is_merging } = await store.readBranches(tx, item.id);
        if (is_merging) throw new AppError("conflict", { message: mergingText });
        if (!(await changes.close(tx, { item, actor })))
          throw new AppError("conflict", { message: "It is merged: it cannot be closed." });
      });
      return get(actor, granted, number);
    },
    async reopen(actor, granted, number) {
      const row = await findFor(actor, granted, number);
      requireRight(mayChange(viewerOf(actor, granted), row), "close");
      if (row.state === "open") return get(actor, granted, number);
      if (!mergeRequestStates.next(row.state, "reopen"))
        throw new AppError("conflict", { message: "It is merged: it cannot be reopened." });
      const pair = { ...pairOf(row), sourceId: row.source_repository_id };
      if (!(await deps.foreignSources.hasBranch(row.id)))
        throw unknownBranch("source_branch", row.source_branch);
      const compared = await branches.compare(granted.repository.id, pair);
      await db.transaction(async (tx) => {
        const item = await changes.lock(tx, granted.repository.id, number);
        const state = mergeRequestStates.next(item.state, "reopen");
        if (!state) return;
        await refuseSecond(tx, granted.repository.id, pair);
        const bringerId = await deps.headBringers.catchUp(tx, item, { ...pair, sha: compared.head });
        if (!(await store.compareAgain(tx, { id: item.id, target: pair.target }, compared)))
          throw isOpenAlready(undefined);
        const place = { target: granted.repository, source: row.source_repo };
        await agreeAgain(tx, deps.edits, { ...place, item, actor });
        await workItems.moveState(tx, { item, actor }, { state, event: { kind: "reopened" } });
        await changes.tell(tx, { item, actor, bringerId }, "reopened");
      });
      return get(actor, granted, number);
    },
    timeline: (actor, { repository }, { number, ...page }) =>
      workItems.timeline({ repositoryId: repository.id, number, kind: "merge_request" }, actor, page),
  };
}

/** Whether that is a change. */
async function setDraft(
  tx: Transaction,
  workItems: Pick<WorkItems, "record">,
  { place, draft }: { place: Place; draft: boolean },
): Promise<boolean> {
  const before = await store.readBranches(tx, place.item.id);
  if (before.draft === draft) return false;
  await tx.query(store.statements.setDraft, [place.item.id, draft]);
  await workItems.record(tx, place, [{ kind: draft ? "drafted" : "readied" }]);
  return true;
}

/** Throws `not_found`. */
async function findSeen(
  db: Database,
  place: { repositoryId: string; number: number },
  viewerId: string | null,
): Promise<store.MergeRequestRow> {
  const row = await store.findSeenMergeRequest(db, place, viewerId);
  if (!row) throw new AppError("not_found");
  return row;
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

/** What it is given from the start takes the same as later. Throws `forbidden`. */
function refuseUntriaged(viewer: ReturnType<typeof viewerOf>, wanted: MergeRequestCreate): void {
  const may = mayChange(viewer, { author_id: viewer.userId, locked: false });
  if (triageChanges(wanted)) requireRight(may, "triage");
}

/** What takes Triage; undefined if nothing of it is wanted. */
function triageChanges(wanted: MergeRequestCreate | MergeRequestUpdate): ItemChanges | undefined {
  const { labels, assignees } = wanted;
  const milestone = "milestone" in wanted ? wanted.milestone : undefined;
  const changes = { labels, assignees, milestone };
  return Object.values(changes).some((value) => value !== undefined) ? changes : undefined;
}
