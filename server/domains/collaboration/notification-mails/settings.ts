/** What somebody gets by mail of what they are told. */
import type {
  NotificationSettings,
  NotificationSettingsUpdate,
} from "@forgeline/schemas/notifications/settings.ts";
import { isTimeZone } from "@forgeline/compiler/cron.ts";
import { userIdOf, type Actor } from "../../../platform/access/actor.ts";
import { AppError, invalidField } from "../../../platform/app-error.ts";
import type { Database, Queryable, Transaction } from "../../../platform/db/database.ts";
import { chooseAddresses } from "./choose-addresses.ts";
import { dueTime } from "./due-time.ts";
import { addressesOf } from "./organization-addresses.store.ts";
import { presentNotificationSettings } from "./present.ts";
import * as store from "./settings.store.ts";
import { delayWaiting } from "./waiting.store.ts";

export interface NotificationSettingsService {
  get(actor: Actor): Promise<NotificationSettings>;
  /** Throws `validation_failed` for an address that is not theirs or not verified, an unknown organization or time zone. Safe to repeat. */
  update(actor: Actor, wanted: NotificationSettingsUpdate): Promise<NotificationSettings>;
}

export function createNotificationSettings({ db }: { db: Database }): NotificationSettingsService {
  async function shown(userId: string): Promise<NotificationSettings> {
    return presentNotificationSettings(await found(db, userId), await addressesOf(db, userId));
  }

  return {
    get: (actor) => shown(userIdOf(actor)),
    async update(actor, { organization_addresses: addresses, ...wanted }) {
      const userId = userIdOf(actor);
      if (wanted.time_zone !== undefined && !isTimeZone(wanted.time_zone))
        throw invalidField("time_zone", "unknown", "This is not an IANA time zone.");
      await db.transaction(async (tx) => {
        await tx.query(store.statements.lock, [userId]);
        await checkAddress(tx, userId, wanted.email_id ?? null);
        const row = changed(await found(tx, userId), wanted);
        await store.putSettings(tx, row);
        if (addresses) await chooseAddresses(tx, userId, addresses);
        const { atMs, inDigest } = dueTime(row, Date.now());
        await delayWaiting(tx, userId, { at: new Date(atMs), inDigest });
        await tx.notify("mail", "");
      });
      return shown(userId);
    },
  };
}

async function found(db: Queryable, userId: string): Promise<store.SettingsRow> {
  const [row] = await store.settingsOf(db, [userId]);
  if (!row) throw new AppError("not_found");
  return row;
}

async function checkAddress(tx: Transaction, userId: string, emailId: string | null): Promise<void> {
  if (emailId === null || (await tx.one(store.statements.findAddress, [userId, emailId]))) return;
  throw invalidField("email_id", "not_allowed", "Choose one of your own addresses that is verified.");
}

function changed(
  row: store.SettingsRow,
  { quiet_hours: quiet, ...wanted }: Omit<NotificationSettingsUpdate, "organization_addresses">,
): store.SettingsRow {
  const hours =
    quiet === undefined
      ? {}
      : { quiet_from: quiet?.from ?? null, quiet_to: quiet?.to ?? null, quiet_days: quiet?.days ?? [] };
  const given = Object.fromEntries(Object.entries(wanted).filter(([, value]) => value !== undefined));
  return { ...row, ...given, ...hours };
}
