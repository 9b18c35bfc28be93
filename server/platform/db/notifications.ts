/**
 * Notifications between processes by PostgreSQL's LISTEN and NOTIFY, on a separate connection. They are sent after the commit
 * that they announce, in batches. A NOTIFY inside a transaction would hold a lock on the whole database until that transaction
 * is on disk (`PreCommit_Notify` in PostgreSQL's async.c), so that no two commits could share a disk write. Notifications are
 * hints: whoever misses one finds the same by checking.
 */
import { randomBytes } from "node:crypto";
import pg from "pg";
import type { Logger } from "../logger.ts";

/**
 * What may be listened to. Payloads: outbox – empty; queue – repository id; attempt – attempt id (its cancel or
 * end); log – `<stream id>:<next offset>` or `<stream id>:eof`; run – pipeline id (a status in it changed);
 * runner – runner id (paused, drained, revoked); token – id of a token (revoked) or
 * session (ended); empty when credentials of some user may have lost their power; mail – empty (one is requested); event – empty (one was
 * recorded); webhook – id of a webhook (deliveries are waiting, or it was switched on); fork_sync – id of a sync of a fork (it has ended); schedule –
 * empty (a schedule of a pipeline has another next time); shell – `<shell id>:<viewer | runner>` (look for a parcel), `<shell id>:wanted`
 * (its runner is asked to open it) or `<shell id>:ended`.
 */
export const channels = [
  "outbox",
  "queue",
  "attempt",
  "log",
  "run",
  "runner",
  "token",
  "mail",
  "event",
  "webhook",
  "fork_sync",
  "schedule",
  "shell",
] as const;
export type Channel = (typeof channels)[number];

export interface Notifications {
  /** Calls back for every notification, also those of this process, until the returned function is called. */
  listen(channel: Channel, onPayload: (payload: string) => void): () => void;
  /** Handlers in this process are called at once, others when it has passed through the database. */
  send(channel: Channel, payload: string): void;
  /** Sends pending ones, if the database can be reached. */
  close(): Promise<void>;
}

export interface NotificationOptions {
  url: string;
  applicationName: string;
  logger: Logger;
}

/** For outages of the database. Listeners check again when it is back. */
const pendingMax = 10_000;

export function createNotifications(options: NotificationOptions): Notifications {
  // Tells our own notifications from those of others, so that each is handled once. One per database object, not
  // per process: tests run many servers in one.
  const origin = randomBytes(6).toString("hex");
  const handlers = new Map<Channel, Set<(payload: string) => void>>();
  const pending: { channel: Channel; payload: string }[] = [];
  let client: pg.Client | undefined;
  let connecting: Promise<void> | undefined;
  let flushing: Promise<void> | undefined;
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

  /** One retry at a time: a failing connection reports it in more than one way. */
  function connectLater(ms: number): void {
    if (closed) return;
    retry ??= setTimeout(() => {
      retry = undefined;
      connect();
    }, ms).unref();
  }

  function connect(): void {
    if (closed || client || connecting) return;
    connecting = open().finally(() => {
      connecting = undefined;
      flush();
    });
  }

  async function open(): Promise<void> {
    const next = new pg.Client({
      connectionString: options.url,
      application_name: `${options.applicationName}-listen`,
      connectionTimeoutMillis: 10_000,
      keepAlive: true,
      // The announced data is already committed; the notification itself need not reach the disk.
      options: "-c synchronous_commit=off",
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
      client = next;
      // It is unknown what was missed: an empty payload tells handlers to check for themselves.
      for (const channel of channels) emitLocally(channel, "");
    } catch (error) {
      options.logger.warn(
        { error: (error as Error).message },
        "cannot listen for notifications; trying again",
      );
      void next.end().catch(() => undefined);
      connectLater(500);
    }
  }

  function flush(): void {
    if (flushing || pending.length === 0) return;
    if (!client) return connect();
    flushing = sendPending(client).finally(() => {
      flushing = undefined;
      flush();
    });
  }

  async function sendPending(connection: pg.Client): Promise<void> {
    const batch = pending.splice(0);
    const names = batch.map(({ channel }) => `forgeline_${channel}`);
    const payloads = batch.map(({ payload }) => `${origin}:${payload}`);
    try {
      await connection.query(
        "select pg_notify(name, payload) from unnest($1::text[], $2::text[]) as news (name, payload)",
        [names, payloads],
      );
    } catch {
      // The connection is closing: the next one tries again.
      pending.unshift(...batch);
      pending.splice(0, pending.length - pendingMax);
      if (client === connection) client = undefined;
      void connection.end().catch(() => undefined);
      connectLater(200);
    }
  }

  return {
    listen(channel, onPayload) {
      const set = handlers.get(channel) ?? new Set();
      handlers.set(channel, set.add(onPayload));
      connect();
      return () => void set.delete(onPayload);
    },
    send(channel, payload) {
      emitLocally(channel, payload);
      if (closed || pending.length >= pendingMax) return;
      pending.push({ channel, payload });
      flush();
    },
    async close() {
      await connecting;
      while (client && (flushing || pending.length > 0)) await (flushing ?? Promise.resolve(flush()));
      closed = true;
      clearTimeout(retry);
      await connecting;
      await client?.end();
    },
  };
}
