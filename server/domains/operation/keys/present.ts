/** Keys and rotations as the API shows them. */
import { keyRotationWorkflowId } from "@forgeline/schemas/keys/workflow.ts";
import {
  encryptedKinds,
  type EncryptedKind,
  type InstanceKey,
  type KeyRotation,
} from "@forgeline/schemas/keys/resource.ts";
import type { Addresses } from "../../../platform/addresses.ts";
import type { RotationRow } from "./key-rotations.store.ts";
import type { KeyRow } from "./service.ts";

export function presentKey({ key, isCurrent, isPending, place, encrypted }: KeyRow): InstanceKey {
  return {
    id: key.id,
    state: isPending && !isCurrent ? "pending" : isCurrent ? "current" : "old",
    created_at: key.createdAt.getTime() === 0 ? null : key.createdAt.toISOString(),
    wrapped_by: place,
    encrypted,
  };
}

export function presentRotation(row: RotationRow, { baseUrl, webUrl }: Addresses): KeyRotation {
  const countOf = (kind: EncryptedKind) => row.encrypted[kind] ?? 0;
  return {
    id: row.id,
    state: row.finished_at === null ? "running" : row.cancelled ? "cancelled" : "done",
    requested_by: row.requested_by,
    key_id: row.key_id,
    encrypted: Object.fromEntries(
      encryptedKinds.map((kind) => [kind, countOf(kind)]),
    ) as KeyRotation["encrypted"],
    unreadable: row.unreadable,
    work_url: `${baseUrl}/admin/work/${encodeURIComponent(keyRotationWorkflowId(row.id))}`,
    url: `${baseUrl}/admin/key-rotations/${row.id}`,
    web_url: `${webUrl}/-/admin/keys`,
    created_at: row.created_at.toISOString(),
    updated_at: (row.finished_at ?? row.created_at).toISOString(),
    finished_at: row.finished_at?.toISOString() ?? null,
  };
}
