/**
 * Mails: written in the transaction of what they are about, and sent by the mailer afterwards. Without a mail server,
 * administrators can read them.
 */
import type { Mail } from "@forgeline/schemas/mails/resource.ts";
import type { PageQuery } from "@forgeline/schemas/core/pagination.ts";
import type { Database, Transaction } from "../../../platform/db/database.ts";
import type { Addresses } from "../../../platform/addresses.ts";
import { AppError } from "../../../platform/app-error.ts";
import { newId } from "../../../platform/ids.ts";
import type { Encryption } from "../../../platform/keys/encryption.ts";
import * as store from "./mails.store.ts";
import { presentMail } from "./present.ts";

export interface NewMail {
  /** A stable identifier of its subject. */
  kind: string;
  to: string;
  subject: string;
  text: string;
}

export interface MailService {
  /** Goes out once the transaction has committed. */
  write(tx: Transaction, mail: NewMail): Promise<void>;
  /** Its text is written when it is sent, by what `Mailer.writeBy` names for its kind. Its id. */
  writeLate(tx: Transaction, mail: Omit<NewMail, "text">): Promise<string>;
  /** Whether there is a mail server. */
  sends: boolean;
  list(page: PageQuery): Promise<{ mails: Mail[]; total: number }>;
  /** Throws `not_found`. */
  get(id: string): Promise<Mail>;
  /** The text as it was written. */
  textOf(row: store.MailRow): string | null;
}

export interface MailServiceDeps {
  db: Database;
  encryption: Encryption;
  addresses: Addresses;
  /** Whether there is a mail server. */
  sends: boolean;
}

export function createMailService(deps: MailServiceDeps): MailService {
  const { db, encryption, addresses } = deps;
  const textOf = (row: store.MailRow) => row.sealed_text && encryption.decrypt(row.id, row.sealed_text);

  function stateOf(row: store.MailRow): Mail["state"] {
    if (row.sent_at) return "sent";
    if (row.failed_at) return "failed";
    return deps.sends ? "waiting" : "kept";
  }

  const show = (row: store.MailRow) =>
    presentMail({ row, text: textOf(row), state: stateOf(row) }, addresses);

  return {
    async write(tx, mail) {
      const id = newId("mail");
      await store.insertMail(tx, { ...mail, id, sealedText: encryption.encrypt(id, mail.text) });
      await tx.notify("mail", "");
    },
    async writeLate(tx, mail) {
      const id = newId("mail");
      await store.insertLateMail(tx, { ...mail, id });
      await tx.notify("mail", "");
      return id;
    },
    sends: deps.sends,
    async list(page) {
      const { rows, total } = await store.listMails(db, page);
      return { mails: rows.map(show), total };
    },
    async get(id) {
      const row = await store.findMail(db, id);
      if (!row) throw new AppError("not_found");
      return show(row);
    },
    textOf,
  };
}
