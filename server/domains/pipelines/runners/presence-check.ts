/** Whether a runner of the instance is connected, for supervisors of the instance's own processes: no token, no limit. */
import type { ExtraPage } from "../../../platform/metrics.ts";
import { AppError } from "../../../platform/app-error.ts";
import { systemActor } from "../../../platform/access/actor.ts";
import { statusOf } from "./present.ts";
import type { RunnerService } from "./service.ts";

const runnerPath = /^\/runners\/(?<id>rnr_\w+)$/;

/** `GET /runners/ID` on the port of metrics: `{"status": …}` as the API has it, 404 for an unknown or removed one. */
export function createRunnerPresenceCheck(deps: {
  runners: Pick<RunnerService, "get">;
  config: { runners: { unreachableMs: number } };
}): ExtraPage {
  return async (path) => {
    const id = runnerPath.exec(path)?.groups?.["id"];
    if (id === undefined) return undefined;
    try {
      const row = await deps.runners.get(systemActor, id);
      return { status: 200, body: { status: statusOf(row, deps.config.runners.unreachableMs) } };
    } catch (error) {
      if (error instanceof AppError) return { status: 404 };
      throw error;
    }
  };
}
