/** What people set of an issue, from the options that say it. */
import type { Command } from "commander";
import { valueOf } from "../../connection/api.ts";
import { everyPage } from "../../connection/pages.ts";
import { UsageError } from "../../connection/settings.ts";
import type { CliContext } from "../../context.ts";
import { readText } from "../../options/read-file.ts";
import { sameText } from "../labels/same-text.ts";

export interface TextFlags {
  title?: string;
  body?: string;
  bodyFile?: string;
}

export function addTextOptions(command: Command): Command {
  return command
    .option("-t, --title <text>", "title")
    .option("-b, --body <text>", "text, as Markdown")
    .option("-F, --body-file <file>", "file with the text");
}

/** Throws `UsageError` where both are given, and for a file that cannot be read. */
export async function bodyOf({ body, bodyFile }: TextFlags): Promise<string | undefined> {
  if (body !== undefined && bodyFile !== undefined)
    throw new UsageError("give --body or --body-file, not both");
  return bodyFile === undefined ? body : readText(bodyFile);
}

/** The id of the milestone with this title. Throws `UsageError` where there is none. */
export async function milestoneId({ api, repository }: CliContext, title: string): Promise<string> {
  const path = await repository();
  const ask = (page: { page: number; per_page: number }) =>
    api.GET("/repos/{owner}/{repo}/milestones", { params: { path, query: { ...page, state: "all" } } });
  const found = sameText(await everyPage(ask), title, (each) => each.title);
  if (found) return found.id;
  throw new UsageError(`there is no milestone ${title} in ${path.owner}/${path.repo}`);
}

export async function readIssue({ api, repository }: CliContext, number: number) {
  const path = { ...(await repository()), number };
  return valueOf(api.GET("/repos/{owner}/{repo}/issues/{number}", { params: { path } }));
}
