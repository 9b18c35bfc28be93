/** An issue as people read it, and how they name one. */
import type { Schemas } from "@forgeline/client/schemas.ts";
import { parseCount } from "../../options/count.ts";
import { reactionFields } from "../reactions/react.ts";
import { renderFields } from "../../output/fields.ts";
import { safeLines } from "../../output/safe-lines.ts";

export type Issue = Schemas["Issue"];

export const one = "/repos/{owner}/{repo}/issues/{number}";

/** `12` or `#12`. Commander names the argument where it is none. */
export function parseNumber(text: string): number {
  return parseCount(text.replace(/^#/, ""));
}

export function stateOf({ state, state_reason: reason }: Issue): string {
  return reason === null || reason === "completed" ? state : `${state}, ${reason.replaceAll("_", " ")}`;
}

export function render(shown: Issue): string {
  const { number, title, body, author, labels, assignees, milestone } = shown;
  const names = (list: readonly string[]) => list.join(", ");
  const closing = shown.closing_merge_requests.map((each) => `${each.repository}!${each.number}`);
  const fields = renderFields([
    ["title", `#${number} ${title}`],
    ["state", stateOf(shown)],
    ...(shown.duplicate_of
      ? [["duplicate of", `${shown.duplicate_of.repository}#${shown.duplicate_of.number}`] as const]
      : []),
    ...reactionFields(shown.reactions),
    ["author", author?.username ?? "a deleted account"],
    ...(labels.length > 0 ? [["labels", names(labels.map(({ name }) => name))] as const] : []),
    ...(assignees.length > 0
      ? [["assignees", names(assignees.map(({ username }) => username))] as const]
      : []),
    ...(milestone ? [["milestone", milestone.title] as const] : []),
    ...(shown.due_on ? [["due", shown.due_on] as const] : []),
    ...(closing.length > 0 ? [["closed by", names(closing)] as const] : []),
    ...(shown.locked ? [["locked", "only those with Triage may comment"] as const] : []),
    ["comments", String(shown.comments_count)],
    ["page", shown.web_url],
  ]);
  return body.trim() === "" ? fields : `${fields}\n\n${safeLines(body)}`;
}
