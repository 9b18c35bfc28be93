/** For tests of what is behind the gate of Git processes: nobody waits there. */
import { createGitAdmission } from "@forgeline/server/platform/git/processes/admission.ts";
import { createMetrics } from "@forgeline/server/platform/metrics.ts";

export function wideAdmission() {
  const wide = { inAll: 1000, ofRepository: 1000, ofUser: 1000, waitMs: 60_000 };
  return createGitAdmission(
    { exchanges: wide, questions: wide, background: 1000, readers: 1000, remotes: 1000 },
    createMetrics(),
  );
}
