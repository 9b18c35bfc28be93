/** `forgeline mr apply-suggestions`. */
import type { Command } from "commander";
import { valueOf } from "../../connection/api.ts";
import { everyPage } from "../../connection/pages.ts";
import { UsageError } from "../../connection/settings.ts";
import { contextOf } from "../../context.ts";
import { omitUndefined } from "../../options/omit-undefined.ts";
import { parseNumber } from "../merge-requests/show.ts";

export function addApplySuggestionsCommand(mr: Command): void {
  mr.command("apply-suggestions <number> [comment...]")
    .description(
      "Apply suggested changes in one commit on the source branch: all of these comments, or all open ones",
    )
    .option("-m, --message <text>", "message of the commit (default: how many from where)")
    .action(apply);
}

interface Chosen {
  comment: string;
  index: number;
  digest: string;
}

async function apply(
  text: string,
  comments: string[],
  { message }: { message?: string },
  command: Command,
): Promise<void> {
  const { api, print, repository } = await contextOf(command);
  const params = { path: { ...(await repository()), number: parseNumber(text) } };
  const address = "/repos/{owner}/{repo}/merge-requests/{number}/suggestions";
  const found = await everyPage((query) => api.GET(address, { params: { ...params, query } }));
  const missing = comments.find((id) => !found.some((each) => each.comment_id === id));
  if (missing !== undefined) throw new UsageError(`there is no suggestion in a comment ${missing}`);
  const wanted = found.filter((each) =>
    comments.length > 0 ? comments.includes(each.comment_id) : !each.resolved,
  );
  const suggestions: Chosen[] = wanted.flatMap(({ comment_id: comment, suggestions: made }) =>
    made.filter(({ state }) => state === "open").map(({ index, digest }) => ({ comment, index, digest })),
  );
  if (suggestions.length === 0)
    throw new UsageError("nothing is left to apply: what is suggested is applied, resolved or outdated");
  const body = { suggestions, ...omitUndefined({ message }) };
  const commit = await valueOf(api.POST(`${address}/apply`, { params, body }));
  print(commit, () => `applied ${suggestions.length} as ${commit.sha.slice(0, 12)}`);
}
