/** What a job was given, for `forgeline pipeline view --credentials`. */
import type { Schemas } from "@forgeline/client/schemas.ts";
import { terminalSafe } from "../../output/terminal-safe.ts";

type Credentials = Schemas["JobCredentials"];

/** A line for each secret and token of the job, attempt by attempt. */
export function credentialLines(all: readonly Credentials[], jobId: string): string[] {
  return all
    .filter((one) => one.job_id === jobId)
    .flatMap(({ attempt, secrets, id_tokens: tokens }) => [
      ...secrets.map(({ name, level }) => `attempt ${attempt}: secret ${name} of ${placeOf(level)}`),
      ...tokens.map(({ name, audience }) => `attempt ${attempt}: identity token ${name} for ${audience}`),
    ])
    .map(terminalSafe);
}

function placeOf(level: Credentials["secrets"][number]["level"]): string {
  return level === null ? "a place that is not known any more" : `the ${level}`;
}
