/** What was foreseen when a run was created: jobs that will end without what they need. */
import type { Schemas } from "@forgeline/client/schemas.ts";
import { colors } from "../../output/colors.ts";
import { terminalSafe } from "../../output/terminal-safe.ts";

export function foreseenLines(foreseen: readonly Schemas["Foreseen"][]): string[] {
  return foreseen.map(({ job, more_jobs: more, message }) => {
    const jobs = more === 0 ? job : `${job} and ${more} more`;
    return colors.yellow(
      `  ${terminalSafe(`${jobs} will end with an error unless this changes: ${message}`)}`,
    );
  });
}
