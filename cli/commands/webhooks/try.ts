/** `forgeline webhook ping|test`: tries an endpoint, and says what it answered. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Command } from "commander";
import { webhookEvents } from "@forgeline/client/generated/choices.ts";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { valueOf } from "../../connection/api.ts";
import { UsageError } from "../../connection/settings.ts";
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
  let now: Delivery = sent;
  while (now.attempts_count === 0 && Date.now() < until) {
    await sleep(pollMs);
    now = await valueOf(context.api.GET(context.at("/{id}/deliveries/{delivery}"), { params: { path } }));
  }
  if (now.status !== "delivered") process.exitCode = 1;
  context.print(now, () => sentenceOf(now));
}
