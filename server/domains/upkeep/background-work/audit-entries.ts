/** Audit entries for actions of administrators on background work. */
import type { Database, Transaction } from "../../../platform/db/database.ts";
import type { Actor } from "../../../platform/access/actor.ts";
import { type AuditEntry, recordAudit } from "../../operation/domain.ts";
import type { Described } from "./executions.ts";
import type { SubjectRow } from "./subject.store.ts";

export type Recorder = (
  actor: Actor,
  entry: AuditEntry,
  act: (tx: Transaction) => Promise<void>,
) => Promise<void>;

/** The entry is written first, so that nothing is done without one. */
export function createRecorder(db: Database): Recorder {
  return (actor, entry, act) =>
    db.transaction(async (tx) => {
      await recordAudit(tx, actor, entry);
      await act(tx);
    });
}

/** Its target is the repository or organization that the work is about, else the work. */
export function entryOf(
  action: "admin.work_cancel" | "admin.work_retry",
  { id, kind }: Described,
  { subject, details }: { subject: SubjectRow | null; details: Record<string, unknown> },
): AuditEntry {
  const target = subject
    ? { type: subject.place, id: subject.place_id, name: subject.name }
    : { type: "work", id, name: id };
  return { action, target, details: { ...details, kind } };
}
