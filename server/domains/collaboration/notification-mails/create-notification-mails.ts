/** Wires mails of what people are told. */
import type { Config } from "../../../config/config.ts";
import type { Transaction } from "../../../platform/db/database.ts";
import type { Platform } from "../../../platform/platform.ts";
import { createCounter } from "../../../platform/declared-metrics.ts";
import type { Accounts } from "../../accounts/domain.ts";
import type { LateMail, MailOutcome, Operation } from "../../operation/domain.ts";
import type { Policy } from "../../policy/domain.ts";
import type { CommentService } from "../comments/service.ts";
import type { SubscriptionService } from "../notifications/subscriptions.ts";
import type { ThreadService } from "../reviews/threads.ts";
import { composeMails, mailKind } from "./compose-mails.ts";
import { createLetterMarkup } from "./letter-markup.ts";
import { listLetters, type LetterRow } from "./letters.store.ts";
import { putAddress } from "./replies.store.ts";
import { createReplyAddresses, type ReplyAddresses } from "./reply-tokens.ts";
import { createNotificationSettings } from "./settings.ts";
import { createInboundReplies } from "./take-reply.ts";
import { createUnsubscribeTokens, type UnsubscribeTokens } from "./unsubscribe-tokens.ts";
import { createUnsubscribeService } from "./unsubscribe.ts";
import { writeDigest } from "./write-digest.ts";
import { writeLetter } from "./write-letter.ts";

export interface NotificationMailDeps {
  config: Config;
  platform: Platform;
  operation: Operation;
  policy: Policy;
  accounts: Accounts;
  subscriptions: SubscriptionService;
  comments: CommentService;
  threads: ThreadService;
}

export function createNotificationMails(deps: NotificationMailDeps) {
  const { platform, subscriptions } = deps;
  const { db, instanceKeys } = platform;
  const signer = instanceKeys.signer("notification_mail");
  const tokens = createUnsubscribeTokens(signer);
  const { address } = deps.config.inboundMail;
  const addresses = address === undefined ? undefined : createReplyAddresses(address, signer);
  sendMails(deps, { tokens, addresses });
  return {
    notificationSettings: createNotificationSettings({ db }),
    unsubscribing: createUnsubscribeService({ db, tokens, subscriptions }),
    inboundReplies:
      addresses &&
      createInboundReplies({ ...deps, ...deps.policy, ...deps.operation, ...deps.accounts, db, addresses }),
  };
}

interface SignedAddresses {
  tokens: UnsubscribeTokens;
  /** For answers; undefined where the instance takes none. */
  addresses: ReplyAddresses | undefined;
}

function sendMails({ platform, operation }: NotificationMailDeps, signed: SignedAddresses): void {
  const { db, metrics: registry } = platform;
  const { mail, mailer } = operation;
  const outcomes = createCounter(registry, "forgeline_notification_mails_total");
  const markup = createLetterMarkup();
  mailer.composeBy(() => composeMails({ db, mail }));
  mailer.writeBy(mailKind, async (tx, mailId) => {
    const rows = await listLetters(tx, mailId);
    const letter = await letterOf(tx, rows, { platform, markup, ...signed });
    if (!letter) {
      outcomes.inc({ reason: "none", outcome: "dropped" });
      return undefined;
    }
    const reason = rows.length === 1 ? (rows[0]?.reason ?? "none") : "digest";
    return { ...letter, onOutcome: (outcome: MailOutcome) => outcomes.inc({ reason, outcome }) };
  });
}

/** Undefined: nobody may or wants to read any of it any more. */
async function letterOf(
  tx: Transaction,
  rows: readonly LetterRow[],
  around: SignedAddresses & { platform: Platform; markup: ReturnType<typeof createLetterMarkup> },
): Promise<Omit<LateMail, "onOutcome"> | undefined> {
  const [first] = rows;
  if (!first || first.address === null) return undefined;
  const { user_id: userId, work_item_id: itemId, thread_id: threadId, address: to } = first;
  const { addresses } = around.platform;
  const urlFor = (target: string | null) =>
    `${addresses.webUrl}/-/unsubscribe/${around.tokens.make({ userId, itemId: target })}`;
  if (rows.length > 1) return { to, ...writeDigest(rows, { addresses, unsubscribeUrl: urlFor(null) }) };
  const replyTo = around.addresses?.make(await putAddress(tx, { userId, itemId, threadId }));
  const { markup } = around;
  return { to, ...writeLetter(first, { addresses, unsubscribeUrl: urlFor(itemId), replyTo, markup }) };
}
