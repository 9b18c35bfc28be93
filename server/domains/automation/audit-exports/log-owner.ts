/** Whose audit log something is about, and what an entry about that log names as its target. */
import type { AuditEntry } from "../../operation/domain.ts";

/** Null: the instance's log. */
export type LogOwner = { id: string; name: string } | null;

export function targetOfLog(owner: LogOwner): AuditEntry["target"] {
  return owner
    ? { type: "organization", id: owner.id, name: owner.name }
    : { type: "instance", id: "", name: "instance" };
}
