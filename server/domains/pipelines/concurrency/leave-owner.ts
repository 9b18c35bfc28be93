/**
 * A repository that has another owner uses the groups of that owner. What holds a slot keeps it, and with it the old group, until it is
 * over, since what the slot guards is in use; what only waits leaves the old group at once, in which it would hold up others.
 */
import type { Transaction } from "../../../platform/db/database.ts";
import { groupsAstray, leaveAstray, moveAstray } from "./leave-owner.store.ts";
import { findOwner, lockGroups } from "./slots.store.ts";
import { settle, tell } from "./take-slots.ts";

/**
 * Moves what waits, in its order, to the groups of an organization that shares groups; else it asks again, and is told that there are none.
 * May be called again: it does nothing for what is where it belongs.
 */
export async function leaveOldOwner(tx: Transaction, repositoryId: string): Promise<void> {
  const left = await groupsAstray(tx, repositoryId);
  const owner = left.length > 0 ? await findOwner(tx, repositoryId) : undefined;
  if (!owner) return;
  const { organizationId: ownerId, allowed } = owner;
  const joined = ownerId !== null && allowed ? left.map(({ group }) => ({ ownerId, group })) : [];
  await lockGroups(tx, [...left, ...joined]);
  if (joined.length > 0) await moveAstray(tx, repositoryId);
  else for (const change of await leaveAstray(tx, repositoryId)) await tell(tx, change);
  for (const group of [...left, ...joined]) await settle(tx, group);
}
