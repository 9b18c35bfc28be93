/** `forgeline review comment|threads|reply|resolve|reopen`. */
import { Option, type Command } from "commander";
import { valueOf } from "../../connection/api.ts";
import { everyPage } from "../../connection/pages.ts";
import { UsageError } from "../../connection/settings.ts";
import { contextOf } from "../../context.ts";
import { omitUndefined } from "../../options/omit-undefined.ts";
import { terminalSafe } from "../../output/terminal-safe.ts";
import { parseNumber } from "../merge-requests/show.ts";
import { placeOf, renderThread } from "./show.ts";

interface CommentOptions {
  body: string;
  old?: true;
  pending?: true;
  sha?: string;
}

export function addThreadCommands(review: Command): void {
  review
    .command("comment <number> <place>")
    .description("Comment on lines that a merge request changes: FILE:LINE, FILE:FIRST-LAST, or a whole FILE")
    .requiredOption("-m, --body <text>", "the comment, as Markdown")
    .option("--old", "the lines are counted before the change")
    .option("--pending", "only you see it until you submit your review")
    .option("--sha <commit>", "the head that you looked at (default: the head now)")
    .action(comment);
  review
    .command("threads <number>")
    .description("Show what people say about lines of a merge request")
    .addOption(
      new Option("-s, --state <state>", "only these").choices(["open", "resolved", "all"]).default("all"),
    )
    .option("--file <path>", "only those on this file")
    .action(threads);
  review
    .command("reply <number> <thread>")
    .description("Reply in a thread")
    .requiredOption("-m, --body <text>", "the reply, as Markdown")
    .option("--pending", "only you see it until you submit your review")
    .action(reply);
  review.command("resolve <number> <thread>").description("Resolve a thread").action(settling("resolved"));
  review
    .command("reopen <number> <thread>")
    .description("Reopen a resolved thread")
    .action(settling("reopened"));
}

/** A path may contain colons. Throws `UsageError`. */
export function parsePlace(text: string): { path: string; start_line?: number; line?: number } {
  const found = /^(?<path>.+?)(?::(?:(?<start>\d{1,9})-)?(?<line>\d{1,9}))?$/s.exec(text)?.groups;
  if (!found?.["path"]) throw new UsageError("give FILE:LINE, FILE:FIRST-LAST or FILE");
  const { path, start, line } = found;
  return {
    path,
    ...(start === undefined || start === line ? {} : { start_line: Number(start) }),
    ...(line === undefined ? {} : { line: Number(line) }),
  };
}

async function comment(
  text: string,
  place: string,
  options: CommentOptions,
  command: Command,
): Promise<void> {
  const at = parsePlace(place);
  const { api, print, repository } = await contextOf(command);
  const params = { path: { ...(await repository()), number: parseNumber(text) } };
  const { old, pending, sha } = options;
  const body = {
    ...at,
    side: old ? "old" : "new",
    body: options.body,
    ...omitUndefined({ pending, commit_sha: sha }),
  } as const;
  const made = await valueOf(
    api.POST("/repos/{owner}/{repo}/merge-requests/{number}/threads", { params, body }),
  );
  const how = made.pending ? "waits for your review" : "commented";
  print(made, () => terminalSafe(`${how}: ${placeOf(made)} ${made.id}`));
}

async function threads(
  text: string,
  { state, file }: { state: "open" | "resolved" | "all"; file?: string },
  command: Command,
): Promise<void> {
  const { api, print, repository } = await contextOf(command);
  const path = { ...(await repository()), number: parseNumber(text) };
  const filter = omitUndefined({ state, path: file });
  const found = await everyPage((page) =>
    api.GET("/repos/{owner}/{repo}/merge-requests/{number}/threads", {
      params: { path, query: { ...page, ...filter } },
    }),
  );
  print(found, () => found.map(renderThread).join("\n\n"));
}

async function reply(
  text: string,
  thread: string,
  { body, pending }: { body: string; pending?: true },
  command: Command,
): Promise<void> {
  const { api, print, repository } = await contextOf(command);
  const params = { path: { ...(await repository()), number: parseNumber(text), thread } };
  const made = await valueOf(
    api.POST("/repos/{owner}/{repo}/merge-requests/{number}/threads/{thread}/comments", {
      params,
      body: { body, ...omitUndefined({ pending }) },
    }),
  );
  print(made, () => (made.pending ? "waits for your review" : `replied: ${made.web_url}`));
}

/** The last part of an address, by what is said of a thread that is so afterwards. */
const settled = { resolved: "resolve", reopened: "reopen" } as const;

function settling(done: keyof typeof settled) {
  return async (text: string, thread: string, _options: object, command: Command): Promise<void> => {
    const { api, print, repository } = await contextOf(command);
    const params = { path: { ...(await repository()), number: parseNumber(text), thread } };
    const address = "/repos/{owner}/{repo}/merge-requests/{number}/threads/{thread}";
    const found = await valueOf(api.POST(`${address}/${settled[done]}` as const, { params }));
    print(found, () => terminalSafe(`${done} ${placeOf(found)}`));
  };
}
