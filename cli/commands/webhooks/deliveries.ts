/** `forgeline webhook deliveries|delivery|redeliver`. */
import type { Command } from "commander";
import { Option } from "commander";
import { deliveryStatuses } from "@forgeline/client/generated/choices.ts";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { valueOf } from "../../connection/api.ts";
import { UsageError } from "../../connection/settings.ts";
import { parseCount } from "../../options/count.ts";
import { omitUndefined } from "../../options/omit-undefined.ts";
import { renderFields } from "../../output/fields.ts";
import { renderList, renderTable } from "../../output/table.ts";
import { terminalSafe } from "../../output/terminal-safe.ts";
import { addOwnerOption, hooksOf, type OwnerOption } from "./hook-place.ts";

type Summary = Schemas["WebhookDeliverySummary"];
type Delivery = Schemas["WebhookDelivery"];

interface Filters extends OwnerOption {
  status?: (typeof deliveryStatuses)[number];
  event?: string;
  since?: string;
  until?: string;
  page?: number;
}

export function addDeliveryCommands(webhook: Command): void {
  addFilters(addOwnerOption(webhook.command("deliveries <id>")))
    .description("List deliveries, newest first")
    .option("--page <number>", "page, 100 deliveries each", parseCount, 1)
    .action(list);
  addOwnerOption(webhook.command("delivery <id> <delivery>"))
    .description("Show one delivery: what was sent, and what was answered")
    .action(view);
  addFilters(addOwnerOption(webhook.command("redeliver <id> [delivery]")))
    .description(
      "Send one delivery once more, or all that match: failed ones, unless --status says otherwise",
    )
    .action(redeliver);
}

function addFilters(command: Command): Command {
  return command
    .addOption(new Option("--status <status>", "only deliveries in this state").choices(deliveryStatuses))
    .option("--event <event>", "only deliveries of this event")
    .option("--since <time>", "created at this time or later, such as 2026-11-26T08:00:00Z")
    .option("--until <time>", "created at this time or earlier");
}

async function list(id: string, options: Filters, command: Command): Promise<void> {
  const { api, print, at, owner } = await hooksOf(command, options);
  const query = { ...filtersOf(options), page: options.page ?? 1, per_page: 100 };
  const params = { path: { ...owner, id }, query };
  const deliveries = await valueOf(api.GET(at("/{id}/deliveries"), { params }));
  print(deliveries, () =>
    renderList(
      "deliveries",
      ["ID", "NUMBER", "EVENT", "STATUS", "ATTEMPTS", "ANSWER", "CREATED"],
      deliveries.map((one) => [
        one.id,
        String(one.number),
        `${one.event} ${one.action}`,
        one.status,
        String(one.attempts_count),
        one.response_status === null ? (one.error ?? "") : String(one.response_status),
        one.created_at,
      ]),
    ),
  );
}

async function view(id: string, delivery: string, options: OwnerOption, command: Command): Promise<void> {
  const { api, print, at, owner } = await hooksOf(command, options);
  const params = { path: { ...owner, id, delivery } };
  const shown = await valueOf(api.GET(at("/{id}/deliveries/{delivery}"), { params }));
  print(shown, () => describe(shown));
}

async function redeliver(
  id: string,
  delivery: string | undefined,
  options: Filters,
  command: Command,
): Promise<void> {
  const { api, print, at, owner } = await hooksOf(command, options);
  const filters = filtersOf(options);
  if (delivery !== undefined) {
    if (Object.keys(filters).length > 0) throw new UsageError("give either one delivery or filters");
    const params = { path: { ...owner, id, delivery } };
    const sent = await valueOf(api.POST(at("/{id}/deliveries/{delivery}/redeliver"), { params }));
    return print(sent, () => `sending ${sent.id} once more`);
  }
  const params = { path: { ...owner, id } };
  const { redelivered, more } = await valueOf(api.POST(at("/{id}/redeliver"), { params, body: filters }));
  print({ redelivered, more }, () =>
    more
      ? `sending ${redelivered} once more; there are more, repeat the command`
      : `sending ${redelivered} once more`,
  );
}

function filtersOf({ status, event, since, until }: Filters) {
  return omitUndefined({ status, event: event as Summary["event"] | undefined, since, until });
}

function describe(delivery: Delivery): string {
  const [last] = delivery.attempts;
  const sections: [string, string][] = [
    ["attempts", delivery.attempts.length === 0 ? "none yet" : attemptsOf(delivery)],
    ["request headers of the last attempt", headersOf(delivery.request_headers)],
    ["body", terminalSafe(delivery.request_body)],
    ["response headers of the last attempt", headersOf(last?.response_headers)],
    ["answer to the last attempt", terminalSafe(last?.response_body ?? "")],
  ];
  const shown = sections.filter(([, text]) => text !== "").map(([title, text]) => `${title}:\n${text}`);
  return [summaryOf(delivery), ...shown].join("\n\n");
}

function summaryOf(delivery: Delivery): string {
  return renderFields([
    ["id", delivery.id],
    ["event", `${delivery.event} ${delivery.action}`],
    ["number", String(delivery.number)],
    ["status", delivery.status],
    ["next attempt", delivery.next_attempt_at ?? "none"],
    ["created", delivery.created_at],
  ]);
}

/** With the titles of its columns also in a pipe: it is one of several sections. */
function attemptsOf({ attempts }: Delivery): string {
  const header = ["ATTEMPT", "AT", "ANSWER", "MS", "PROBLEM"];
  const rows = attempts.map((each) => [
    String(each.attempt),
    each.at,
    each.status === null ? "none" : String(each.status),
    String(each.duration_ms),
    each.error ?? "",
  ]);
  return renderTable(header, process.stdout.isTTY ? rows : [header, ...rows]);
}

function headersOf(headers: Record<string, string> | null | undefined): string {
  return Object.entries(headers ?? {})
    .map(([name, value]) => terminalSafe(`${name}: ${value}`))
    .join("\n");
}

/** What became of it, in one line. */
export function sentenceOf(delivery: Summary): string {
  if (delivery.status === "delivered")
    return `${delivery.id} was accepted with status ${delivery.response_status}`;
  if (delivery.attempts_count === 0) return `${delivery.id} has not been sent yet`;
  return `${delivery.id} was not accepted: ${delivery.error ?? ""}`;
}
