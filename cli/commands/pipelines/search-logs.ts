/** `forgeline pipeline search`, and `pipeline logs --search`: which lines of which logs hold some words. */
import { Command } from "commander";
import { valueOf } from "../../connection/api.ts";
import { runNotFoundText } from "../../connection/repository.ts";
import { contextOf, type CliContext } from "../../context.ts";
import { parseCount } from "../../options/count.ts";
import { omitUndefined } from "../../options/omit-undefined.ts";
import { renderMatch, type ShownMatch } from "../../output/log-matches.ts";

/** What one answer of the server may hold. */
const maxInAnswer = 500;
export const defaultMatches = 100;

interface Page {
  matches: ShownMatch[];
  next_cursor: string | null;
}

interface Flags {
  runs?: number;
  ref?: string;
  pipeline?: string;
  job?: string;
  step?: string;
  limit: number;
}

export function searchCommand(): Command {
  return new Command("search")
    .description("Search the logs of the last runs; exit with 1 if nothing is found")
    .argument("<words>", "what a line holds, in upper or lower case")
    .option("--runs <count>", "so many of the last runs, at most 100 (default: 20)", parseCount)
    .option("--ref <ref>", "only runs of this branch or tag")
    .option("--pipeline <file>", "only runs of this pipeline file")
    .option("--job <job>", "only this job: its key or name")
    .option("--step <step>", "only this step: its name or its position from 0; setup; or a service")
    .option("-n, --limit <count>", "number of lines", parseCount, defaultMatches)
    .action(async (words: string, { limit, ...flags }: Flags, command: Command) => {
      const context = await contextOf(command);
      const path = await context.repository();
      await showMatches(context, { hasRun: true, limit }, (page) => {
        const query = { q: words, ...omitUndefined(flags), ...page };
        return valueOf(context.api.GET("/repos/{owner}/{repo}/logs/search", { params: { path, query } }));
      });
    });
}

export interface RunSearch {
  words: string;
  limit: number;
  job: string | undefined;
  step: string | undefined;
  attempt: number | undefined;
}

/** Of one run, by number or id. */
export async function searchRun(context: CliContext, id: string, search: RunSearch): Promise<void> {
  const { words, limit, ...filter } = search;
  const path = { ...(await context.repository()), id };
  await showMatches(context, { hasRun: false, limit }, (page) => {
    const query = { q: words, ...omitUndefined(filter), ...page };
    return valueOf(
      context.api.GET("/repos/{owner}/{repo}/pipelines/{id}/logs/search", { params: { path, query } }),
      runNotFoundText(path, id),
    );
  });
}

/** Prints lines as they are found; with `--json` all of them as one list. Sets the exit status to 1 if there is none. */
async function showMatches(
  context: CliContext,
  { hasRun, limit }: { hasRun: boolean; limit: number },
  read: (page: { limit: number; cursor?: string }) => Promise<Page>,
): Promise<void> {
  const found: ShownMatch[] = [];
  let cursor: string | null | undefined;
  while (cursor !== null && found.length < limit) {
    const wanted = Math.min(maxInAnswer, limit - found.length);
    const page = await read({ limit: wanted, ...(cursor === undefined ? {} : { cursor }) });
    found.push(...page.matches);
    cursor = page.next_cursor;
    if (context.flags.json) continue;
    for (const match of page.matches) process.stdout.write(`${renderMatch(match, { hasRun })}\n`);
  }
  if (context.flags.json) context.print(found, () => "");
  else if (found.length === 0) process.stderr.write("No line holds these words.\n");
  else if (cursor !== null)
    process.stderr.write(`There may be more than these ${found.length}; -n shows more.\n`);
  if (found.length === 0) process.exitCode = 1;
}
