/** `forgeline mr view`. */
import type { Command } from "commander";
import type { ForgelineClient } from "@forgeline/client/client.ts";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { valueOf } from "../../connection/api.ts";
import { everyPage } from "../../connection/pages.ts";
import type { RepositoryName } from "../../connection/repository.ts";
import { contextOf } from "../../context.ts";
import { renderComment } from "../comments/show.ts";
import { renderRemark } from "../reviews/show.ts";
import { parseNumber, render } from "./show.ts";

export async function view(
  text: string,
  { comments: wantsComments = false }: { comments?: boolean },
  command: Command,
): Promise<void> {
  const { api, print, repository } = await contextOf(command);
  const path = { ...(await repository()), number: parseNumber(text) };
  const found = await valueOf(api.GET("/repos/{owner}/{repo}/merge-requests/{number}", { params: { path } }));
  if (!wantsComments) return print(found, () => render(found));
  const said = await readSaid(api, path);
  print({ ...found, ...said }, () => [render(found), ...inOrder(said)].join("\n\n"));
}

interface Said {
  comments: Schemas["Comment"][];
  reviews: Schemas["Review"][];
}

async function readSaid(api: ForgelineClient, path: RepositoryName & { number: number }): Promise<Said> {
  const comments = await everyPage((query) =>
    api.GET("/repos/{owner}/{repo}/merge-requests/{number}/comments", { params: { path, query } }),
  );
  const reviews = await everyPage((query) =>
    api.GET("/repos/{owner}/{repo}/merge-requests/{number}/reviews", { params: { path, query } }),
  );
  return { comments, reviews };
}

/** A review without a text that decides nothing only holds comments, which are there. */
function inOrder({ comments, reviews }: Said): string[] {
  const remarks = reviews.filter(({ body, state }) => body.trim() !== "" || state !== "commented");
  return [
    ...comments.map((each) => ({ at: each.created_at, shown: renderComment(each) })),
    ...remarks.map((each) => ({ at: each.submitted_at ?? each.created_at, shown: renderRemark(each) })),
  ]
    .toSorted((one, other) => Date.parse(one.at) - Date.parse(other.at))
    .map(({ shown }) => shown);
}
