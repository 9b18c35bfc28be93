/** The audit log's parts, put together for the container. */
import type { Database } from "../../../platform/db/database.ts";
import type { Logger } from "../../../platform/logger.ts";
import type { Metrics } from "../../../platform/metrics.ts";
import type { ObjectStore } from "../../../platform/objects/object-store.ts";
import { createCheckpoints } from "./checkpoints.ts";
import { createAuditKeeper } from "./keeper.ts";
import { createProofCursors } from "./proof-cursor.ts";
import { createAuditService } from "./service.ts";

export function createAuditLog(deps: {
  db: Database;
  objects: ObjectStore;
  /** Signs the points outside the database. */
  key: Buffer;
  logger: Logger;
  registry: Metrics;
}) {
  const checkpoints = createCheckpoints(deps);
  const auditKeeper = createAuditKeeper({ ...deps, checkpoints });
  const cursors = createProofCursors(deps.key);
  return {
    auditKeeper,
    checkpoints,
    audit: createAuditService({ db: deps.db, checkpoints, cursors, link: auditKeeper.link }),
  };
}
