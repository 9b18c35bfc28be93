/** Writes down which of the people who are told of an event get a mail of it, and when. */
import type { NotificationReason } from "@forgeline/schemas/notifications/resource.ts";
import type { Transaction } from "../../../platform/db/database.ts";
import { dueTime } from "./due-time.ts";
import { settingsOf, type SettingsRow } from "./settings.store.ts";
import { insertPlanned } from "./waiting.store.ts";

export interface ToldPerson {
  user_id: string;
  reason: NotificationReason;
}

/**
 * In the transaction that tells them, so that each gets one mail of the event at most, and none of those who want it is forgotten.
 * Whether they may still read it is looked at when it is sent.
 */
export type PlanMails = (tx: Transaction, position: number, told: readonly ToldPerson[]) => Promise<void>;

export const planMails: PlanMails = async (tx, position, told) => {
  if (told.length === 0) return;
  const rows = await settingsOf(
    tx,
    told.map(({ user_id: userId }) => userId),
  );
  const settings = new Map(rows.map((row) => [row.user_id, row]));
  const nowMs = Date.now();
  const mails = told.flatMap(({ user_id: userId, reason }) => {
    const wanted = settings.get(userId);
    if (!wanted?.has_address || !wantsMail(wanted, reason)) return [];
    const { atMs, inDigest } = dueTime(wanted, nowMs);
    return [{ user_id: userId, reason, due_at: new Date(atMs).toISOString(), in_digest: inDigest }];
  });
  if (mails.length === 0) return;
  await insertPlanned(tx, position, mails);
  await tx.notify("mail", "");
};

function wantsMail(settings: SettingsRow, reason: NotificationReason): boolean {
  return reason === "watching" ? settings.mail_watching : settings.mail_participating;
}
