/** Rights on repositories that end when somebody leaves an organization or is deleted. Hosting stores them. */
import type { Transaction } from "../../../platform/db/database.ts";

export interface Collaborations {
  /** For a user who leaves the organization, on its repositories. Returns how many there were. */
  dropFromOrganization(
    tx: Transaction,
    membership: { organizationId: string; userId: string },
  ): Promise<number>;
  /** All collaborations of these users. */
  dropUsers(tx: Transaction, userIds: readonly string[]): Promise<void>;
}
