/** `forgeline mr view`. */
import type { Command } from "commander";
import { valueOf } from "../../connection/api.ts";
import { everyPage } from "../../connection/pages.ts";
import { contextOf } from "../../context.ts";
import { renderComment } from "../comments/show.ts";
import { parseNumber, render } from "./show.ts";

export async function view(
  text: string,
  { comments: wantsComments = false }: { comments?: boolean },
  command: Command,
): Promise<void> {
  const { api, print, repository } = await contextOf(command);
  const path = { ...(await repository()), number: parseNumber(text) };
  const found = await valueOf(api.GET("/repos/{owner}/{repo}/merge-requests/{number}", { params: { path } }));
  const comments = wantsComments
    ? await everyPage((query) =>
        api.GET("/repos/{owner}/{repo}/merge-requests/{number}/comments", { params: { path, query } }),
      )
    : [];
  const value = wantsComments ? { ...found, comments } : found;
  print(value, () => [render(found), ...comments.map(renderComment)].join("\n\n"));
}
