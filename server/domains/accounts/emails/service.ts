/** E-mail addresses: added, verified, removed; and password resets for users who forgot the password. */
import type { PageQuery } from "@forgeline/schemas/core/pagination.ts";
import type { Database, Transaction } from "../../../platform/db/database.ts";
import type { Addresses } from "../../../platform/addresses.ts";
import { AppError, invalidField } from "../../../platform/app-error.ts";
import { newId } from "../../../platform/ids.ts";
import { recordAudit, type MailService } from "../../operation/domain.ts";
import { userIdOf, type Actor } from "../../../platform/access/actor.ts";
import type { UserService } from "../users/service.ts";
import { letter } from "./account-mails.ts";
import { useToken } from "./account-tokens.ts";
import { askForVerification } from "./claim-address.ts";
import * as store from "./emails.store.ts";
import type { EmailRow } from "./emails.store.ts";

const maxAddresses = 10;

export interface EmailService {
  list(actor: Actor, page: PageQuery): Promise<{ rows: EmailRow[]; total: number }>;
  /** Requests a mail to the address. Throws `validation_failed` for one that the user has, or one too many. */
  add(actor: Actor, address: string): Promise<EmailRow>;
  /** Throws `not_found`, and `conflict` for an address that is not verified. */
  makePrimary(actor: Actor, id: string): Promise<EmailRow>;
  /** Throws `not_found`, and `conflict` for the primary one. */
  remove(actor: Actor, id: string): Promise<void>;
  /** Throws `not_found`, and `conflict` for one that is verified. */
  resendVerification(actor: Actor, id: string): Promise<void>;
  /** Throws `validation_failed` for a token that does not work (any more), `conflict` when the address is another account's. */
  verify(actor: Actor, token: string): Promise<void>;
  /** Returns nothing, so that nobody learns whether the address is known. */
  requestReset(address: string): Promise<void>;
}

export interface EmailServiceDeps {
  db: Database;
  users: Pick<UserService, "setPrimaryEmail">;
  mail: MailService;
  addresses: Addresses;
}

export function createEmailService(deps: EmailServiceDeps): EmailService {
  const { db } = deps;

  async function find(tx: Transaction, actor: Actor, id: string): Promise<EmailRow> {
    const row = await store.findEmail(tx, userIdOf(actor), id);
    if (!row) throw new AppError("not_found");
    return row;
  }

  return {
    list: (actor, page) => store.listEmails(db, userIdOf(actor), page),
    add: (actor, address) =>
      db.transaction(async (tx) => {
        const userId = userIdOf(actor);
        const row = await store.insertEmail(tx, { id: newId("eml"), userId, address, max: maxAddresses });
        if (!row)
          throw invalidField(
            "email",
            "not_allowed",
            `You already have this address, or have reached the limit of ${maxAddresses}.`,
          );
        await askForVerification(tx, row.id, row.email);
        return row;
      }),
    makePrimary: (actor, id) =>
      db.transaction(async (tx) => {
        const row = await find(tx, actor, id);
        if (!row.verified_at) throw new AppError("conflict", { message: "The address is not verified." });
        await deps.users.setPrimaryEmail(tx, userIdOf(actor), row.email);
        return { ...row, is_primary: true };
      }),
    remove: (actor, id) =>
      db.transaction(async (tx) => {
        const row = await find(tx, actor, id);
        if (row.is_primary) throw new AppError("conflict", { message: "This is the primary address." });
        await store.deleteEmail(tx, userIdOf(actor), id);
        await recordAudit(tx, actor, {
          action: "user.email_remove",
          target: { type: "email", id, name: row.email },
        });
      }),
    resendVerification: (actor, id) =>
      db.transaction(async (tx) => {
        const row = await find(tx, actor, id);
        if (row.verified_at) throw new AppError("conflict", { message: "The address is already verified." });
        await askForVerification(tx, row.id, row.email);
      }),
    verify: (actor, token) =>
      db
        .transaction((tx) => verifyAddress(tx, deps, { actor, token }))
        .catch((error: unknown) => {
          if ((error as { code?: unknown }).code !== "23505") throw error;
          throw new AppError("conflict", { message: "The address belongs to another account." });
        }),
    requestReset: (address) =>
      db.transaction(async (tx) => {
        await store.requestMail(tx, { kind: "reset_password", address, emailId: null });
        await tx.notify("mail", "");
      }),
  };
}

async function verifyAddress(
  tx: Transaction,
  deps: EmailServiceDeps,
  { actor, token }: { actor: Actor; token: string },
): Promise<void> {
  const used = await useToken(tx, "verify_email", token);
  const { username } = used;
  const { email, primary } = await store.markVerified(tx, used.email_id);
  await recordAudit(
    tx,
    { ...actor, kind: "user", userId: used.user_id, username },
    { action: "user.email_add", target: { type: "email", id: used.email_id, name: email } },
  );
  if (primary === email) return;
  await deps.mail.write(tx, {
    kind: "email_added",
    to: primary,
    subject: "An e-mail address was added to your account",
    text: letter(deps, username, [
      `${email} now belongs to your account and can be used to set a new password.`,
      "If this was not you, remove the address, change your password and end your sessions.",
    ]),
  });
}
