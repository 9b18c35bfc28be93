/** Puts what is due into the queue of mails: one for each event, or one digest for each person. */
import type { Database, Transaction } from "../../../platform/db/database.ts";
import type { Operation } from "../../operation/domain.ts";
import { subjectOf } from "./plain-line.ts";
import * as store from "./waiting.store.ts";

/** Of late mails, which are written when they are sent. */
export const mailKind = "notification";

export interface ComposeDeps {
  db: Database;
  mail: Pick<Operation["mail"], "writeLate" | "sends">;
}

/** Some of them; false when none is due, or another server is at it. */
export function composeMails({ db, mail }: ComposeDeps): Promise<boolean> {
  return db.transaction(async (tx) => {
    if (!(await tx.one(store.statements.claim, []))?.claimed) return false;
    if (!mail.sends) {
      // Nobody would ever get them.
      await tx.query(store.statements.removeDue, []);
      return false;
    }
    const due = await store.listDue(tx);
    for (const rows of due) await composeOne(tx, mail, rows);
    return due.length > 0;
  });
}

async function composeOne(
  tx: Transaction,
  mail: ComposeDeps["mail"],
  rows: readonly store.DueRow[],
): Promise<void> {
  const ids = rows.map(({ id }) => id);
  const head = await tx.one(store.statements.headOf, [ids[0]]);
  if (!head || head.address === null) {
    await tx.query(store.statements.remove, [ids]);
    return;
  }
  const subject = rows.length === 1 ? subjectOf(head) : digestSubject(rows.length);
  const mailId = await mail.writeLate(tx, { kind: mailKind, to: head.address, subject });
  await tx.query(store.statements.assign, [mailId, ids]);
}

export function digestSubject(count: number): string {
  return `[Forgeline] ${count} notifications`;
}
