/** Issues of a repository: opened by whoever may read it, sorted by those with Triage. */
import type { PageQuery } from "@forgeline/schemas/core/pagination.ts";
import type { Issue, IssueCreate, IssueUpdate } from "@forgeline/schemas/issues/resource.ts";
import type { IssueQuery } from "@forgeline/schemas/issues/routes.ts";
import type { TimelineEvent } from "@forgeline/schemas/work-items/resource.ts";
import { userIdOf, type Actor } from "../../../platform/access/actor.ts";
import type { Addresses } from "../../../platform/addresses.ts";
import { AppError, invalidField } from "../../../platform/app-error.ts";
import type { Database, Transaction } from "../../../platform/db/database.ts";
import { newId } from "../../../platform/ids.ts";
import { repositoryAddress } from "../../hosting/domain.ts";
import { recordAudit } from "../../operation/domain.ts";
import type { GrantedRepository } from "../../policy/domain.ts";
import { mayChange, viewerOf } from "../work-items/may-change.ts";
import { askerOf, labelNames, listConditionsOf, readAsked } from "../search/asked.ts";
import { listWithinTime } from "../search/within-time.ts";
import { textOf } from "../work-items/text-of.ts";
import type { ItemMoves } from "../work-items/moves.ts";
import type { WorkItems } from "../work-items/work-items.ts";
import type { LabelService } from "../labels/service.ts";
import type { TextTemplateService } from "../text-templates/service.ts";
import type { Closings } from "../references/closings.ts";
import type { References } from "../references/references.ts";
import type { IssueChanges } from "./changes.ts";
import { requireRight, triageChanges, type IssueEdits } from "./edits.ts";
import { findIssue, listIssues, type ListedIssues } from "./issues.store.ts";
import { viewingOf } from "./endings.ts";
import { presentIssue } from "./present.ts";

export interface IssueService {
  list(
    actor: Actor,
    granted: GrantedRepository,
    query: IssueQuery,
  ): Promise<{ items: Issue[]; total: number }>;
  /** Throws `not_found`. */
  get(actor: Actor, granted: GrantedRepository, number: number): Promise<Issue>;
  /** Throws `forbidden` for labels and the like without Triage, `validation_failed` for unknown ones. */
  create(actor: Actor, granted: GrantedRepository, wanted: IssueCreate): Promise<Issue>;
  /** As `create`, in the transaction of the caller and without a template. */
  createIn(tx: Transaction, caller: Caller, wanted: IssueCreate): Promise<{ id: string; number: number }>;
  /** As `create`; also throws `not_found`. What is already so is no change. */
  update(actor: Actor, granted: GrantedRepository, wanted: IssueUpdate & { number: number }): Promise<Issue>;
  /** Throws `not_found`. */
  setLocked(
    actor: Actor,
    granted: GrantedRepository,
    wanted: { number: number; locked: boolean },
  ): Promise<void>;
  /** Throws `not_found`, and `conflict` past the bound. */
  setPinned(
    actor: Actor,
    granted: GrantedRepository,
    wanted: { number: number; pinned: boolean },
  ): Promise<void>;
  /** Throws `not_found`. */
  remove(actor: Actor, granted: GrantedRepository, number: number): Promise<void>;
  /** Throws `not_found`. */
  timeline(
    actor: Actor,
    granted: GrantedRepository,
    query: PageQuery & { number: number },
  ): Promise<{ items: TimelineEvent[]; total: number }>;
}

interface Caller {
  actor: Actor;
  granted: GrantedRepository;
}

export interface IssueServiceDeps {
  db: Database;
  addresses: Addresses;
  workItems: WorkItems;
  changes: IssueChanges;
  edits: IssueEdits;
  references: References;
  closings: Pick<Closings, "closing">;
  itemMoves: Pick<ItemMoves, "find">;
  labels: Pick<LabelService, "knownNames">;
  templates: Pick<TextTemplateService, "findForIssue">;
}

export function createIssueService(deps: IssueServiceDeps): IssueService {
  const { db, addresses, workItems, references } = deps;
  const { tell } = deps.changes;
  const viewOf = (actor: Actor, granted: GrantedRepository) => ({
    repository: granted.repository,
    viewer: viewerOf(actor, granted),
    addresses,
  });
  const addressOf = ({ repository }: GrantedRepository, number: number) =>
    ({ repositoryId: repository.id, number, kind: "issue" }) as const;

  async function get(actor: Actor, granted: GrantedRepository, number: number): Promise<Issue> {
    const row = await findIssue(db, { repositoryId: granted.repository.id, number }, viewingOf(actor));
    if (!row) throw await goneFrom(actor, granted, number);
    const closing = await deps.closings.closing(actor, row.id);
    return presentIssue(row, { ...viewOf(actor, granted), closing });
  }

  /** With where it is now, if it went to another repository. */
  async function goneFrom(actor: Actor, { repository }: GrantedRepository, number: number) {
    const place = { repositoryId: repository.id, number };
    const found = await deps.itemMoves.find(place, viewingOf(actor));
    if (!found) return new AppError("not_found");
    const movedTo = repositoryAddress(addresses, found).api("issues", String(found.number));
    return new AppError("not_found", { movedTo });
  }

  async function templateAt({ repository }: GrantedRepository, path: string) {
    const template = await deps.templates.findForIssue(repository, path);
    if (template) return template;
    throw invalidField("template", "unknown", "There is no such template in the default branch.");
  }

  async function createIn(
    tx: Transaction,
    { actor, granted }: Caller,
    { proposed = [], ...wanted }: IssueCreate & { proposed?: readonly string[] },
  ) {
    const authorId = userIdOf(actor);
    const repositoryId = granted.repository.id;
    const { title, body = "" } = wanted;
    const made = { id: newId("iss"), repositoryId, kind: "issue", title, body, authorId } as const;
    const item = await workItems.insert(tx, made);
    const changes = triageChanges(wanted);
    if (changes) requireRight(mayChange(viewerOf(actor, granted), item), "triage");
    const known = await deps.labels.knownNames(tx, repositoryId, proposed);
    const labels = [...known, ...(changes?.labels ?? [])];
    if (changes || labels.length > 0) await workItems.change(tx, { item, actor }, { ...changes, labels });
    const text = textOf({ title, body });
    await references.keep(tx, { actor, ...granted }, { item, commentId: null, text });
    await tell(tx, { repositoryId, number: item.number, actor }, "opened");
    return item;
  }

  return {
    async list(actor, granted, query) {
      const listed = listedOf(actor, query);
      const place = { repositoryId: granted.repository.id, viewer: viewingOf(actor) };
      const { rows, total } = await listWithinTime(db, listed, (queryable) =>
        listIssues(queryable, place, listed),
      );
      const view = viewOf(actor, granted);
      return { items: rows.map((row) => presentIssue(row, view)), total };
    },
    get,
    createIn,
    async create(actor, granted, wanted) {
      const { template: path } = wanted;
      const template = path === undefined ? undefined : await templateAt(granted, path);
      const made = { ...wanted, proposed: template?.labels ?? [] };
      const { number } = await db.transaction((tx) => createIn(tx, { actor, granted }, made));
      return get(actor, granted, number);
    },
    async update(actor, granted, { number, ...wanted }) {
      await db.transaction((tx) => deps.edits.edit(tx, { actor, granted }, { number, ...wanted }));
      return get(actor, granted, number);
    },
    setLocked: (actor, granted, { number, locked }) =>
      db.transaction(async (tx) => {
        const item = await workItems.lock(tx, addressOf(granted, number));
        await workItems.setLocked(tx, { item, actor }, locked);
      }),
    setPinned: (actor, granted, { number, pinned }) =>
      db.transaction(async (tx) => {
        const item = await workItems.lock(tx, addressOf(granted, number));
        await workItems.setPinned(tx, { item, actor }, pinned);
      }),
    remove: (actor, granted, number) =>
      db.transaction(async (tx) => {
        const { id, title } = await workItems.lock(tx, addressOf(granted, number));
        const repositoryId = granted.repository.id;
        await tell(tx, { repositoryId, number, actor }, "deleted");
        await workItems.remove(tx, id);
        const target = {
          type: "issue",
          id,
          name: `${granted.repository.owner}/${granted.repository.name}#${number}`,
        };
        await recordAudit(tx, actor, {
          action: "issue.delete",
          target,
          details: { title, repository_id: repositoryId },
        });
      }),
    timeline: (actor, granted, { number, ...page }) =>
      workItems.timeline(addressOf(granted, number), actor, page),
  };
}

/** What the parameters and the query ask for. */
function listedOf(actor: Actor, query: IssueQuery): ListedIssues {
  const { q = "", labels, pinned, sort, direction, page, per_page, ...parameters } = query;
  const asker = askerOf(actor);
  const read = readAsked("q", q, asker);
  const marked = pinned ? { is: "pinned" } : {};
  return {
    ...listConditionsOf({ ...parameters, label: labelNames(labels), ...marked }, read, asker),
    order: read.order ?? { sort, direction },
    page,
    per_page,
  };
}
