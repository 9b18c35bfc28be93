/** `forgeline bot tokens|create-token|revoke-token`. */
import type { Command } from "commander";
import { parseBot } from "../../connection/bot.ts";
import { valueOf } from "../../connection/api.ts";
import { everyPage } from "../../connection/pages.ts";
import { contextOf } from "../../context.ts";
import { parseDays } from "../../options/days.ts";
import { renderList } from "../../output/table.ts";
import { parseScopes } from "../../options/scopes.ts";

export function addBotTokenCommands(bot: Command): void {
  bot.command("tokens <bot>").description("List the tokens of a bot, without their values").action(list);
  bot
    .command("create-token <bot> <name>")
    .description("Create a token for a bot; its value is shown once")
    .requiredOption("--scopes <list>", "scopes of the token, at most those of the bot and your own")
    .option("--expires <days>", "days until it expires, 1 to 365, or never", "never")
    .action(create);
  bot.command("revoke-token <bot> <id>").description("Revoke a token of a bot").action(revoke);
}

async function list(text: string, _options: unknown, command: Command): Promise<void> {
  const path = parseBot(text);
  const { api, print } = await contextOf(command);
  const tokens = await everyPage((query) =>
    api.GET("/orgs/{org}/bots/{bot}/tokens", { params: { path, query } }),
  );
  const rows = tokens.map((t) => [
    t.id,
    t.name,
    t.scopes.join(","),
    t.last_used_at ?? "never",
    t.expires_at ?? "never",
  ]);
  print(tokens, () => renderList("tokens", ["ID", "NAME", "SCOPES", "LAST USED", "EXPIRES"], rows));
}

async function create(
  text: string,
  name: string,
  options: { scopes: string; expires: string },
  command: Command,
): Promise<void> {
  const path = parseBot(text);
  const body = { name, scopes: parseScopes(options.scopes), expires_in_days: parseDays(options.expires) };
  const { api, print } = await contextOf(command);
  const created = await valueOf(api.POST("/orgs/{org}/bots/{bot}/tokens", { params: { path }, body }));
  print(created, () => created.token);
}

async function revoke(text: string, id: string, _options: unknown, command: Command): Promise<void> {
  const path = { ...parseBot(text), id };
  const { api, print } = await contextOf(command);
  await valueOf(api.DELETE("/orgs/{org}/bots/{bot}/tokens/{id}", { params: { path } }));
  print({ id, revoked: true }, () => `revoked ${id}`);
}
