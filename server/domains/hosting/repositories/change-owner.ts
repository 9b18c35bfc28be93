/** What changes with the owner of a repository. */
import type { Transaction } from "../../../platform/db/database.ts";
import { deleteCollaborator } from "../collaborators/collaborators.store.ts";
import type { NewOwner } from "./check-create.ts";
import { takeName, type RepositoryRow } from "./repositories.store.ts";
import { leaveName, conflictIfTaken, setOwner } from "./settings.store.ts";

export interface ChangeOfOwner {
  row: RepositoryRow;
  receiver: NewOwner;
  /** Teams belong to an organization, so what they were granted ends. */
  endTeamGrants(tx: Transaction, repositoryId: string): Promise<void>;
}

/** The name must be free there. Throws `conflict` where another request took it meanwhile. */
export async function changeOwner(tx: Transaction, change: ChangeOfOwner): Promise<void> {
  const { row, receiver } = change;
  await change.endTeamGrants(tx, row.id);
  await deleteCollaborator(tx, { repositoryId: row.id, userId: receiver.id });
  await conflictIfTaken(receiver.name, () => setOwner(tx, row.id, receiver));
  await takeName(tx, receiver.id, row.name);
  await leaveName(tx, row);
}
