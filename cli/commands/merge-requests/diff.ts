/** `forgeline mr diff`. */
import type { Command } from "commander";
import { everyPage } from "../../connection/pages.ts";
import { contextOf } from "../../context.ts";
import { terminalSafe } from "../../output/terminal-safe.ts";
import { changeLines } from "../commits/change-lines.ts";
import { parseNumber } from "./show.ts";

export async function diff(
  text: string,
  { nameOnly = false }: { nameOnly?: boolean },
  command: Command,
): Promise<void> {
  const { api, print, repository } = await contextOf(command);
  const path = { ...(await repository()), number: parseNumber(text) };
  let isCut = false;
  const files = await everyPage(async (query) => {
    const answer = await api.GET("/repos/{owner}/{repo}/merge-requests/{number}/files", {
      params: { path, query },
    });
    isCut ||= answer.response.headers.has("x-files-truncated");
    return answer;
  });
  const end = isCut ? [`There are more files than these ${files.length}.`] : [];
  const lines = nameOnly ? files.map((file) => file.path) : files.flatMap(changeLines).slice(1);
  print(files, () => [...lines, ...end].map(terminalSafe).join("\n"));
}
