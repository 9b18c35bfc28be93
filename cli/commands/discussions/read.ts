/** `forgeline team discussion list|view`. */
import type { Command } from "commander";
import { valueOf } from "../../connection/api.ts";
import { everyPage } from "../../connection/pages.ts";
import { contextOf } from "../../context.ts";
import { renderList } from "../../output/table.ts";
import { all, boardOf, marksOf, one, pathOf, render, renderReply } from "./show.ts";

export async function list(team: string, { limit }: { limit: number }, command: Command): Promise<void> {
  const path = boardOf(team);
  const { api, print } = await contextOf(command);
  const found = await valueOf(api.GET(all, { params: { path, query: { per_page: limit } } }));
  const rows = found.map((each) => [
    `#${each.number}`,
    each.title,
    each.author?.username ?? "",
    String(each.replies_count),
    marksOf(each),
  ]);
  print(found, () => renderList("discussions", ["NUMBER", "TITLE", "AUTHOR", "REPLIES", "MARKED"], rows));
}

export async function view(
  team: string,
  number: string,
  { replies: wantsReplies = false }: { replies?: boolean },
  command: Command,
): Promise<void> {
  const path = pathOf(team, number);
  const { api, print } = await contextOf(command);
  const found = await valueOf(api.GET(one, { params: { path } }));
  const replies = wantsReplies
    ? await everyPage((query) => api.GET(`${one}/replies`, { params: { path, query } }))
    : [];
  const value = wantsReplies ? { ...found, replies } : found;
  print(value, () => [render(found), ...replies.map(renderReply)].join("\n\n"));
}
