/** How an issue is edited: what each change takes, and who is told, in the transaction of whoever edits. */
import type { IssueCreate, IssueUpdate } from "@forgeline/schemas/issues/resource.ts";
import type { ViewerMay } from "@forgeline/schemas/work-items/resource.ts";
import type { Actor } from "../../../platform/access/actor.ts";
import { AppError, invalidField } from "../../../platform/app-error.ts";
import type { Transaction } from "../../../platform/db/database.ts";
import type { GrantedRepository } from "../../policy/domain.ts";
import type { References } from "../references/references.ts";
import { mayChange, viewerOf } from "../work-items/may-change.ts";
import { refuseUnread } from "../work-items/refuse-unread.ts";
import { textOf } from "../work-items/text-of.ts";
import type { ItemChanges, WorkItems } from "../work-items/work-items.ts";
import type { IssueChanges } from "./changes.ts";
import { endingOf, type SameIssue } from "./endings.ts";

export interface IssueEdits {
  /** Throws `not_found`, `forbidden`, and `validation_failed` for unknown labels and the like. What is already so is no change. */
  edit(
    tx: Transaction,
    by: { actor: Actor; granted: GrantedRepository },
    wanted: IssueUpdate & { number: number },
  ): Promise<void>;
}

export interface IssueEditsDeps {
  workItems: Pick<WorkItems, "lock" | "change" | "setState">;
  references: Pick<References, "keep" | "resolve">;
  changes: Pick<IssueChanges, "tell">;
}

export function createIssueEdits({ workItems, references, changes: { tell } }: IssueEditsDeps): IssueEdits {
  /** The issue that an issue is said to be a duplicate of. */
  async function findSame(
    tx: Transaction,
    { item, actor, granted }: { item: { id: string }; actor: Actor; granted: GrantedRepository },
    named: SameIssue,
  ): Promise<string> {
    const found = await references.resolve(tx, { actor, ...granted }, named);
    if (found?.kind !== "issue")
      throw invalidField("duplicate_of", "unknown", "There is no such issue, or you cannot see it.");
    if (found.id === item.id)
      throw invalidField("duplicate_of", "invalid", "An issue cannot be a duplicate of itself.");
    return found.id;
  }

  return {
    async edit(tx, { actor, granted }, { number, ...wanted }) {
      const repositoryId = granted.repository.id;
      const item = await workItems.lock(tx, { repositoryId, number, kind: "issue" });
      const may = mayChange(viewerOf(actor, granted), item);
      const { title, body, previous_body: previous } = wanted;
      const changes = triageChanges(wanted);
      if (title !== undefined || body !== undefined) requireRight(may, "edit");
      if (changes) requireRight(may, "triage");
      const ending = endingOf(wanted);
      if (ending) requireRight(may, "close");
      if (ending?.duplicateOf) requireRight(may, "duplicate");
      refuseUnread(previous, { now: item.body, wanted: body });
      const place = { item, actor };
      const told = { repositoryId, number, actor };
      const changed = await workItems.change(tx, place, { title, body, ...changes });
      if (changed.includes("texts")) {
        const text = textOf({ title: title ?? item.title, body: body ?? item.body });
        await references.keep(tx, { actor, ...granted }, { item, commentId: null, text });
      }
      if (changed.length > 0) await tell(tx, told, "edited");
      if (!ending) return;
      const { duplicateOf: named } = ending;
      const kept = ending.reason === "duplicate" ? item.duplicate_of : null;
      const duplicateOf = named ? await findSame(tx, { ...place, granted }, named) : kept;
      const isNew = await workItems.setState(tx, place, { ...ending, duplicateOf });
      if (isNew) await tell(tx, told, ending.state === "open" ? "reopened" : "closed");
    },
  };
}

const rightNames = {
  edit: "Only the author, and those with Maintain, change title and text.",
  close: "Only the author, and those with Triage, close and reopen it.",
  // It writes into the timeline of another issue.
  duplicate: "It takes Triage to say of which issue it is a duplicate.",
  lock: "It takes Triage to lock and unlock it.",
  triage: "It takes Triage to set labels, assignees, milestone and due date.",
};
const ofTriage: ReadonlySet<string> = new Set(["duplicate", "lock"]);

/** Throws `forbidden`, and says what it takes. */
export function requireRight(may: ViewerMay, right: keyof typeof rightNames): void {
  if (!may[ofTriage.has(right) ? "triage" : (right as keyof ViewerMay)])
    throw new AppError("forbidden", { message: rightNames[right] });
}

/** What takes Triage; undefined if nothing of it is wanted. */
export function triageChanges(wanted: IssueCreate | IssueUpdate): ItemChanges | undefined {
  const { labels, assignees, milestone, due_on: dueOn } = wanted;
  const changes = { labels, assignees, milestone, dueOn };
  return Object.values(changes).some((value) => value !== undefined) ? changes : undefined;
}
