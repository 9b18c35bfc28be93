/**
 * Mails: written in the transaction of what they tell, sent by the postman afterwards. Without a mail server they stay
 * where administrators read them.
 */
import type { Mail } from "@forgeline/schemas/mails/resource.ts";
import type { PageQuery } from "@forgeline/schemas/core/pagination.ts";
import type { Database, Transaction } from "../../../platform/db/database.ts";
import type { Addresses } from "../../../platform/addresses.ts";
import { AppError } from "../../../platform/app-error.ts";
import { newId } from "../../../platform/ids.ts";
import { encrypt, decrypt } from "../../../platform/encrypted-value.ts";
import * as store from "./mails.store.ts";

export interface NewMail {
  /** A stable word for what it is about. */
  kind: string;
  to: string;
  subject: string;
  text: string;
}

export interface MailService {
  /** Goes out once the transaction has committed. */
  write(tx: Transaction, mail: NewMail): Promise<void>;
  list(page: PageQuery): Promise<{ mails: Mail[]; total: number }>;
  /** Throws `not_found`. */
  get(id: string): Promise<Mail>;
  /** The text as it was written. */
  textOf(row: store.MailRow): string | null;
}

export interface MailServiceDeps {
  db: Database;
  key: Buffer;
  addresses: Addresses;
  /** Whether there is a mail server. */
  sends: boolean;
}

export function createMailService(deps: MailServiceDeps): MailService {
  const { db, key, addresses } = deps;
  const textOf = (row: store.MailRow) => row.sealed_text && decrypt(key, row.id, row.sealed_text);

  function stateOf(row: store.MailRow): Mail["state"] {
    if (row.sent_at) return "sent";
    if (row.failed_at) return "failed";
    return deps.sends ? "waiting" : "kept";
  }

  const present = (row: store.MailRow): Mail => ({
    id: row.id,
    kind: row.kind,
    to: row.to_address,
    subject: row.subject,
    text: textOf(row),
    state: stateOf(row),
    attempts: row.attempts,
    error: row.error,
    url: `${addresses.baseUrl}/admin/mails/${row.id}`,
    web_url: `${addresses.webUrl}/-/admin/mails/${row.id}`,
    created_at: row.created_at.toISOString(),
    updated_at: (row.sent_at ?? row.failed_at ?? row.created_at).toISOString(),
  });

  return {
    async write(tx, mail) {
      const id = newId("mail");
      await store.insertMail(tx, { ...mail, id, sealedText: encrypt(key, id, mail.text) });
      await tx.notify("mail", "");
    },
    async list(page) {
      const { rows, total } = await store.listMails(db, page);
      return { mails: rows.map(present), total };
    },
    async get(id) {
      const row = await store.findMail(db, id);
      if (!row) throw new AppError("not_found");
      return present(row);
    },
    textOf,
  };
}
