/** What somebody has on repositories only as long as they are in an organization, or there at all. Hosting keeps it. */
import type { Transaction } from "../../../platform/db/database.ts";

export interface Collaborations {
  /** Of who leaves the organization, on its repositories. Tells how many there were. */
  dropFromOrganization(
    tx: Transaction,
    membership: { organizationId: string; userId: string },
  ): Promise<number>;
  /** All that these users have. */
  dropUsers(tx: Transaction, userIds: readonly string[]): Promise<void>;
}
