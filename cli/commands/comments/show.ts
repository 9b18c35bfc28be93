/** A comment as people read it. */
import type { Schemas } from "@forgeline/client/schemas.ts";
import { safeLines } from "../../output/safe-lines.ts";
import { shownCell } from "../../output/table.ts";

export function renderComment(comment: Schemas["Comment"]): string {
  const { author, body, created_at: at } = comment;
  const who = shownCell([author?.username ?? "a deleted account", at, ...placeOf(comment)].join(", "));
  return `${who}:\n${safeLines(body)}`;
}

/** Of one on lines of a merge request: where it began, and whether it is done. */
function placeOf({ path, line, resolved }: Schemas["Comment"]): string[] {
  if (path === null) return [];
  return [line === null ? path : `${path}:${line}`, ...(resolved === true ? ["resolved"] : [])];
}
