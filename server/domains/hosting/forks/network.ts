/** Which repositories belong together because they were forked from each other. */
import type { Database } from "../../../platform/db/database.ts";
import { areRelated } from "./network.store.ts";

export interface ForkNetwork {
  /** One is a fork of the other, at whatever distance, or both are of a third one that is there. By ids; says nothing about who may see them. */
  areRelated(one: string, other: string): Promise<boolean>;
}

export function createForkNetwork({ db }: { db: Database }): ForkNetwork {
  return { areRelated: (one, other) => areRelated(db, one, other) };
}
