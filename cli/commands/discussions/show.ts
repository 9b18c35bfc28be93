/** A discussion and its replies as people read them. */
import type { Schemas } from "@forgeline/client/schemas.ts";
import { parseTeam } from "../../connection/team.ts";
import { parseCount } from "../../options/count.ts";
import { renderFields } from "../../output/fields.ts";
import { safeLines } from "../../output/safe-lines.ts";
import { shownCell } from "../../output/table.ts";

export const all = "/orgs/{org}/teams/{team}/discussions";
export const one = `${all}/{number}` as const;

/** `12` or `#12`. */
export function pathOf(team: string, number: string) {
  return { ...boardOf(team), number: parseCount(number.replace(/^#/, "")) };
}

export function boardOf(text: string) {
  const { org, team } = parseTeam(text);
  return { org, team };
}

export function marksOf({ pinned, locked, private: isPrivate }: Schemas["Discussion"]): string {
  const marks = { pinned, locked, private: isPrivate };
  return Object.entries(marks)
    .filter(([, is]) => is)
    .map(([name]) => name)
    .join(", ");
}

export function render(shown: Schemas["Discussion"]): string {
  const { number, title, body, author } = shown;
  const marks = marksOf(shown);
  const fields = renderFields([
    ["title", `#${number} ${title}`],
    ["team", shown.team],
    ["author", author?.username ?? "a deleted account"],
    ...(marks === "" ? [] : [["marked", marks] as const]),
    ["replies", String(shown.replies_count)],
    ["page", shown.web_url],
  ]);
  return body.trim() === "" ? fields : `${fields}\n\n${safeLines(body)}`;
}

/** With its id, by which it can be answered. What stands below another one is set in. */
export function renderReply(shown: Schemas["DiscussionReply"]): string {
  const { id, author, body, created_at: at, reply_to: answered } = shown;
  const who = shownCell(`${author?.username ?? "a deleted account"}, ${at} (${id})`);
  const text = `${who}:\n${safeLines(body)}`;
  return answered === null ? text : text.replaceAll(/^/gm, "    ");
}
