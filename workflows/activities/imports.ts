/** Activities of imports. Each may run twice. */
import { StepImport } from "@forgeline/schemas/imports/workflow.ts";
import type { Imports } from "@forgeline/server/domains/automation/domain.ts";
import { activity } from "./activity.ts";
import { whileBeating } from "./heartbeat.ts";

export type ImportActivities = ReturnType<typeof createImportActivities>;

/** Well under the time after which Temporal takes a silent worker for dead. */
const heartbeatMs = 3_000;

/** After many tries. */
const failed = "It could not go on because of a problem of this server. Try it again later.";

export function createImportActivities(imports: Imports) {
  return {
    stepImport: activity(StepImport, (wanted) =>
      whileBeating({ everyMs: heartbeatMs, details: { id: wanted.importId } }, (signal) =>
        imports.step(wanted, signal),
      ),
    ),
    giveUpImport: activity(StepImport, (wanted) => imports.giveUp(wanted, failed)),
  };
}
