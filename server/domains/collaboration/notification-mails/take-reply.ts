/** Makes a comment of an answer by mail, for who may comment there at this moment. */
import { createHash } from "node:crypto";
import { CommentBody } from "@forgeline/schemas/comments/resource.ts";
import { AppError, invalidField } from "../../../platform/app-error.ts";
import type { Database, Transaction } from "../../../platform/db/database.ts";
import { storableText } from "../../../platform/storable-text.ts";
import { actingFor, type Accounts } from "../../accounts/domain.ts";
import type { Operation } from "../../operation/domain.ts";
import type { Policy } from "../../policy/domain.ts";
import type { CommentService } from "../comments/service.ts";
import type { ThreadService } from "../reviews/threads.ts";
import { answerText } from "./answer-text.ts";
import { isAutomatic, type MailHead } from "./automatic-mail.ts";
import type { ReplyAddresses } from "./reply-tokens.ts";
import * as store from "./replies.store.ts";

export interface InboundMail extends MailHead {
  /** All that its head names as its author. */
  from: readonly string[];
  messageId: string | undefined;
  text: string;
  attachments: number;
}

export type InboundOutcome =
  | "commented"
  | "refused"
  | "automatic"
  | "forged"
  | "duplicate"
  | "too_many"
  | "unknown";

export interface InboundReplies {
  /** Whether answers to this address belong to something, as far as it says itself. */
  isAddress(address: string): boolean;
  /** Throws only what another try can help against. Safe to repeat with the same mail. */
  take(address: string, mail: InboundMail): Promise<InboundOutcome>;
}

export interface InboundRepliesDeps extends Policy {
  db: Database;
  mail: Pick<Operation["mail"], "write">;
  users: Pick<Accounts["users"], "getMany">;
  comments: Pick<CommentService, "create">;
  threads: Pick<ThreadService, "reply">;
  addresses: ReplyAddresses;
}

/** Of one person. */
const maxInHour = 30;
const maxRefusalsInDay = 5;

export function createInboundReplies(deps: InboundRepliesDeps): InboundReplies {
  const { db, addresses } = deps;
  return {
    isAddress: (address) => addresses.read(address) !== undefined,
    async take(address, mail) {
      const number = addresses.read(address);
      const target = number === undefined ? undefined : await store.findTarget(db, number);
      if (!target) return "unknown";
      if (isAutomatic(mail)) return "automatic";
      const sender = await senderOf(db, target, mail);
      if (sender === undefined) return "forged";
      const messageHash = hashOf(target, mail);
      const recent = await db.one(store.statements.countRecent, [target.user_id, messageHash]);
      if (recent && recent.same > 0) return "duplicate";
      if (recent && recent.in_hour >= maxInHour) return "too_many";
      const answered = (recent?.answered_in_day ?? 0) < maxRefusalsInDay;
      return comment(deps, target, { mail, messageHash }).catch((error: unknown) => {
        if (error instanceof Duplicate) return "duplicate";
        if (!(error instanceof AppError)) throw error;
        return refuse(deps, { userId: target.user_id, messageHash, answered }, { error, to: sender });
      });
    },
  };
}

class Duplicate extends Error {}

/** The address in it, if it is one of theirs that is verified, and the only one. */
async function senderOf(
  db: Database,
  { user_id: userId }: store.ReplyTarget,
  { from }: InboundMail,
): Promise<string | undefined> {
  const [address, ...others] = from;
  if (address === undefined || others.length > 0) return undefined;
  return (await db.one(store.statements.isVerified, [userId, address])) && address;
}

/** Of what is the same when a mail server sends it again. */
function hashOf(target: store.ReplyTarget, { messageId, text }: InboundMail): Buffer {
  const place = `${target.owner}/${target.name} ${target.number} ${target.thread_id ?? ""}`;
  return createHash("sha256")
    .update(`${place} ${messageId ?? text}`)
    .digest();
}

/** As of the operations that comment over REST. */
const commenting = { access: "repo_signed_in", archived: "refused" } as const;
const requirements = {
  issue: { ...commenting, scope: "issue:write" },
  merge_request: { ...commenting, scope: "mr:write" },
} as const;

async function comment(
  deps: InboundRepliesDeps,
  target: store.ReplyTarget,
  { mail, messageHash }: { mail: InboundMail; messageHash: Buffer },
): Promise<InboundOutcome> {
  const { user_id: userId, thread_id: thread, kind, number } = target;
  const user = (await deps.users.getMany([userId])).get(userId);
  const actor = user && actingFor(user);
  if (!actor) return "forged";
  const granted = await deps.authorizer.authorizeRepository(actor, requirements[kind], target);
  const body = bodyOf(mail);
  const alongside = async (tx: Transaction) => {
    if (!(await store.record(tx, { userId, messageHash, answered: false }))) throw new Duplicate();
  };
  if (thread === null) await deps.comments.create(actor, granted, { kind, number, body, alongside });
  else await deps.threads.reply(actor, granted, { number, thread, body, alongside });
  return "commented";
}

/** Throws `validation_failed`. */
function bodyOf({ text, attachments }: InboundMail): string {
  const note = attachments === 0 ? "" : `\n\n_(${attachmentsText(attachments)} left out.)_`;
  const answer = answerText(text);
  const parsed = CommentBody.safeParse(storableText(answer === "" ? "" : `${answer}${note}`));
  if (parsed.success) return parsed.data;
  throw invalidField(
    "body",
    "invalid",
    answer === "" ? "There is no text above the quotation." : "It is too long.",
  );
}

function attachmentsText(count: number): string {
  return count === 1 ? "1 attachment of the mail was" : `${count} attachments of the mail were`;
}

async function refuse(
  { db, mail }: InboundRepliesDeps,
  recorded: { userId: string; messageHash: Buffer; answered: boolean },
  { error, to }: { error: AppError; to: string },
): Promise<InboundOutcome> {
  return db.transaction(async (tx) => {
    if (!(await store.record(tx, recorded))) return "duplicate";
    if (!recorded.answered) return "refused";
    const text = [
      "Your answer by mail did not become a comment.",
      reasonOf(error),
      "Open the conversation in the web to see what you can do there.",
    ].join("\n\n");
    await mail.write(tx, { kind: "reply_refused", to, subject: "Your answer was not added", text });
    return "refused";
  });
}

/** Nothing of what they may not see any more. */
function reasonOf(error: AppError): string {
  return error.code === "not_found"
    ? "The conversation is gone, or you may no longer read it."
    : error.message;
}
