/** `forgeline bot`: machine identities of organizations, and their tokens. */
import { Command } from "commander";
import { parseBot } from "../../connection/bot.ts";
import { valueOf } from "../../connection/api.ts";
import { everyPage } from "../../connection/pages.ts";
import { contextOf } from "../../context.ts";
import { requireChanges, omitUndefined } from "../../options/omit-undefined.ts";
import { addExamples } from "../../output/examples.ts";
import { renderList } from "../../output/table.ts";
import { parseScopes } from "../../options/scopes.ts";
import { addBotTokenCommands } from "./tokens.ts";

interface BotOptions {
  scopes?: string;
  displayName?: string;
}

export function botCommand(): Command {
  const bot = new Command("bot").description("Bots of organizations, ORG/BOT, and their tokens");
  bot.command("list <org>").description("List the bots of an organization").action(list);
  bot
    .command("create <bot>")
    .description("Create a bot; it gets access to repositories through teams")
    .requiredOption("--scopes <list>", "scopes its tokens can have at most, for example repo:write")
    .option("--display-name <text>", "display name")
    .action(create);
  bot
    .command("edit <bot>")
    .description("Change a bot; removing a scope takes effect on its tokens immediately")
    .option("--scopes <list>", "scopes its tokens can have at most")
    .option("--display-name <text>", "display name")
    .action(edit);
  bot.command("delete <bot>").description("Delete a bot and revoke its tokens").action(remove);
  addBotTokenCommands(bot);
  addExamples(bot, [
    "forgeline bot create acme/deployer --scopes repo:write,pipeline:write",
    "forgeline bot create-token acme/deployer cd --scopes repo:write --expires 90",
    "forgeline team set-member acme/backend acme/deployer",
  ]);
  return bot;
}

async function list(org: string, _options: unknown, command: Command): Promise<void> {
  const { api, print } = await contextOf(command);
  const bots = await everyPage((query) => api.GET("/orgs/{org}/bots", { params: { path: { org }, query } }));
  const rows = bots.map((b) => [
    b.username,
    b.scopes.join(","),
    b.suspended ? "suspended" : "",
    b.display_name,
  ]);
  print(bots, () => renderList("bots", ["BOT", "SCOPES", "STANDING", "DISPLAY NAME"], rows));
}

async function create(
  text: string,
  options: BotOptions & { scopes: string },
  command: Command,
): Promise<void> {
  const { org, bot: name } = parseBot(text);
  const { api, print } = await contextOf(command);
  const body = {
    name,
    scopes: parseScopes(options.scopes),
    ...omitUndefined({ display_name: options.displayName }),
  };
  const bot = await valueOf(api.POST("/orgs/{org}/bots", { params: { path: { org } }, body }));
  print(bot, () => `created ${bot.username}`);
}

async function edit(text: string, { scopes, displayName }: BotOptions, command: Command): Promise<void> {
  const path = parseBot(text);
  const body = requireChanges(
    { scopes: scopes === undefined ? undefined : parseScopes(scopes), display_name: displayName },
    "--scopes or --display-name",
  );
  const { api, print } = await contextOf(command);
  const bot = await valueOf(api.PATCH("/orgs/{org}/bots/{bot}", { params: { path }, body }));
  print(bot, () => `changed ${bot.username}`);
}

async function remove(text: string, _options: unknown, command: Command): Promise<void> {
  const path = parseBot(text);
  const { api, print } = await contextOf(command);
  await valueOf(api.DELETE("/orgs/{org}/bots/{bot}", { params: { path } }));
  print({ username: text, deleted: true }, () => `deleted ${text}`);
}
