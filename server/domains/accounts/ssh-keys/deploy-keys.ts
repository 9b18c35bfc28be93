/** SSH keys of repositories, for the hosting domain. A key belongs to one person or one repository; all are in one table. */
import type { PageQuery } from "@forgeline/schemas/core/pagination.ts";
import type { Database, Transaction } from "../../../platform/db/database.ts";
import * as store from "./deploy-keys.store.ts";
import type { DeployKeyRow, NewDeployKey } from "./deploy-keys.store.ts";

export interface DeployKeys {
  list(repositoryId: string, page: PageQuery): Promise<{ rows: DeployKeyRow[]; total: number }>;
  find(repositoryId: string, id: string): Promise<DeployKeyRow | undefined>;
  count(tx: Transaction, repositoryId: string): Promise<number>;
  /** Undefined if the key is already in use. */
  add(tx: Transaction, key: NewDeployKey): Promise<DeployKeyRow | undefined>;
  /** The removed key. */
  remove(tx: Transaction, repositoryId: string, id: string): Promise<DeployKeyRow | undefined>;
}

export function createDeployKeys(db: Database): DeployKeys {
  return {
    list: (repositoryId, page) => store.listDeployKeys(db, repositoryId, page),
    find: (repositoryId, id) => store.findDeployKey(db, repositoryId, id),
    count: store.countKeys,
    add: store.insertDeployKey,
    remove: store.deleteDeployKey,
  };
}
