/** `forgeline notification`: your inbox. */
import { Option, Command } from "commander";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { notificationReasons } from "@forgeline/client/generated/choices.ts";
import { valueOf } from "../../connection/api.ts";
import { contextOf } from "../../context.ts";
import { parseCount } from "../../options/count.ts";
import { omitUndefined } from "../../options/omit-undefined.ts";
import { addExamples } from "../../output/examples.ts";
import { renderList } from "../../output/table.ts";
import { terminalSafe } from "../../output/terminal-safe.ts";
import { addSettings } from "./settings.ts";

type Notification = Schemas["Notification"];

export function notificationCommand(): Command {
  const notification = new Command("notification").description("Your inbox: what happened that concerns you");
  addList(notification);
  addChange(notification, "read", "Mark entries as read", { unread: false });
  addChange(notification, "unread", "Mark entries as unread", { unread: true });
  addChange(notification, "done", "Put entries away; they come back when something happens", { done: true });
  addChange(notification, "save", "Keep entries, also when they are done", { saved: true });
  addChange(notification, "unsave", "No longer keep entries", { saved: false });
  notification
    .command("mark-all")
    .description("Mark everything as read")
    .option("--in <owner/name>", "only what is about this repository")
    .action(markAll);
  addSettings(notification);
  addExamples(notification, [
    "forgeline notification list --unread --reason mention",
    "forgeline notification done ntf_01jbcdefghjkmnpqrstvwxyz00",
    "forgeline notification mark-all --in ada/engine",
    "forgeline notification settings --digest daily --at 17:30 --time-zone Europe/Berlin",
  ]);
  return notification;
}

interface ListOptions {
  unread?: true;
  saved?: true;
  done?: true;
  reason?: Notification["reason"];
  in?: string;
  limit: number;
}

function addList(notification: Command): void {
  notification
    .command("list")
    .description("List your inbox, newest first")
    .option("--unread", "only unread entries")
    .option("--saved", "only saved entries, also those that are done")
    .option("--done", "only entries that are done")
    .addOption(
      new Option("--reason <reason>", "only entries that you have for this reason").choices(
        notificationReasons,
      ),
    )
    .option("--in <owner/name>", "only what is about this repository")
    .option("-n, --limit <n>", "how many, at most 100", parseCount, 30)
    .action(list);
}

async function list(options: ListOptions, command: Command): Promise<void> {
  const { api, print } = await contextOf(command);
  const { in: repository, limit, reason } = options;
  const flag = (wanted: true | undefined) => (wanted ? ("true" as const) : undefined);
  const { unread, saved, done } = options;
  const flags = { unread: flag(unread), saved: flag(saved), done: flag(done) };
  const query = omitUndefined({ ...flags, reason, repository, per_page: limit });
  const found = await valueOf(api.GET("/notifications", { params: { query } }));
  print(found, () =>
    renderList(
      "notifications",
      ["ID", "STATE", "REASON", "SUBJECT", "TITLE", "EVENT", "UPDATED"],
      found.map((entry) => [
        entry.id,
        stateOf(entry),
        entry.reason.replaceAll("_", " "),
        subjectOf(entry),
        entry.subject.title,
        entry.event,
        entry.updated_at,
      ]),
    ),
  );
}

function stateOf({ unread, saved, done }: Notification): string {
  const states = [unread ? "unread" : "read", ...(saved ? ["saved"] : []), ...(done ? ["done"] : [])];
  return states.join(", ");
}

/** As people write it in texts. */
function subjectOf({ subject, repository }: Notification): string {
  return `${repository.full_name}${subject.type === "issue" ? "#" : "!"}${subject.number}`;
}

function addChange(
  notification: Command,
  name: string,
  description: string,
  body: Schemas["NotificationUpdate"],
): void {
  notification
    .command(`${name} <ids...>`)
    .description(description)
    .action((ids: string[], _options: object, command: Command) => change(ids, { name, body }, command));
}

async function change(
  ids: readonly string[],
  { name, body }: { name: string; body: Schemas["NotificationUpdate"] },
  command: Command,
): Promise<void> {
  const { api, print } = await contextOf(command);
  const changed: Notification[] = [];
  for (const id of ids)
    changed.push(await valueOf(api.PATCH("/notifications/{id}", { params: { path: { id } }, body })));
  print(changed, () =>
    changed.map((entry) => terminalSafe(`${name}: ${subjectOf(entry)} ${entry.subject.title}`)).join("\n"),
  );
}

async function markAll({ in: repository }: { in?: string }, command: Command): Promise<void> {
  const { api, print } = await contextOf(command);
  await valueOf(api.PUT("/notifications", { body: { read: true, ...omitUndefined({ repository }) } }));
  const where = repository === undefined ? "" : ` in ${repository}`;
  print({ read: true }, () => terminalSafe(`marked everything${where} as read`));
}
