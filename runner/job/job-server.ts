/** Where a job reaches the server: what the server itself put into the job's environment, which no pipeline file changes. */
import type { LeaseSpec } from "@forgeline/schemas/runner-protocol/lease.ts";

/** null where the server does not say. */
export function jobServer({ ciEnv }: LeaseSpec): string | null {
  const url = ciEnv["CI_REPO_URL"] ?? "";
  return URL.canParse(url) ? new URL(url).origin : null;
}
