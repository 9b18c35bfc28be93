/** Bounds what a query may cost: words that are everywhere, and many of them, take PostgreSQL long. */
import { invalidField } from "../../../platform/app-error.ts";
import type { Database, Queryable, Transaction } from "../../../platform/db/database.ts";
import type { ListConditions } from "./conditions.ts";
import { limitTime } from "./search.store.ts";

/** For all statements of a request together. */
const maxMs = 5_000;

/** Throws `validation_failed` on `q` where it takes longer. */
export async function withinTime<Result>(
  db: Database,
  ask: (tx: Queryable) => Promise<Result>,
): Promise<Result> {
  try {
    return await db.transaction((tx) => ask(untilDeadline(tx)));
  } catch (error) {
    if ((error as { code?: string }).code !== "57014") throw error;
    const message = "This search takes too long: name a repository, an owner, or fewer and rarer words.";
    throw invalidField("q", "too_expensive", message);
  }
}

/** Statements one after the other, each with the time that is left. After one that failed none is begun. */
function untilDeadline(tx: Transaction): Queryable {
  const endsAt = performance.now() + maxMs;
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = <Result>(run: () => Promise<Result>): Promise<Result> => {
    const result = last.then(async () => {
      await limitTime(tx, Math.max(1, Math.ceil(endsAt - performance.now())));
      return run();
    });
    last = result;
    return result;
  };
  return {
    query: (statement, params) => inTurn(() => tx.query(statement, params)),
    one: (statement, params) => inTurn(() => tx.one(statement, params)),
  };
}

/** As `withinTime` for lists, of which most ask for nothing that can take long. */
export function listWithinTime<Result>(
  db: Database,
  { isOwn }: ListConditions,
  list: (queryable: Queryable) => Promise<Result>,
): Promise<Result> {
  return isOwn ? withinTime(db, list) : list(db);
}
