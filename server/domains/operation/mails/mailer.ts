/**
 * Handles mails in the background: composes requested ones, sends those that are due, deletes old ones. Any number of servers
 * may do so; each takes what no other has locked. A crash between sending and recording it sends a mail twice.
 */
import type { Database } from "../../../platform/db/database.ts";
import type { Logger } from "../../../platform/logger.ts";
import type { Metrics } from "../../../platform/metrics.ts";
import { createCounter } from "../../../platform/declared-metrics.ts";
import type { MailService } from "./service.ts";
import { isFinal, type Smtp } from "./smtp.ts";
import { deleteOldMails, lockDueMail, markFailed, markSent } from "./mails.store.ts";

const lookEveryMs = 30_000;

export interface Mailer {
  /** Adds a composer of requested mails, which makes one at a time; false if there was none. */
  composeBy(compose: () => Promise<boolean>): void;
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
  let closed = false;
  let again = false;
  let running: Promise<void> | undefined;

  async function sendOne(server: Smtp): Promise<boolean> {
    return db.transaction(async (tx) => {
      const row = await lockDueMail(tx);
      if (!row) return false;
      try {
        const text = deps.mail.textOf(row) ?? "";
        await server.send({ id: row.id, to: row.to_address, subject: row.subject, text });
        await markSent(tx, row.id);
        outcomes.inc({ outcome: "sent" });
      } catch (error) {
        const final = isFinal(error);
        logger.warn(
          { mail_id: row.id, final, error: (error as Error).message },
          "the mail server did not accept a mail",
        );
        await markFailed(tx, row.id, { error: (error as Error).message.slice(0, 500), final });
        outcomes.inc({ outcome: final ? "refused" : "failed" });
      }
      return true;
    });
  }

  async function round(): Promise<void> {
    for (const compose of composers) while (!closed && (await compose()));
    while (!closed && smtp && (await sendOne(smtp)));
    await deleteOldMails(db);
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
