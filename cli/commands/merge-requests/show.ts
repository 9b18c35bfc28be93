/** A merge request as people read it. */
import type { Schemas } from "@forgeline/client/schemas.ts";
import { parseCount } from "../../options/count.ts";
import { reactionFields } from "../reactions/react.ts";
import { renderFields } from "../../output/fields.ts";
import { safeLines } from "../../output/safe-lines.ts";
import { sourceName } from "./source.ts";

export type MergeRequest = Schemas["MergeRequest"];

/** `12` or `!12`. Commander names the argument where it is none. */
export function parseNumber(text: string): number {
  return parseCount(text.replace(/^!/, ""));
}

/** In one word, or few. */
export function standingOf({ state, draft, mergeable }: MergeRequest): string {
  if (state !== "open") return state;
  const ready = {
    clean: "can be merged",
    conflict: "conflicts",
    blocked: "blocked",
    checking: "being compared",
  };
  return draft ? "draft" : ready[mergeable];
}

/** In lists: those do not ask for runs, checks and code owners, so nothing is said of them. */
export function standingInList(shown: MergeRequest): string {
  const isClean = shown.state === "open" && !shown.draft && shown.mergeable === "clean";
  return isClean ? "no conflicts" : standingOf(shown);
}

export function render(shown: MergeRequest): string {
  const { number, title, description, author, pipeline, labels, assignees } = shown;
  const reviewers = [...shown.reviewers.map(({ username }) => username), ...shown.reviewer_teams];
  const fields = renderFields([
    ["title", `!${number} ${title}`],
    ["branches", `${sourceName(shown)} → ${shown.target_branch}`],
    ["author", author?.username ?? "a deleted account"],
    ["standing", standingOf(shown)],
    ...(shown.source_repo === null ? [["source", "its repository is deleted"] as const] : []),
    ...(shown.source_problem === null ? [] : [["source", shown.source_problem] as const]),
    ...(shown.maintainer_can_modify
      ? [["edits", "those who may merge may push to its source branch"] as const]
      : []),
    ...shown.blocked_by.map((reason) => ["blocked by", reason] as const),
    ...(shown.conflicts.length > 0 ? [["conflicts", shown.conflicts.join(", ")] as const] : []),
    ...(shown.closes.length > 0 ? [["closes", namesOf(shown.closes)] as const] : []),
    ...(shown.merge_sha ? [["merged as", shown.merge_sha] as const] : []),
    ["head", shown.head_sha],
    ...(pipeline ? [["pipeline", `#${pipeline.number} ${pipeline.status}`] as const] : []),
    ...(labels.length > 0 ? [["labels", labels.map(({ name }) => name).join(", ")] as const] : []),
    ...(assignees.length > 0
      ? [["assignees", assignees.map(({ username }) => username).join(", ")] as const]
      : []),
    ...(reviewers.length > 0 ? [["reviewers", reviewers.join(", ")] as const] : []),
    ...reactionFields(shown.reactions),
    ["comments", String(shown.comments_count)],
    ["page", shown.web_url],
  ]);
  return description.trim() === "" ? fields : `${fields}\n\n${safeLines(description)}`;
}

/** With their repositories, since they may be in others. */
function namesOf(items: MergeRequest["closes"]): string {
  return items.map(({ repository, number }) => `${repository}#${number}`).join(", ");
}
