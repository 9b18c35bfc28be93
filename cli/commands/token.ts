/** `forgeline token`: personal access tokens. */
import { Command } from "commander";
import { valueOf } from "../connection/api.ts";
import { contextOf } from "../context.ts";
import { renderTable } from "../output/table.ts";

type Scope = "repo:read" | "pipeline:read";

export function tokenCommand(): Command {
  const token = new Command("token").description("Your access tokens");
  token
    .command("create <name>")
    .description("Create a token; its value is shown once")
    .requiredOption("--scopes <list>", "scopes, separated by commas, for example repo:write,pipeline:write")
    .option("--expires-in <days>", "days until it ends, 1 to 365; never when left out", Number)
    .action(async (name: string, options: { scopes: string; expiresIn?: number }, command: Command) => {
      const { api, print } = await contextOf(command);
      const scopes = options.scopes.split(",").map((scope) => scope.trim()) as Scope[];
      const body = {
        name,
        scopes,
        ...(options.expiresIn === undefined ? {} : { expires_in_days: options.expiresIn }),
      };
      const created = await valueOf(api.POST("/user/tokens", { body }));
      print(created, () => created.token);
    });
  token
    .command("list")
    .description("Your tokens, without their values")
    .action(async (_options: unknown, command: Command) => {
      const { api, print } = await contextOf(command);
      const tokens = await valueOf(api.GET("/user/tokens", { params: { query: { per_page: 100 } } }));
      const row = (t: (typeof tokens)[number]) => [
        t.id,
        t.name,
        t.scopes.join(","),
        t.last_used_at ?? "never",
        t.expires_at ?? "never",
      ];
      print(tokens, () => renderTable(["ID", "NAME", "SCOPES", "LAST USED", "EXPIRES"], tokens.map(row)));
    });
  token
    .command("revoke <id>")
    .description("Revoke a token at once")
    .action(async (id: string, _options: unknown, command: Command) => {
      const { api, print } = await contextOf(command);
      await valueOf(api.DELETE("/user/tokens/{id}", { params: { path: { id } } }));
      print({ id, revoked: true }, () => `revoked ${id}`);
    });
  return token;
}
