/** `forgeline mr diff`. */
import type { Command } from "commander";
import { valueOf } from "../../connection/api.ts";
import { everyPage } from "../../connection/pages.ts";
import { UsageError } from "../../connection/settings.ts";
import { contextOf } from "../../context.ts";
import { terminalSafe } from "../../output/terminal-safe.ts";
import { changeLines } from "../commits/change-lines.ts";
import { parseNumber } from "./show.ts";

interface DiffOptions {
  nameOnly?: boolean;
  since?: string;
  sinceReview?: true;
}

type Context = Awaited<ReturnType<typeof contextOf>>;
type Path = Awaited<ReturnType<Context["repository"]>> & { number: number };

export async function diff(text: string, options: DiffOptions, command: Command): Promise<void> {
  const { api, print, repository } = await contextOf(command);
  const path = { ...(await repository()), number: parseNumber(text) };
  const since = options.sinceReview ? "last_review" : options.since;
  const compared = since === undefined ? undefined : await comparedWith(api, path, since);
  let isCut = false;
  const files = await everyPage(async (query) => {
    const answer = compared
      ? await api.GET("/repos/{owner}/{repo}/merge-requests/{number}/changes-since/files", {
          params: { path, query: { ...query, since: compared.sha } },
        })
      : await api.GET("/repos/{owner}/{repo}/merge-requests/{number}/files", { params: { path, query } });
    isCut ||= answer.response.headers.has("x-files-truncated");
    return answer;
  });
  if (compared && files.length === 0) return print(files, () => "nothing has changed since then");
  const note = compared?.exact === false ? [inexactText] : [];
  const end = isCut ? [`There are more files than these ${files.length}.`] : [];
  const lines = options.nameOnly ? files.map((file) => file.path) : files.flatMap(changeLines).slice(1);
  print(files, () => [...note, ...lines, ...end].map(terminalSafe).join("\n"));
}

const inexactText = "The branch was rebased, so changes of the target branch are among these:";

/** Throws `UsageError` where there is nothing to compare with. */
async function comparedWith(
  api: Context["api"],
  path: Path,
  since: string,
): Promise<{ sha: string; exact: boolean }> {
  const { status, since_sha, exact } = await valueOf(
    api.GET("/repos/{owner}/{repo}/merge-requests/{number}/changes-since", {
      params: { path, query: { since } },
    }),
  );
  if (since_sha === null) throw new UsageError("you have not reviewed this merge request yet");
  if (status === "gone") throw new UsageError("the commit of then is not kept any more: see all changes");
  return { sha: since_sha, exact };
}
