/** A comment as people read it. */
import type { Schemas } from "@forgeline/client/schemas.ts";
import { shownCell } from "../../output/table.ts";
import { terminalSafe } from "../../output/terminal-safe.ts";

export function renderComment({ author, body, created_at: at }: Schemas["Comment"]): string {
  const who = shownCell(`${author?.username ?? "a deleted account"}, ${at}`);
  const lines = body.trimEnd().split("\n").map(terminalSafe);
  return `${who}:\n${lines.join("\n")}`;
}
