/**
 * Composes the mails that somebody requested, after they were answered: whether an address is known shows neither in an answer
 * nor in its time. One address gets at most one such mail a minute and five an hour.
 */
import type { Database, Transaction } from "../../../platform/db/database.ts";
import type { Addresses } from "../../../platform/addresses.ts";
import { hashToken, newOneUseToken } from "../../../platform/credentials/credential.ts";
import type { MailService } from "../../operation/domain.ts";
import * as store from "./emails.store.ts";

const verifyMinutes = 24 * 60;
const resetMinutes = 60;

export interface AccountMailDeps {
  db: Database;
  mail: MailService;
  addresses: Addresses;
  /** Whether this instance serves the web interface, which has pages for these codes. */
  hasPages: boolean;
}

/** One mail that was requested; false when none is. */
export function composeAccountMail(deps: AccountMailDeps): Promise<boolean> {
  return deps.db.transaction(async (tx) => {
    const request = await store.takeMailRequest(tx);
    if (!request) return false;
    if (request.too_many) return true;
    if (request.kind === "reset_password") await composeReset(tx, deps, request.address);
    else if (request.email_id) await composeVerification(tx, deps, request.email_id);
    return true;
  });
}

async function composeReset(tx: Transaction, deps: AccountMailDeps, address: string): Promise<void> {
  const owner = await store.findVerifiedOwner(tx, address);
  if (!owner) return;
  const token = await newAccountToken(tx, owner, { purpose: "reset_password", minutes: resetMinutes });
  await deps.mail.write(tx, {
    kind: "reset_password",
    to: owner.email,
    subject: "Set a new password",
    text: letter(deps, owner.username, [
      "someone, hopefully you, asked to reset the password of your account.",
      `This code can be used once and is valid for one hour:\n\n  ${token}`,
      howToUse(deps, `/reset-password#${token}`, "/account#a-forgotten-password"),
      "If this was not you, ignore this mail; your password stays the same.",
    ]),
  });
}

async function composeVerification(tx: Transaction, deps: AccountMailDeps, emailId: string): Promise<void> {
  const claimant = await store.findEmailOwner(tx, emailId);
  if (!claimant) return;
  const owner = await store.findVerifiedOwner(tx, claimant.email);
  if (owner && owner.user_id !== claimant.user_id) {
    await deps.mail.write(tx, {
      kind: "verify_email",
      to: owner.email,
      subject: "Your address was used for another account",
      text: letter(deps, owner.username, [
        "someone tried to use this address for another account. It already belongs to your account, so nothing was changed.",
        `If this was you and you forgot your password, see ${deps.addresses.docsUrl}/account#a-forgotten-password`,
      ]),
    });
    return;
  }
  const token = await newAccountToken(tx, claimant, { purpose: "verify_email", minutes: verifyMinutes });
  await deps.mail.write(tx, {
    kind: "verify_email",
    to: claimant.email,
    subject: "Confirm your e-mail address",
    text: letter(deps, claimant.username, [
      "this address was added to your account.",
      `Use this code to confirm it. It can be used once and is valid for one day:\n\n  ${token}`,
      howToUse(deps, `/-/verify-email#${token}`, "/account#e-mail-addresses"),
      "If you do not have an account here, ignore this mail.",
    ]),
  });
}

/** The code stands behind the `#` of the page's address, which browsers send to nobody. */
function howToUse({ addresses, hasPages }: AccountMailDeps, page: string, docs: string): string {
  return hasPages
    ? `Open this page to use it:\n\n  ${addresses.webUrl}${page}`
    : `How to use it: ${addresses.docsUrl}${docs}`;
}

async function newAccountToken(
  tx: Transaction,
  owner: store.AddressOwner,
  { purpose, minutes }: { purpose: "verify_email" | "reset_password"; minutes: number },
): Promise<string> {
  const token = newOneUseToken();
  const { user_id: userId, email_id: emailId } = owner;
  await store.insertAccountToken(tx, { hash: hashToken(token), purpose, userId, emailId, minutes });
  return token;
}

export function letter(
  deps: { addresses: Addresses },
  username: string,
  paragraphs: readonly string[],
): string {
  return [`Hello ${username},`, ...paragraphs, `Forgeline at ${deps.addresses.webUrl}`].join("\n\n") + "\n";
}
