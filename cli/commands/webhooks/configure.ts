/** `forgeline webhook list|add|view|update|delete`. */
import type { Command } from "commander";
import { webhookEvents } from "@forgeline/client/generated/choices.ts";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { valueOf } from "../../connection/api.ts";
import { everyPage } from "../../connection/pages.ts";
import { UsageError } from "../../connection/settings.ts";
import { parseCount } from "../../options/count.ts";
import { readAuthorityFile, readSecretFile, readText } from "../../options/read-file.ts";
import { omitUndefined, requireChanges } from "../../options/omit-undefined.ts";
import { renderFields } from "../../output/fields.ts";
import { renderList } from "../../output/table.ts";
import { terminalSafe } from "../../output/terminal-safe.ts";
import { addOwnerOption, hooksOf, type OwnerOption } from "./hook-place.ts";

type Webhook = Schemas["Webhook"];
type EventName = Schemas["WebhookEvent"];

interface Settings extends OwnerOption {
  events?: string;
  secretFile?: string;
  authority?: string;
  ordered?: boolean;
  inactive?: boolean;
}

interface Changes extends OwnerOption {
  newUrl?: string;
  events?: string;
  secretFile?: string;
  previousSecretHours?: number;
  endPreviousSecret?: boolean;
  authority?: string;
  ordered?: boolean;
  active?: boolean;
}

const eventsHint = `events, separated by commas: ${webhookEvents.join(", ")}`;

export function addConfigurationCommands(webhook: Command): void {
  addOwnerOption(webhook.command("list")).description("List webhooks, newest first").action(list);
  addOwnerOption(webhook.command("view <id>")).description("Show one webhook").action(view);
  addOwnerOption(webhook.command("add <url>"))
    .description("Add a webhook; its secret is shown once")
    .option("--events <list>", `${eventsHint} (default: push)`)
    .option("--secret-file <file>", "file with the secret (default: Forgeline makes one)")
    .option("--authority <file>", "PEM of the authority that signed the endpoint's certificate")
    .option("--ordered", "one delivery after the other; one that fails holds up those after it")
    .option("--inactive", "do not switch it on yet")
    .action(add);
  addOwnerOption(webhook.command("update <id>"))
    .description("Change a webhook")
    .option("--new-url <url>", "where it sends to")
    .option("--events <list>", eventsHint)
    .option("--secret-file <file>", "file with a new secret")
    .option("--previous-secret-hours <hours>", "how long the old secret stays valid (default 24)", parseCount)
    .option("--end-previous-secret", "the old secret is no longer valid from now on")
    .option(
      "--authority <file>",
      "PEM of the authority that signed the endpoint's certificate; none for the public ones",
    )
    .option("--ordered", "one delivery after the other")
    .option("--no-ordered", "deliveries may overtake each other")
    .option("--active", "switch it on, and send at once what waits")
    .option("--no-active", "switch it off")
    .action(update);
  addOwnerOption(webhook.command("delete <id>"))
    .description("Delete a webhook with its deliveries")
    .action(remove);
}

async function list(options: OwnerOption, command: Command): Promise<void> {
  const { api, print, at, owner } = await hooksOf(command, options);
  const hooks = await everyPage((query) => api.GET(at(""), { params: { path: owner, query } }));
  print(hooks, () =>
    renderList(
      "webhooks",
      ["ID", "STATE", "EVENTS", "WAITING", "LAST", "URL"],
      hooks.map((hook) => [
        hook.id,
        stateOf(hook),
        hook.events.join(","),
        String(hook.waiting),
        hook.last_delivery?.status ?? "none",
        hook.url,
      ]),
    ),
  );
}

async function view(id: string, options: OwnerOption, command: Command): Promise<void> {
  const { api, print, at, owner } = await hooksOf(command, options);
  const hook = await valueOf(api.GET(at("/{id}"), { params: { path: { ...owner, id } } }));
  print(hook, () => renderFields(fieldsOf(hook)));
}

async function add(url: string, options: Settings, command: Command): Promise<void> {
  const { api, print, at, owner } = await hooksOf(command, options);
  const body = {
    url,
    ...omitUndefined({
      events: options.events === undefined ? undefined : parseEvents(options.events),
      secret: options.secretFile === undefined ? undefined : await readSecretFile(options.secretFile),
      ca_certificate: options.authority === undefined ? undefined : await readText(options.authority),
      ordered: options.ordered,
      active: options.inactive ? false : undefined,
    }),
  };
  const added = await valueOf(api.POST(at(""), { params: { path: owner }, body }));
  print(added, () => {
    const said = `added ${added.id} ${terminalSafe(added.url)}`;
    return added.secret === null ? said : `${said}\nsecret, shown only now: ${added.secret}`;
  });
}

async function update(id: string, options: Changes, command: Command): Promise<void> {
  const { api, print, at, owner } = await hooksOf(command, options);
  const body = requireChanges(
    {
      url: options.newUrl,
      events: options.events === undefined ? undefined : parseEvents(options.events),
      secret: options.secretFile === undefined ? undefined : await readSecretFile(options.secretFile),
      previous_secret_hours: options.endPreviousSecret ? 0 : options.previousSecretHours,
      ca_certificate:
        options.authority === undefined ? undefined : await readAuthorityFile(options.authority),
      ordered: options.ordered,
      active: options.active,
    },
    "--new-url, --events, --secret-file, --authority, --ordered, --active or --end-previous-secret",
  );
  const hook = await valueOf(api.PATCH(at("/{id}"), { params: { path: { ...owner, id } }, body }));
  print(hook, () => renderFields(fieldsOf(hook)));
}

async function remove(id: string, options: OwnerOption, command: Command): Promise<void> {
  const { api, print, at, owner } = await hooksOf(command, options);
  await valueOf(api.DELETE(at("/{id}"), { params: { path: { ...owner, id } } }));
  print({ deleted: id }, () => `deleted ${id}`);
}

function stateOf(hook: Webhook): string {
  if (!hook.active) return hook.disabled_reason === null ? "off" : `off (${hook.disabled_reason})`;
  return hook.failing_since === null ? "on" : "failing";
}

function fieldsOf(hook: Webhook): [string, string][] {
  return [
    ["id", hook.id],
    ["url", hook.url],
    ["state", stateOf(hook)],
    ["events", hook.events.join(",")],
    ["ordered", hook.ordered ? "yes" : "no"],
    ["waiting", String(hook.waiting)],
    ["failing since", hook.failing_since ?? "not failing"],
    ["next attempt", hook.next_attempt_at ?? "at once"],
    ["last delivery", hook.last_delivery ? `${hook.last_delivery.id} ${hook.last_delivery.status}` : "none"],
    ["old secret until", hook.previous_secret_until ?? "none"],
  ];
}

function parseEvents(list: string): EventName[] {
  return list.split(",").map((event) => {
    const name = webhookEvents.find((each) => each === event.trim());
    if (name === undefined)
      throw new UsageError(`"${event}" is no event; there are: ${webhookEvents.join(", ")}`);
    return name;
  });
}
