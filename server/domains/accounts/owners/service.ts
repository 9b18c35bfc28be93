/** Names of organizations among those of users and bots, for the domain that makes and deletes organizations. */
import type { Transaction } from "../../../platform/db/database.ts";
import * as store from "./owners.store.ts";

export interface OwnerService {
  /** Takes the name in the caller's transaction. False when a user or an organization has it. */
  addOrganization(tx: Transaction, organization: { id: string; name: string }): Promise<boolean>;
  /** With all that belongs to it; its name is free again. */
  removeOrganization(tx: Transaction, id: string): Promise<void>;
}

export function createOwnerService(): OwnerService {
  return {
    addOrganization: (tx, { id, name }) => store.insertOwner(tx, { id, name, kind: "org" }),
    removeOrganization: store.deleteOrganizationOwner,
  };
}
