/** The group that a runner, or a registration token, is to be in. */
import { AppError, invalidField } from "../../../platform/app-error.ts";
import type { Transaction } from "../../../platform/db/database.ts";
import { holdGroup } from "./runner-groups.store.ts";

/** Of which runners. */
interface Place {
  repositoryId: string | null;
  organizationId: string | null;
}

/** It stays until the transaction ends. Throws `validation_failed` for a group of others, and for runners of one repository. */
export async function requireGroup(
  tx: Transaction,
  id: string,
  { repositoryId, organizationId }: Place,
): Promise<{ id: string; name: string }> {
  if (repositoryId !== null)
    throw invalidField(
      "group",
      "not_allowed",
      "A runner of one repository serves nobody else: it needs no group.",
    );
  const group = await holdGroup(tx, id, organizationId);
  if (!group) throw invalidField("group", "unknown", noSuchGroup(organizationId));
  return group;
}

/** For reading about it. Throws `not_found` for a group of others. */
export async function requireGroupToRead(
  tx: Transaction,
  id: string,
  organizationId: string | null,
): Promise<void> {
  if (!(await holdGroup(tx, id, organizationId)))
    throw new AppError("not_found", { message: noSuchGroup(organizationId) });
}

function noSuchGroup(organizationId: string | null): string {
  return `${organizationId === null ? "The instance" : "This organization"} has no such group of runners.`;
}
