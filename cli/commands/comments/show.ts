/** A comment as people read it. */
import type { Schemas } from "@forgeline/client/schemas.ts";
import { safeLines } from "../../output/safe-lines.ts";
import { shownCell } from "../../output/table.ts";

export function renderComment({ author, body, created_at: at }: Schemas["Comment"]): string {
  const who = shownCell(`${author?.username ?? "a deleted account"}, ${at}`);
  return `${who}:\n${safeLines(body)}`;
}
