/**
 * Access to PostgreSQL. Statements (`statement.ts`) are static text with parameters and are prepared once per
 * connection under a name made from their text. A transaction collects what is to happen after its commit: in-process
 * wake-ups run first, then the other processes are told.
 */
import pg from "pg";
import type { Logger } from "../logger.ts";
import type { CountOnCommit, CountsOnCommit } from "./counts-on-commit.ts";
import { createNotifications, type Channel, type Notifications } from "./notifications.ts";
import type { Statement } from "./statement.ts";

// bigint columns here (offsets, sizes, counters) stay far below 2^53.
pg.types.setTypeParser(pg.types.builtins.INT8, Number);

export interface Queryable {
  /** All rows of a static statement. */
  query<R extends object>(statement: Statement<R>, params?: readonly unknown[]): Promise<R[]>;
  /** The first row, or undefined. */
  one<R extends object>(statement: Statement<R>, params?: readonly unknown[]): Promise<R | undefined>;
}

export interface Transaction extends Queryable {
  /** Runs after the commit, never after a rollback; must not throw. */
  afterCommit(action: () => void): void;
  /** Counts in the metrics of this process after the commit; so nothing is counted of what was undone or is tried again. */
  count: CountOnCommit;
  /**
   * Tells every process that listens to `channel`, this one included, soon after the commit. A process that dies in between
   * tells nobody else, so listeners must also check at intervals.
   */
  notify(channel: Channel, payload: string): Promise<void>;
}

export interface TransactionOptions {
  /**
   * PostgreSQL keeps a plan made for a small table when the table is large; with this, it makes only plans that stay fast then.
   */
  planByIndexes?: boolean;
}

export interface Database extends Queryable {
  transaction<T>(work: (tx: Transaction) => Promise<T>, options?: TransactionOptions): Promise<T>;
  /** Calls back for every notification, also those of this process, until `stop` is called. */
  listen(channel: Channel, onPayload: (payload: string) => void): () => void;
  /** Rejects when it cannot be reached. */
  ping(): Promise<void>;
  /** Connections now open, idle and waited for. */
  poolState(): { total: number; idle: number; waiting: number };
  close(): Promise<void>;
}

function queryable(run: (config: pg.QueryConfig) => Promise<pg.QueryResult>): Queryable {
  const query = async <R extends object>({ name, text }: Statement<R>, params: readonly unknown[] = []) => {
    const { rows } = await run({ name, text, values: [...params] });
    return rows as R[];
  };
  return { query, one: async (statement, params) => (await query(statement, params))[0] };
}

export interface DatabaseOptions {
  url: string;
  poolSize: number;
  applicationName: string;
  logger: Logger;
  /** Without it, nothing is counted. */
  counts?: CountsOnCommit;
}

/** Long, because plans live as long as their connection: a new one plans each statement several times, and some take 10 ms. */
const idleTimeoutMillis = 300_000;

export function createDatabase(options: DatabaseOptions): Database {
  const pool = new pg.Pool({
    connectionString: options.url,
    max: options.poolSize,
    application_name: options.applicationName,
    connectionTimeoutMillis: 10_000,
    idleTimeoutMillis,
    keepAlive: true,
  });
  pool.on("error", (error) => options.logger.warn({ error: error.message }, "idle database connection lost"));
  // The pool hears of idle connections only; one that dies in a transaction must not end the process. Its query fails.
  pool.on("connect", (client) => client.on("error", () => undefined));
  const notifications = createNotifications(options);
  return {
    ...queryable((config) => pool.query(config)),
    async ping() {
      await pool.query("select 1");
    },
    transaction: (work, { planByIndexes = false } = {}) =>
      runTransaction(
        pool,
        { ...options, notifications },
        { work, begin: planByIndexes ? beginByIndexes : "begin" },
      ),
    listen: notifications.listen,
    poolState: () => ({ total: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    async close() {
      await notifications.close();
      await pool.end();
    },
  };
}

/** One message, since each more would be another round trip. */
const beginByIndexes = "begin; set local enable_seqscan = off; set local enable_bitmapscan = off";

async function runTransaction<T>(
  pool: pg.Pool,
  { notifications, counts }: { notifications: Pick<Notifications, "send">; counts?: CountsOnCommit },
  { work, begin }: { work: (tx: Transaction) => Promise<T>; begin: string },
): Promise<T> {
  const client = await pool.connect();
  const after: (() => void)[] = [];
  const base = queryable((config) => client.query(config));
  const tx: Transaction = {
    ...base,
    afterCommit: (action) => after.push(action),
    count: (name, labels, value) => after.push(() => counts?.count(name, labels, value)),
    notify(channel, payload) {
      after.push(() => notifications.send(channel, payload));
      return Promise.resolve();
    },
  };
  let broken: Error | undefined;
  try {
    await client.query(begin);
    const result = await work(tx);
    await client.query("commit");
    for (const action of after) action();
    return result;
  } catch (error) {
    try {
      await client.query("rollback");
    } catch (rollbackError) {
      broken = rollbackError as Error;
    }
    throw error;
  } finally {
    client.release(broken);
  }
}
