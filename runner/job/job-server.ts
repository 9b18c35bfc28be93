/** Where a job reaches the server: what the server itself put into the job's environment, which no pipeline file changes. */
import type { LeaseSpec } from "@forgeline/schemas/runner-protocol/lease.ts";

/** The address of its repository; that of the checkout where the server does not say. */
export function jobRepository({ ciEnv, clone }: LeaseSpec): string {
  const url = ciEnv["CI_REPO_URL"] ?? "";
  return URL.canParse(url) ? url : clone.url;
}

/** null where the server does not say. */
export function jobServer({ ciEnv }: LeaseSpec): string | null {
  const url = ciEnv["CI_REPO_URL"] ?? "";
  return URL.canParse(url) ? new URL(url).origin : null;
}
