/** `forgeline admin`: what administrators of the instance do with accounts. */
import { Command } from "commander";
import { valueOf } from "../connection/api.ts";
import { contextOf } from "../context.ts";
import { limitsCommand } from "./admin-limits.ts";
import { renderTable } from "../output/table.ts";

export function adminCommand(): Command {
  const admin = new Command("admin").description("Administer the instance");
  admin
    .command("users [text]")
    .description("Accounts, all or those with this text in name or address")
    .option("--page <number>", "page, 100 accounts each", Number, 1)
    .action(async (text: string | undefined, options: { page: number }, command: Command) => {
      const { api, print } = await contextOf(command);
      const query = { page: options.page, per_page: 100, ...(text === undefined ? {} : { q: text }) };
      const users = await valueOf(api.GET("/admin/users", { params: { query } }));
      const row = (user: (typeof users)[number]) => [
        user.username,
        user.email,
        user.type,
        user.plan,
        [user.admin ? "admin" : "", user.suspended ? "suspended" : ""].filter(Boolean).join(","),
      ];
      print(users, () => renderTable(["NAME", "E-MAIL", "TYPE", "PLAN", "STANDING"], users.map(row)));
    });
  admin.addCommand(standing("suspend", "End every session of an account and refuse its credentials", true));
  admin.addCommand(standing("unsuspend", "Let an account in again", false));
  admin.addCommand(limitsCommand());
  return admin;
}

function standing(name: string, description: string, suspended: boolean): Command {
  return new Command(name)
    .argument("<username>")
    .description(description)
    .action(async (username: string, _options: unknown, command: Command) => {
      const { api, print } = await contextOf(command);
      const params = { path: { username } };
      const user = await valueOf(api.PATCH("/admin/users/{username}", { params, body: { suspended } }));
      print(user, () => `${user.username} is ${user.suspended ? "suspended" : "not suspended"}`);
    });
}
