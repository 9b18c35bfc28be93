/** Names of users, bots and organizations, which are unique together; each call works in the caller's transaction. */
import type { Transaction } from "../../../platform/db/database.ts";
import * as store from "./owners.store.ts";

export interface OwnerService {
  /** Takes the name. False when a user or an organization has it. */
  add(tx: Transaction, owner: { id: string; name: string; kind: "user" | "org" }): Promise<boolean>;
  /** Releases their names for others. */
  releaseNames(tx: Transaction, ids: readonly string[]): Promise<void>;
  /** With everything that belongs to it; its name can be taken again. */
  removeOrganization(tx: Transaction, id: string): Promise<void>;
}

export function createOwnerService(): OwnerService {
  return {
    add: store.insertOwner,
    releaseNames: store.releaseNames,
    removeOrganization: store.deleteOrganizationOwner,
  };
}
