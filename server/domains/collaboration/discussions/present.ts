/** Discussions of teams and replies to them as the REST interface shows them. */
import type { Discussion, DiscussionReply } from "@forgeline/schemas/discussions/resource.ts";
import type { Addresses } from "../../../platform/addresses.ts";
import { repositoryAddress } from "../../hosting/domain.ts";
import { presentReactions } from "../reactions/present.ts";
import { namesOf, presentPersonOrNull } from "../work-items/present.ts";
import type { DiscussionRow } from "./discussions.store.ts";
import type { ReplyRow } from "./replies.store.ts";
import { discussionRights, replyRights, type BoardViewer } from "./rights.ts";

export interface BoardView {
  viewer: BoardViewer;
  addresses: Addresses;
}

export function presentDiscussion(row: DiscussionRow, { viewer, addresses }: BoardView): Discussion {
  const { id, number, team, title, body, locked } = row;
  const path = pathOf(row);
  return {
    id,
    number,
    team,
    title,
    body,
    author: presentPersonOrNull(row.author, addresses),
    private: row.private,
    pinned: row.pinned_at !== null,
    locked,
    replies_count: row.replies_count,
    edited_at: row.edited_at && row.edited_at.toISOString(),
    issue: viewer.readsIssues ? presentIssueLink(row.issue, addresses) : null,
    reactions: presentReactions(row.reactions),
    viewer_may: discussionRights(viewer, row),
    url: `${addresses.baseUrl}${path}`,
    web_url: `${addresses.webUrl}${path}`,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}

function presentIssueLink(row: DiscussionRow["issue"], addresses: Addresses): Discussion["issue"] {
  if (row === null) return null;
  const { full_name: repository, number } = row;
  const address = repositoryAddress(addresses, namesOf(repository));
  return { repository, number, web_url: address.web("issues", String(number)) };
}

export function presentReply(
  row: ReplyRow,
  discussion: DiscussionRow,
  { viewer, addresses }: BoardView,
): DiscussionReply {
  const path = pathOf(discussion);
  return {
    id: row.id,
    body: row.body,
    author: presentPersonOrNull(row.author, addresses),
    reply_to: row.reply_to,
    edited_at: row.edited_at && row.edited_at.toISOString(),
    reactions: presentReactions(row.reactions),
    viewer_may: replyRights(viewer, row),
    url: `${addresses.baseUrl}${path}/replies/${row.id}`,
    web_url: `${addresses.webUrl}${path}#${row.id}`,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}

/** Slashes of the team stay as they are; its name contains nothing that needs encoding. */
function pathOf({ team, number }: Pick<DiscussionRow, "team" | "number">): string {
  const at = team.indexOf("/");
  return `/orgs/${encodeURIComponent(team.slice(0, at))}/teams/${team.slice(at + 1)}/discussions/${number}`;
}
