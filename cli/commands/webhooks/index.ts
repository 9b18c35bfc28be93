/** `forgeline webhook`: who is told of what happens in a repository or an organization. */
import { Command } from "commander";
import { addExamples } from "../../output/examples.ts";
import { addConfigurationCommands } from "./configure.ts";
import { addDeliveryCommands } from "./deliveries.ts";
import { addTrialCommands } from "./try.ts";

export function webhookCommand(): Command {
  const webhook = new Command("webhook").description("Webhooks: requests that tell others what happens");
  addConfigurationCommands(webhook);
  addTrialCommands(webhook);
  addDeliveryCommands(webhook);
  addExamples(webhook, [
    "forgeline webhook add https://ci.example.com/hook --events push,tag",
    "forgeline webhook deliveries hook_… --status failed",
    "forgeline webhook redeliver hook_… --since 2026-11-26T08:00:00Z",
    "forgeline webhook list --org acme",
  ]);
  return webhook;
}
