/** Tells runners which shells are asked for in their jobs, and which of their jobs are kept for one when they fail. */
import type { LeaseName, ShellService } from "../../domains/pipelines/domain.ts";
import type { RunnerSession } from "./session.ts";

const refusals = {
  runner_too_old: "The runner of this job is too old to open shells. Update it, and run the job again.",
  runner_refuses: "The operator of this runner has switched shells off.",
};

/** One shell, or all that wait for their runner. A runner that is connected elsewhere is told there. */
export async function requestShells(
  shells: Pick<ShellService, "wanted" | "end">,
  sessions: ReadonlyMap<string, RunnerSession>,
  shellId: string | null,
): Promise<void> {
  if (sessions.size === 0) return;
  for (const { runnerId, ...wanted } of await shells.wanted(shellId)) {
    const session = runnerId === null ? undefined : sessions.get(runnerId);
    if (session?.opensShells === true) session.link.send({ t: "open_shell", ...wanted });
    else if (session) {
      const reason = session.opensShells === false ? "runner_refuses" : "runner_too_old";
      await shells.end(wanted.shellId, { reason, message: refusals[reason], exitCode: null });
    }
  }
}

/** Older runners keep nothing. */
export function sendKeepOpen(session: RunnerSession, lease: LeaseName, ms: number | null): void {
  if (session.opensShells !== undefined) session.link.send({ t: "keep_open", ...lease, ms });
}
