/** A slot that somebody releases by hand. */
import type { Queryable, Transaction } from "../../../platform/db/database.ts";
import { defineStatements, type RowOf } from "../../../platform/db/statement.ts";
import type { ReleaseSlotRows } from "./release-slot.rows.ts";

const find = (condition: string) => `
  select s.id, s.state, s.scope, s.owner_id as "ownerId", s.group_name as "group", p.id as "pipelineId", p.number,
    n.full_name as repository, s.scope = 'repo' or r.owner_id = s.owner_id as "isOwners"
  from concurrency_slots s join pipelines p on p.id = s.pipeline_id join repositories r on r.id = s.repository_id
    join repository_names n on n.repository_id = r.id
  where s.id = $1 and ${condition}`;

interface Known {
  /** None of the columns that it compares can be null. */
  findOfRepository: { isOwners: boolean };
  /** As above. */
  findOfOrganization: { isOwners: boolean };
}

export const statements = defineStatements<ReleaseSlotRows, Known>({
  findOfRepository: find("s.repository_id = $2"),
  findOfOrganization: find("s.owner_id = $2 and s.scope = 'org'"),
  // A transfer may have moved it while the lock of its group was waited for.
  endOne:
    "delete from concurrency_slots where id = $1 and owner_id = $2 and state in ('expected', 'held') returning id",
});

export type FoundSlot = RowOf<typeof statements.findOfRepository>;

/** A slot of a run of the repository, in whatever group. */
export function findOfRepository(
  db: Queryable,
  repositoryId: string,
  slotId: string,
): Promise<FoundSlot | undefined> {
  return db.one(statements.findOfRepository, [slotId, repositoryId]);
}

/** A slot of a group of the organization, whosever run has it. */
export function findOfOrganization(
  db: Queryable,
  organizationId: string,
  slotId: string,
): Promise<FoundSlot | undefined> {
  return db.one(statements.findOfOrganization, [slotId, organizationId]);
}

/** False if it is not held or expected any more, or in a group of somebody else by now. */
export async function endOne(tx: Transaction, { id, ownerId }: FoundSlot): Promise<boolean> {
  return (await tx.one(statements.endOne, [id, ownerId])) !== undefined;
}
