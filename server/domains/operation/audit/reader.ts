/** Reads whole audit logs, for exports. */
import type { Database } from "../../../platform/db/database.ts";
import type { Owner } from "./audit.store.ts";
import { lastNumber } from "./chain.store.ts";
import { csvTitles, readPart, type PartOfLog } from "./export.store.ts";

export interface AuditReader {
  /** The number of the last link of what is committed now; 0 for an empty log. */
  head(owner: Owner): Promise<number>;
  /** `last`: up to where it goes; at `until` nothing is left. `rows` and `text`: entries that match, as lines. */
  readPart(part: PartOfLog): Promise<{ last: number; rows: number; text: string }>;
  /** What stands before all lines of a file in CSV. */
  csvTitles: string;
}

export function createAuditReader({ db, link }: { db: Database; link(): Promise<void> }): AuditReader {
  return {
    async head(owner) {
      await link();
      return lastNumber(db, owner ?? "instance");
    },
    readPart: (part) => readPart(db, part),
    csvTitles,
  };
}
