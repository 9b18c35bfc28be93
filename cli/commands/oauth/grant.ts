/** `forgeline grant`: what you have allowed programs of others. */
import { Command } from "commander";
import { valueOf } from "../../connection/api.ts";
import { everyPage } from "../../connection/pages.ts";
import { contextOf } from "../../context.ts";
import { renderList } from "../../output/table.ts";

export function grantCommand(): Command {
  const grant = new Command("grant").description("Apps that you have allowed to act for you");
  grant.command("list").description("List the apps, their scopes, and when each was last used").action(list);
  grant.command("revoke <id>").description("Revoke an app's access to your account").action(revoke);
  return grant;
}

async function list(_options: unknown, command: Command): Promise<void> {
  const { api, print } = await contextOf(command);
  const grants = await everyPage((query) => api.GET("/user/grants", { params: { query } }));
  const rows = grants.map((g) => [
    g.id,
    g.app.name,
    g.app.owner,
    g.scopes.join(","),
    g.last_used_at ?? "never",
  ]);
  print(grants, () => renderList("grants", ["ID", "APP", "OF", "SCOPES", "LAST USED"], rows));
}

async function revoke(id: string, _options: unknown, command: Command): Promise<void> {
  const { api, print } = await contextOf(command);
  await valueOf(api.DELETE("/user/grants/{id}", { params: { path: { id } } }));
  print({ id, revoked: true }, () => `revoked ${id}`);
}
