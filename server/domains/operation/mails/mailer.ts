/**
 * Handles mails in the background: composes requested ones, sends those that are due, deletes old ones. Any number of servers
 * may do so; each takes what no other has locked. A crash between sending and recording it sends a mail twice.
 */
import type { Database, Transaction } from "../../../platform/db/database.ts";
import type { Logger } from "../../../platform/logger.ts";
import type { Metrics } from "../../../platform/metrics.ts";
import { createCounter } from "../../../platform/declared-metrics.ts";
import type { MailService } from "./service.ts";
import { isFinal, isUnreachable, type OutgoingMail, type Smtp } from "./smtp.ts";
import * as store from "./mails.store.ts";

const lookEveryMs = 30_000;
/** Late ones that are sent before it is looked again whether there is something to compose. */
const lateAtOnce = 5;

export type MailOutcome = "sent" | "failed" | "refused";

interface Tried {
  outcome: MailOutcome;
  unreachable: boolean;
}

/** A mail that was written just now, for those who may still get it. */
export interface LateMail extends OutgoingMail {
  /** After the transaction; `failed` is tried again. */
  onOutcome(this: void, outcome: MailOutcome): void;
  /** In the transaction that records it, where the mail server refused the mail for good. */
  onRefusal?(this: void): Promise<void>;
}

/** Undefined: there is nothing to send any more. */
export type WriteLateMail = (tx: Transaction, mailId: string) => Promise<LateMail | undefined>;

export interface Mailer {
  /** Adds a composer of mails, which makes one or a few at a time; false if there was none. */
  composeBy(compose: () => Promise<boolean>): void;
  /** What writes the late mails of a kind (`MailService.writeLate`), in the transaction that sends them. */
  writeBy(kind: string, write: WriteLateMail): void;
  start(): void;
  close(): Promise<void>;
}

export interface MailerDeps {
  db: Database;
  mail: MailService;
  /** Undefined: mails stay in the outbox. */
  smtp: Smtp | undefined;
  logger: Logger;
  registry: Metrics;
}

export function createMailer(deps: MailerDeps): Mailer {
  const { db, smtp, logger } = deps;
  const outcomes = createCounter(deps.registry, "forgeline_mails_total");
  const composers: (() => Promise<boolean>)[] = [];
  const writers = new Map<string, WriteLateMail>();
  let closed = false;
  let again = false;
  let running: Promise<void> | undefined;

  /** Records what came of it, in the transaction that locks the mail. */
  async function trySending(tx: Transaction, id: string, send: () => Promise<void>): Promise<Tried> {
    try {
      await send();
      await store.markSent(tx, id);
      return { outcome: "sent", unreachable: false };
    } catch (error) {
      const final = isFinal(error);
      const { message } = error as Error;
      logger.warn({ mail_id: id, final, error: message }, "the mail server did not accept a mail");
      await store.markFailed(tx, id, { error: message.slice(0, 500), final });
      return { outcome: final ? "refused" : "failed", unreachable: isUnreachable(error) };
    }
  }

  async function sendOne(server: Smtp): Promise<boolean> {
    const tried = await db.transaction(async (tx) => {
      const row = await store.lockDueMail(tx);
      if (!row) return undefined;
      return trySending(tx, row.id, () =>
        server.send({
          id: row.id,
          to: row.to_address,
          subject: row.subject,
          text: deps.mail.textOf(row) ?? "",
        }),
      );
    });
    if (tried) outcomes.inc({ outcome: tried.outcome });
    return tried !== undefined;
  }

  /** False: none is due, or the mail server is not there, and each further one would wait for it in vain. */
  async function sendOneLate(server: Smtp): Promise<boolean> {
    let row: store.MailRow | undefined;
    try {
      const done = await db.transaction(async (tx) => {
        row = await store.lockDueLateMail(tx);
        return row && writeAndSend(tx, server, row);
      });
      if (!done) return false;
      outcomes.inc({ outcome: done.outcome });
      done.tell?.();
      return !done.unreachable;
    } catch (error) {
      if (!row) throw error;
      // Others are not to wait for it.
      const { message } = error as Error;
      logger.warn({ mail_id: row.id, error: message }, "could not write a mail; trying again later");
      await store.markFailed(db, row.id, { error: message.slice(0, 500), final: false });
      return true;
    }
  }

  async function writeAndSend(tx: Transaction, server: Smtp, { id, kind }: store.MailRow) {
    const mail = await writers.get(kind)?.(tx, id);
    if (!mail) {
      await store.deleteMail(tx, id);
      return { outcome: "dropped", unreachable: false, tell: undefined };
    }
    const { onOutcome, onRefusal, ...message } = mail;
    const tried = await trySending(tx, id, () => server.send({ ...message, id }));
    if (tried.outcome === "refused") await onRefusal?.();
    return { ...tried, tell: () => onOutcome(tried.outcome) };
  }

  async function sendThoseWaitedFor(): Promise<void> {
    while (!closed && smtp && (await sendOne(smtp)));
  }

  /** However much a composer has to do, nobody waits for a code for longer than it takes for a part of that. */
  async function composeAll(): Promise<void> {
    for (let more = true; more && !closed;) {
      more = false;
      for (const compose of composers) {
        more = (!closed && (await compose())) || more;
        await sendThoseWaitedFor();
      }
    }
  }

  async function round(): Promise<void> {
    await sendThoseWaitedFor();
    await composeAll();
    for (let sent = 1; !closed && smtp && (await sendOneLate(smtp)); sent += 1) {
      await sendThoseWaitedFor();
      if (sent % lateAtOnce === 0) await composeAll();
    }
    await store.deleteOldMails(db);
  }

  /** One round at a time; a notification during a round causes another one. */
  function wake(): void {
    again = true;
    running ??= (async () => {
      while (again && !closed) {
        again = false;
        await round().catch((error: Error) =>
          logger.warn({ error: error.message }, "could not process waiting mails; trying again later"),
        );
      }
      running = undefined;
    })();
  }

  let timer: NodeJS.Timeout | undefined;
  let stopListening: (() => void) | undefined;
  return {
    composeBy(compose) {
      composers.push(compose);
    },
    writeBy(kind, write) {
      writers.set(kind, write);
    },
    start() {
      stopListening ??= db.listen("mail", wake);
      timer ??= setInterval(wake, lookEveryMs).unref();
    },
    async close() {
      closed = true;
      clearInterval(timer);
      stopListening?.();
      smtp?.close();
      await running;
    },
  };
}
