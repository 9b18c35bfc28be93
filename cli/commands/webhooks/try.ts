/** `forgeline webhook ping|test`: tries an endpoint, and says what it answered. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Command } from "commander";
import { webhookEvents } from "@forgeline/client/generated/choices.ts";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { valueOf } from "../../connection/api.ts";
import { everyPage } from "../../connection/pages.ts";
import { UsageError } from "../../connection/settings.ts";
import { shownCell } from "../../output/table.ts";
import { addOwnerOption, hooksOf, type HookContext, type OwnerOption } from "./hook-place.ts";
import { sentenceOf } from "./deliveries.ts";

type Delivery = Schemas["WebhookDeliverySummary"];

export function addTrialCommands(webhook: Command): void {
  addOwnerOption(webhook.command("ping <id>"))
    .description("Send a ping, and wait for the answer")
    .action(ping);
  addOwnerOption(webhook.command("test <id> <event>"))
    .description("Send the last event of a kind once more, and wait for the answer")
    .action(test);
}

async function ping(id: string, options: OwnerOption, command: Command): Promise<void> {
  const context = await hooksOf(command, options);
  const path = { ...context.owner, id };
  const sent = await valueOf(context.api.POST(context.at("/{id}/ping"), { params: { path } }));
  await say(context, id, sent);
}

async function test(id: string, name: string, options: OwnerOption, command: Command): Promise<void> {
  const event = webhookEvents.find((each) => each === name);
  if (event === undefined)
    throw new UsageError(`"${name}" is no event; there are: ${webhookEvents.join(", ")}`);
  const context = await hooksOf(command, options);
  const path = { ...context.owner, id };
  const sent = await valueOf(
    context.api.POST(context.at("/{id}/test"), { params: { path }, body: { event } }),
  );
  await say(context, id, sent);
}

const pollMs = 300;
/** An endpoint has ten seconds. */
const longestMs = 13_000;

/** Exit status 1 where it was not accepted. */
async function say(context: HookContext, id: string, sent: Delivery): Promise<void> {
  const path = { ...context.owner, id, delivery: sent.id };
  const until = Date.now() + longestMs;
  const isHeld = ((await holdOf(context, id, sent))?.endsMs ?? 0) > until;
  let now: Delivery = sent;
  while (now.attempts_count === 0 && Date.now() < until && !isHeld) {
    await sleep(pollMs);
    now = await valueOf(context.api.GET(context.at("/{id}/deliveries/{delivery}"), { params: { path } }));
  }
  if (now.status !== "delivered") process.exitCode = 1;
  const hold = now.attempts_count === 0 ? await holdOf(context, id, now) : undefined;
  context.print(now, () => `${sentenceOf(now)}${hold ? `: ${hold.why}` : ""}`);
}

/** What keeps a delivery from being sent, as far as the server tells. */
interface Hold {
  why: string;
  /** It may end earlier, if this is 0. */
  endsMs: number;
}

async function holdOf(context: HookContext, id: string, sent: Delivery): Promise<Hold | undefined> {
  const { api, at, owner } = context;
  const hook = await valueOf(api.GET(at("/{id}"), { params: { path: { ...owner, id } } }));
  const blocking = hook.ordered ? await blockingOf(context, id, sent) : undefined;
  const next = blocking?.next_attempt_at ?? hook.next_attempt_at;
  if (next === null) return undefined;
  const time = shownCell(next);
  const why = blocking
    ? `it waits behind delivery ${blocking.number} (${blocking.id}), which is tried again at ${time}`
    : `nothing is sent before ${time}, because every delivery has failed lately`;
  // Where single deliveries are tried only, a ping makes the oldest one go at once, and may then follow it.
  return { why, endsMs: hook.next_attempt_at === null ? Date.parse(next) : 0 };
}

/** The one that holds up those after it. */
async function blockingOf(
  { api, at, owner }: HookContext,
  id: string,
  sent: Delivery,
): Promise<Delivery | undefined> {
  const retrying = await everyPage((page) => {
    const query = { ...page, status: "retrying" as const };
    return api.GET(at("/{id}/deliveries"), { params: { path: { ...owner, id }, query } });
  });
  return retrying.filter(({ number }) => number < sent.number).at(-1);
}
