/** `forgeline token`: personal access tokens. */
import { Command, Option } from "commander";
import { valueOf } from "../connection/api.ts";
import { everyPage } from "../connection/pages.ts";
import { contextOf } from "../context.ts";
import { parseDays } from "../options/days.ts";
import { renderList } from "../output/table.ts";
import { parseScopes } from "../options/scopes.ts";

const headings = ["ID", "NAME", "SCOPES", "REPOSITORIES", "FROM", "LAST USED", "EXPIRES"];

interface CreateOptions {
  scopes: string;
  from?: string[];
  expires: string;
  expiresIn?: string;
}

export function tokenCommand(): Command {
  const token = new Command("token").description("Your access tokens");
  token
    .command("create <name>")
    .description("Create a token; its value is shown once")
    .requiredOption("--scopes <list>", "scopes, separated by commas, for example repo:write,pipeline:write")
    .option("--from <range...>", "addresses or CIDR ranges it may be used from (default: anywhere)")
    .option("--expires <days>", "days until it expires, 1 to 365, or never", "never")
    .addOption(new Option("--expires-in <days>", "same as --expires").hideHelp())
    .addHelpText(
      "after",
      "\nWith --repo OWNER/NAME, once or several times, it reaches these repositories only.",
    )
    .action(create);
  token.command("list").description("List your tokens, without their values").action(list);
  token.command("revoke <id>").description("Revoke a token").action(revoke);
  return token;
}

async function create(name: string, options: CreateOptions, command: Command): Promise<void> {
  const { api, flags, print } = await contextOf(command);
  const body = {
    name,
    scopes: parseScopes(options.scopes),
    expires_in_days: parseDays(options.expiresIn ?? options.expires),
    repositories: flags.repo ?? null,
    address_ranges: options.from ?? null,
  };
  const created = await valueOf(api.POST("/user/tokens", { body }));
  print(created, () => created.token);
}

async function list(_options: unknown, command: Command): Promise<void> {
  const { api, print } = await contextOf(command);
  const tokens = await everyPage((query) => api.GET("/user/tokens", { params: { query } }));
  const row = (t: (typeof tokens)[number]) => [
    t.id,
    t.name,
    t.scopes.join(","),
    t.repositories?.join(",") ?? "all",
    t.address_ranges?.join(",") ?? "everywhere",
    t.last_used_at ?? "never",
    t.expires_at ?? "never",
  ];
  print(tokens, () => renderList("tokens", headings, tokens.map(row)));
}

async function revoke(id: string, _options: unknown, command: Command): Promise<void> {
  const { api, print } = await contextOf(command);
  await valueOf(api.DELETE("/user/tokens/{id}", { params: { path: { id } } }));
  print({ id, revoked: true }, () => `revoked ${id}`);
}
