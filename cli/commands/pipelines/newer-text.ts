/** What people should know who approve a run when a newer one has deployed. */
import type { Schemas } from "@forgeline/client/schemas.ts";
import { colors } from "../../output/colors.ts";
import { terminalSafe } from "../../output/terminal-safe.ts";

type Newer = NonNullable<Schemas["ApprovalGate"]["newer"]>;

/** A line that begins with `warning:`. */
export function newerText({ pipeline, sha, environment, at, refused }: Newer): string {
  const newer = `A newer run (#${pipeline.number}, commit ${sha.slice(0, 8)}) was deployed to ${terminalSafe(environment)} on ${at}`;
  const what = refused
    ? "the environment refuses what is older, so this one fails once it is approved."
    : "this one would replace it by an older one.";
  return colors.yellow(`warning: ${newer}; ${what}`);
}
