/**
 * The door to PostgreSQL. Statements are static text with parameters and are prepared once per connection under
 * a name made from their text. A transaction collects what is to happen after its commit: in-process wake-ups run
 * first, `NOTIFY` tells the other processes.
 */
import { createHash, randomBytes } from "node:crypto";
import pg from "pg";
import type { Logger } from "../platform/logger.ts";

// bigint columns here (offsets, sizes, counters) stay far below 2^53.
pg.types.setTypeParser(pg.types.builtins.INT8, Number);

export type Row = Record<string, unknown>;

export interface Queryable {
  /** All rows of a static statement. */
  query<T extends object = Row>(text: string, params?: readonly unknown[]): Promise<T[]>;
  /** The first row, or undefined. */
  one<T extends object = Row>(text: string, params?: readonly unknown[]): Promise<T | undefined>;
}

export interface Transaction extends Queryable {
  /** Runs after the commit, never after a rollback; must not throw. */
  afterCommit(action: () => void): void;
  /** Tells every process that listens to `channel`, this one included, once the transaction commits. */
  notify(channel: Channel, payload: string): Promise<void>;
}

export interface Database extends Queryable {
  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;
  /** Calls back for every notification, also those of this process, until `stop` is called. */
  listen(channel: Channel, onPayload: (payload: string) => void): () => void;
  /** Connections now open, idle and waited for. */
  poolState(): { total: number; idle: number; waiting: number };
  close(): Promise<void>;
}

/**
 * What may be listened to. Payloads: outbox – empty; queue – repository id; attempt – attempt id (its cancel or
 * end); log – `<stream id>:<next offset>` or `<stream id>:eof`; run – pipeline id (a status in it changed);
 * runner – runner id (paused, drained, revoked); token – id of a token (revoked) or
 * session (ended); empty when credentials of some user may have lost their power; mail – empty (one is asked for).
 */
export const channels = ["outbox", "queue", "attempt", "log", "run", "runner", "token", "mail"] as const;
export type Channel = (typeof channels)[number];

const statementNames = new Map<string, string>();

function statementName(text: string): string {
  let name = statementNames.get(text);
  if (!name) {
    name = createHash("sha256").update(text).digest("base64url").slice(0, 24);
    statementNames.set(text, name);
  }
  return name;
}

function queryable(run: (config: pg.QueryConfig) => Promise<pg.QueryResult>): Queryable {
  return {
    async query<T extends object>(text: string, params: readonly unknown[] = []) {
      const result = await run({ name: statementName(text), text, values: [...params] });
      return result.rows as T[];
    },
    async one<T extends object>(text: string, params: readonly unknown[] = []) {
      const result = await run({ name: statementName(text), text, values: [...params] });
      return result.rows[0] as T | undefined;
    },
  };
}

export interface DatabaseOptions {
  url: string;
  poolSize: number;
  applicationName: string;
  logger: Logger;
}

export function createDatabase(options: DatabaseOptions): Database {
  const pool = new pg.Pool({
    connectionString: options.url,
    max: options.poolSize,
    application_name: options.applicationName,
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
  });
  pool.on("error", (error) => options.logger.warn({ error: error.message }, "idle database connection lost"));
  // The pool hears of idle connections only; one that dies in a transaction must not end the process. Its query fails.
  pool.on("connect", (client) => client.on("error", () => undefined));
  const listener = createListener(options);
  return {
    ...queryable((config) => pool.query(config)),
    transaction: (work) => runTransaction(pool, listener, work),
    listen: listener.listen,
    poolState: () => ({ total: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    async close() {
      await listener.close();
      await pool.end();
    },
  };
}

async function runTransaction<T>(
  pool: pg.Pool,
  listener: Pick<ReturnType<typeof createListener>, "origin" | "emitLocally">,
  work: (tx: Transaction) => Promise<T>,
): Promise<T> {
  const client = await pool.connect();
  const after: (() => void)[] = [];
  const base = queryable((config) => client.query(config));
  const tx: Transaction = {
    ...base,
    afterCommit: (action) => after.push(action),
    async notify(channel, payload) {
      await base.query("select pg_notify($1, $2)", [`forgeline_${channel}`, `${listener.origin}:${payload}`]);
      after.push(() => listener.emitLocally(channel, payload));
    },
  };
  let broken: Error | undefined;
  try {
    await client.query("begin");
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

function createListener(options: DatabaseOptions) {
  // Tells our own notifications from those of others, so that each is handled once. One per database object, not
  // per process: tests run many servers in one.
  const origin = randomBytes(6).toString("hex");
  const handlers = new Map<Channel, Set<(payload: string) => void>>();
  let client: pg.Client | undefined;
  let connecting = false;
  let retry: NodeJS.Timeout | undefined;
  let closed = false;

  const emitLocally = (channel: Channel, payload: string) => {
    for (const handler of handlers.get(channel) ?? []) handler(payload);
  };

  const onNotification = (message: pg.Notification) => {
    const channel = message.channel.replace("forgeline_", "") as Channel;
    const separator = (message.payload ?? "").indexOf(":");
    const sender = (message.payload ?? "").slice(0, separator);
    if (sender !== origin) emitLocally(channel, (message.payload ?? "").slice(separator + 1));
  };

  /** One retry at a time: a connection that fails tells so in more than one way. */
  function connectLater(ms: number): void {
    if (closed) return;
    retry ??= setTimeout(() => {
      retry = undefined;
      void connect();
    }, ms).unref();
  }

  async function connect(): Promise<void> {
    if (closed || client || connecting) return;
    connecting = true;
    const next = new pg.Client({
      connectionString: options.url,
      application_name: `${options.applicationName}-listen`,
      connectionTimeoutMillis: 10_000,
      keepAlive: true,
    });
    next.on("error", () => undefined);
    next.on("end", () => {
      if (client !== next) return;
      client = undefined;
      connectLater(200);
    });
    next.on("notification", onNotification);
    try {
      await next.connect();
      for (const channel of channels) await next.query(`listen forgeline_${channel}`);
      if (closed) {
        // Closed while connecting: nobody else would end this connection.
        await next.end();
        return;
      }
      client = next;
      // What was missed while away is unknown: an empty payload tells handlers to look for themselves.
      for (const channel of channels) emitLocally(channel, "");
    } catch (error) {
      options.logger.warn(
        { error: (error as Error).message },
        "cannot listen for notifications; trying again",
      );
      void next.end().catch(() => undefined);
      connectLater(500);
    } finally {
      connecting = false;
    }
  }

  return {
    origin,
    emitLocally,
    listen(channel: Channel, onPayload: (payload: string) => void) {
      const set = handlers.get(channel) ?? new Set();
      handlers.set(channel, set.add(onPayload));
      void connect();
      return () => void set.delete(onPayload);
    },
    async close() {
      closed = true;
      await client?.end();
    },
  };
}
