/** `forgeline issue comment|close|reopen|lock|unlock|pin|unpin|delete`. */
import { Option, type Command } from "commander";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { valueOf, type Answer } from "../../connection/api.ts";
import { askForName } from "../../connection/ask-for-name.ts";
import { UsageError } from "../../connection/settings.ts";
import { contextOf, type CliContext } from "../../context.ts";
import { omitUndefined } from "../../options/omit-undefined.ts";
import { terminalSafe } from "../../output/terminal-safe.ts";
import { changeSeveral } from "./change-several.ts";
import { bodyOf, readIssue } from "./fields.ts";
import { one, parseNumber, type Issue } from "./show.ts";

export function addChangeCommands(issue: Command): void {
  issue
    .command("comment <number>")
    .description("Comment on an issue")
    .option("-b, --body <text>", "the comment, as Markdown")
    .option("-F, --body-file <file>", "file with the comment")
    .action(comment);
  issue
    .command("close <numbers...>")
    .description("Close an issue, or several at once")
    .addOption(new Option("-r, --reason <reason>", "why").choices(["completed", "not_planned", "duplicate"]))
    .option("--duplicate-of <issue>", "the issue that says the same: NUMBER or OWNER/NAME#NUMBER")
    .option("-c, --comment <text>", "comment first")
    .action(close);
  issue
    .command("reopen <numbers...>")
    .description("Reopen a closed issue, or several at once")
    .action(reopen);
  addMarks(issue);
  issue
    .command("delete <number>")
    .description("Delete an issue with its comments")
    .option("-y, --yes", "without asking; needed where there is no terminal")
    .action(remove);
}

function addMarks(issue: Command): void {
  issue
    .command("lock <number>")
    .description("Let only those with Triage comment")
    .action(marking("locked", (api, params) => api.PUT(`${one}/lock`, params)));
  issue
    .command("unlock <number>")
    .description("Let everybody who may read comment again")
    .action(marking("unlocked", (api, params) => api.DELETE(`${one}/lock`, params)));
  issue
    .command("pin <number>")
    .description("Show an issue above the list")
    .action(marking("pinned", (api, params) => api.PUT(`${one}/pin`, params)));
  issue
    .command("unpin <number>")
    .description("No longer show it above the list")
    .action(marking("unpinned", (api, params) => api.DELETE(`${one}/pin`, params)));
}

async function pathOf({ repository }: CliContext, text: string) {
  return { ...(await repository()), number: parseNumber(text) };
}

async function comment(
  text: string,
  flags: { body?: string; bodyFile?: string },
  command: Command,
): Promise<void> {
  const body = (await bodyOf(flags)) ?? "";
  const context = await contextOf(command);
  const made = await say(context, text, body);
  context.print(made, () => terminalSafe(`commented: ${made.web_url}`));
}

async function say(context: CliContext, text: string, body: string) {
  const path = await pathOf(context, text);
  return valueOf(context.api.POST(`${one}/comments`, { params: { path }, body: { body } }));
}

interface CloseFlags {
  reason?: "completed" | "not_planned" | "duplicate";
  duplicateOf?: string;
  comment?: string;
}

async function close(texts: string[], flags: CloseFlags, command: Command): Promise<void> {
  const [text = "", ...more] = texts;
  const { reason, duplicateOf, comment: words } = flags;
  const body = omitUndefined({
    state_reason: reason,
    duplicate_of: duplicateOf === undefined ? undefined : sameIssue(duplicateOf),
  });
  if (more.length > 0 && (words !== undefined || duplicateOf !== undefined))
    throw new UsageError("--comment and --duplicate-of are for one issue at a time");
  const context = await contextOf(command);
  if (more.length > 0) {
    const wanted = { numbers: texts.map(parseNumber), state: "closed" as const };
    return changeSeveral(context, { ...wanted, ...omitUndefined({ state_reason: reason }) }, "closed");
  }
  if (words !== undefined) await say(context, text, words);
  const closed = await setState(context, text, { state: "closed", ...body });
  context.print(closed, () => `closed #${closed.number}`);
}

/** `12` and `#12` are of the same repository. */
function sameIssue(named: string): number | string {
  return /^#?\d+$/.test(named) ? parseNumber(named) : named;
}

async function reopen(texts: string[], _options: object, command: Command): Promise<void> {
  const [text = "", ...more] = texts;
  const context = await contextOf(command);
  if (more.length > 0)
    return changeSeveral(context, { numbers: texts.map(parseNumber), state: "open" }, "reopened");
  const opened = await setState(context, text, { state: "open" });
  context.print(opened, () => `reopened #${opened.number}`);
}

async function setState(context: CliContext, text: string, body: Schemas["IssueUpdate"]): Promise<Issue> {
  return valueOf(context.api.PATCH(one, { params: { path: await pathOf(context, text) }, body }));
}

type Mark = (
  api: CliContext["api"],
  request: { params: { path: Awaited<ReturnType<typeof pathOf>> } },
) => Promise<Answer<unknown>>;

function marking(done: string, mark: Mark) {
  return async (text: string, _options: object, command: Command): Promise<void> => {
    const context = await contextOf(command);
    const path = await pathOf(context, text);
    await valueOf(mark(context.api, { params: { path } }));
    context.print({ [done]: path.number }, () => `${done} #${path.number}`);
  };
}

async function remove(text: string, { yes = false }: { yes?: boolean }, command: Command): Promise<void> {
  const context = await contextOf(command);
  const path = await pathOf(context, text);
  if (!yes) {
    const { title } = await readIssue(context, path.number);
    const loss = `This deletes issue #${path.number}, ${title}, with its comments.`;
    await askForName(String(path.number), terminalSafe(loss));
  }
  await valueOf(context.api.DELETE(one, { params: { path } }));
  context.print({ deleted: path.number }, () => `deleted #${path.number}`);
}
