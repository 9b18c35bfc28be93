/** Every workflow that a worker runs, under the name that Temporal knows it by: the entry of the bundle. */
export { followEvents } from "./follow-events.ts";
export { maintenanceRound } from "./maintenance.ts";
export { forkSync } from "./fork-sync.ts";
export { importRepository } from "./import-repository.ts";
export { mirrorSync } from "./mirror-sync.ts";
export { pushMirrorSync } from "./push-mirror-sync.ts";
export { pipeline } from "./pipeline.ts";
export { rotateKeys } from "./rotate-keys.ts";
export { repositoryStatistics } from "./statistics.ts";
export { upkeepTask } from "./upkeep-task.ts";
export { auditExport } from "./audit-export.ts";
export { auditStream } from "./audit-stream.ts";
export { webhookRetries } from "./webhook-retries.ts";
