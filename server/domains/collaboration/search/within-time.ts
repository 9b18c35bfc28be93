/** Bounds what a query may cost: words that are everywhere, and many of them, take PostgreSQL long. */
import { invalidField } from "../../../platform/app-error.ts";
import type { Database, Queryable } from "../../../platform/db/database.ts";
import type { ListConditions } from "./conditions.ts";
import { limitTime } from "./search.store.ts";

const maxMs = 5_000;

/** Throws `validation_failed` on `q` where a statement takes longer. */
export async function withinTime<Result>(
  db: Database,
  ask: (tx: Queryable) => Promise<Result>,
): Promise<Result> {
  try {
    return await db.transaction(async (tx) => {
      await limitTime(tx, maxMs);
      return ask(tx);
    });
  } catch (error) {
    if ((error as { code?: string }).code !== "57014") throw error;
    const message = "This search takes too long: name a repository, an owner, or fewer and rarer words.";
    throw invalidField("q", "too_expensive", message);
  }
}

/** As `withinTime` for lists, of which most ask for nothing that can take long. */
export function listWithinTime<Result>(
  db: Database,
  { isOwn }: ListConditions,
  list: (queryable: Queryable) => Promise<Result>,
): Promise<Result> {
  return isOwn ? withinTime(db, list) : list(db);
}
