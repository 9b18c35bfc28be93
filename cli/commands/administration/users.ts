/** `forgeline admin users|user|suspend|unsuspend|promote|demote|reset-two-factor`. */
import type { Command } from "commander";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { valueOf } from "../../connection/api.ts";
import { contextOf } from "../../context.ts";
import { parseCount } from "../../options/count.ts";
import { omitUndefined } from "../../options/omit-undefined.ts";
import { renderFields } from "../../output/fields.ts";
import { renderList } from "../../output/table.ts";

type Account = Schemas["AdministeredUser"];

export function addUserCommands(admin: Command): void {
  admin
    .command("users [text]")
    .description("List accounts, optionally those with this text in their name or address")
    .option("--page <number>", "page, 100 accounts each", parseCount, 1)
    .action(list);
  admin.command("user <username>").description("Show an account").action(view);
  for (const [name, { description, body }] of Object.entries(switches))
    admin
      .command(`${name} <username>`)
      .description(description)
      .action((username: string, _options: unknown, command: Command) => update(username, body, command));
  admin
    .command("reset-two-factor <username>")
    .description("Remove the second factor of a user who lost it; the user is notified by mail")
    .action(resetTwoFactor);
}

const switches: Record<string, { description: string; body: Schemas["AdministeredUserUpdate"] }> = {
  suspend: {
    description: "Suspend an account: end its sessions and refuse its credentials",
    body: { suspended: true },
  },
  unsuspend: { description: "Lift the suspension of an account", body: { suspended: false } },
  promote: { description: "Make a user an administrator of the instance", body: { admin: true } },
  demote: { description: "Make an administrator an ordinary user again", body: { admin: false } },
};

async function list(text: string | undefined, options: { page: number }, command: Command): Promise<void> {
  const { api, print } = await contextOf(command);
  const query = { page: options.page, per_page: 100, ...omitUndefined({ q: text }) };
  const users = await valueOf(api.GET("/admin/users", { params: { query } }));
  const rows = users.map((u) => [u.username, u.email, u.type, u.plan, standingOf(u)]);
  print(users, () => renderList("users", ["NAME", "E-MAIL", "TYPE", "PLAN", "STANDING"], rows));
}

function standingOf(user: Account): string {
  return [user.admin ? "admin" : "", user.suspended ? "suspended" : ""].filter(Boolean).join(",");
}

async function view(username: string, _options: unknown, command: Command): Promise<void> {
  const { api, print } = await contextOf(command);
  const user = await valueOf(api.GET("/admin/users/{username}", { params: { path: { username } } }));
  print(user, () => describe(user));
}

function describe(user: Account): string {
  return renderFields([
    ["name", user.username],
    ["display name", user.name],
    ["e-mail", user.email],
    ["type", user.type],
    ["plan", user.plan],
    ["standing", standingOf(user)],
    ["second factor", user.two_factor_enabled ? "on" : "off"],
    ["created", user.created_at],
  ]);
}

async function update(
  username: string,
  body: Schemas["AdministeredUserUpdate"],
  command: Command,
): Promise<void> {
  const { api, print } = await contextOf(command);
  const params = { path: { username } };
  const user = await valueOf(api.PATCH("/admin/users/{username}", { params, body }));
  const now =
    body.admin === undefined ? stateOf(user.suspended, "suspended") : stateOf(user.admin, "an administrator");
  print(user, () => `${user.username} is ${now}`);
}

function stateOf(is: boolean, what: string): string {
  return is ? what : `not ${what}`;
}

async function resetTwoFactor(username: string, _options: unknown, command: Command): Promise<void> {
  const { api, print } = await contextOf(command);
  await valueOf(api.DELETE("/admin/users/{username}/two-factor", { params: { path: { username } } }));
  print({ username, two_factor_enabled: false }, () => `${username} signs in without a second factor`);
}
