/** One change to several issues: each in a transaction of its own, so that what one is refused stops no other. */
import type {
  IssueBulkResult,
  IssueBulkResults,
  IssueBulkUpdate,
} from "@forgeline/schemas/issues/resource.ts";
import { maxAssignees, maxItemLabels } from "@forgeline/schemas/work-items/resource.ts";
import type { Actor } from "../../../platform/access/actor.ts";
import { AppError, invalidField } from "../../../platform/app-error.ts";
import type { Database, Transaction } from "../../../platform/db/database.ts";
import type { GrantedRepository } from "../../policy/domain.ts";
import { mayChange, viewerOf } from "../work-items/may-change.ts";
import type { WorkItems } from "../work-items/work-items.ts";
import { changedNames } from "./changed-names.ts";
import { requireRight, type IssueEdits } from "./edits.ts";

export interface IssueBulkEdits {
  /** What is already so is no change. Throws only what none of the issues can help, such as a database that does not answer. */
  update(actor: Actor, granted: GrantedRepository, wanted: IssueBulkUpdate): Promise<IssueBulkResults>;
}

export interface IssueBulkEditsDeps {
  db: Database;
  workItems: Pick<WorkItems, "lock" | "namesOn" | "setLocked">;
  edits: IssueEdits;
}

export function createIssueBulkEdits({ db, workItems, edits }: IssueBulkEditsDeps): IssueBulkEdits {
  /** What the lists of an issue become, for an edit that replaces them. */
  async function listsOf(tx: Transaction, itemId: string, wanted: Changes) {
    const { add_labels, remove_labels, add_assignees, remove_assignees } = wanted;
    if (!(add_labels ?? remove_labels ?? add_assignees ?? remove_assignees)) return {};
    const before = await workItems.namesOn(tx, itemId);
    const labels = changedNames(before.labels, { add: add_labels, remove: remove_labels });
    const assignees = changedNames(before.assignees, { add: add_assignees, remove: remove_assignees });
    refusePast(labels, { field: "add_labels", max: maxItemLabels, what: "labels" });
    refusePast(assignees, { field: "add_assignees", max: maxAssignees, what: "assignees" });
    return { labels, assignees };
  }

  async function edit(
    tx: Transaction,
    by: { actor: Actor; granted: GrantedRepository },
    { number, ...wanted }: Changes & { number: number },
  ): Promise<void> {
    const { actor, granted } = by;
    const item = await workItems.lock(tx, { repositoryId: granted.repository.id, number, kind: "issue" });
    const { milestone, due_on, state, state_reason, locked } = wanted;
    if (locked !== undefined) requireRight(mayChange(viewerOf(actor, granted), item), "lock");
    const lists = await listsOf(tx, item.id, wanted);
    await edits.edit(tx, by, { number, ...lists, milestone, due_on, state, state_reason });
    if (locked !== undefined) await workItems.setLocked(tx, { item, actor }, locked);
  }

  return {
    async update(actor, granted, { numbers, ...changes }) {
      const results: IssueBulkResult[] = [];
      for (const number of new Set(numbers)) {
        const wanted = { number, ...changes };
        const problem = await db
          .transaction((tx) => edit(tx, { actor, granted }, wanted))
          .then(() => undefined, appErrorOf);
        results.push(
          problem === undefined ? { number, result: "ok", message: null } : refusalOf(number, problem),
        );
      }
      return { results };
    },
  };
}

type Changes = Omit<IssueBulkUpdate, "numbers">;

function appErrorOf(error: unknown): AppError {
  if (error instanceof AppError) return error;
  throw error;
}

function refusalOf(number: number, { code, message }: AppError): IssueBulkResult {
  if (code === "not_found")
    return { number, result: code, message: "There is no such issue in this repository." };
  return { number, result: code === "forbidden" ? code : "refused", message };
}

function refusePast(
  names: readonly string[] | undefined,
  { field, max, what }: { field: string; max: number; what: string },
): void {
  if ((names?.length ?? 0) <= max) return;
  throw invalidField(field, "too_many", `An issue has at most ${max} ${what}: take some off first.`);
}
