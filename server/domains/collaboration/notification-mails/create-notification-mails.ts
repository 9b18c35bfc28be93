/** Wires mails of what people are told. */
import type { Platform } from "../../../platform/platform.ts";
import { createCounter } from "../../../platform/declared-metrics.ts";
import type { LateMail, MailOutcome, Operation } from "../../operation/domain.ts";
import type { SubscriptionService } from "../notifications/subscriptions.ts";
import { composeMails, mailKind } from "./compose-mails.ts";
import { listLetters, type LetterRow } from "./letters.store.ts";
import { createNotificationSettings } from "./settings.ts";
import { createUnsubscribeTokens, type UnsubscribeTokens } from "./unsubscribe-tokens.ts";
import { createUnsubscribeService } from "./unsubscribe.ts";
import { writeDigest } from "./write-digest.ts";
import { writeLetter } from "./write-letter.ts";

export interface NotificationMailDeps {
  platform: Platform;
  operation: Pick<Operation, "mail" | "mailer">;
  subscriptions: SubscriptionService;
}

export function createNotificationMails({ platform, operation, subscriptions }: NotificationMailDeps) {
  const { db, instanceKeys, metrics: registry } = platform;
  const { mail, mailer } = operation;
  const tokens = createUnsubscribeTokens(instanceKeys.signer("notification_mail"));
  const outcomes = createCounter(registry, "forgeline_notification_mails_total");
  mailer.composeBy(() => composeMails({ db, mail }));
  mailer.writeBy(mailKind, async (tx, mailId) => {
    const rows = await listLetters(tx, mailId);
    const letter = letterOf(rows, { platform, tokens });
    if (!letter) {
      outcomes.inc({ reason: "none", outcome: "dropped" });
      return undefined;
    }
    const reason = rows.length === 1 ? (rows[0]?.reason ?? "none") : "digest";
    return { ...letter, onOutcome: (outcome: MailOutcome) => outcomes.inc({ reason, outcome }) };
  });
  return {
    notificationSettings: createNotificationSettings({ db }),
    unsubscribing: createUnsubscribeService({ db, tokens, subscriptions }),
  };
}

/** Undefined: nobody may or wants to read any of it any more. */
function letterOf(
  rows: readonly LetterRow[],
  { platform: { addresses }, tokens }: { platform: Platform; tokens: UnsubscribeTokens },
): Omit<LateMail, "onOutcome"> | undefined {
  const [first] = rows;
  if (!first || first.address === null) return undefined;
  const { user_id: userId, work_item_id: itemId, address: to } = first;
  const urlFor = (target: string | null) =>
    `${addresses.webUrl}/-/unsubscribe/${tokens.make({ userId, itemId: target })}`;
  if (rows.length > 1) return { to, ...writeDigest(rows, { addresses, unsubscribeUrl: urlFor(null) }) };
  return { to, ...writeLetter(first, { addresses, unsubscribeUrl: urlFor(itemId) }) };
}
