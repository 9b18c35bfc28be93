/** What people should know before they approve: what the file tells them, that it goes back, and that something newer is deployed. */
import type { Schemas } from "@forgeline/client/schemas.ts";
import { colors } from "../../output/colors.ts";
import { terminalSafe } from "../../output/terminal-safe.ts";
import { newerText } from "./newer-text.ts";

type Gate = Pick<Schemas["ApprovalGate"], "newer" | "rollback" | "sha" | "state">;

/** Lines; none where the gate is decided. */
export function gateNotes({ newer, rollback, sha, state }: Gate): string[] {
  if (state !== "open") return [];
  return [...(rollback ? [rollbackText(rollback, sha)] : []), ...(newer ? [newerText(newer)] : [])];
}

function rollbackText(
  { environment, replaces, asked_by: by }: NonNullable<Gate["rollback"]>,
  sha: string,
): string {
  const asked = by === null ? "" : `, asked for by ${by}`;
  const what = `This rolls ${environment} back to commit ${sha.slice(0, 8)}: it replaces run #${replaces.pipeline.number} (commit ${replaces.sha.slice(0, 8)})${asked}.`;
  return colors.yellow(terminalSafe(what));
}
