/** Wires for logs: what is kept of them, searched, watched, and checked. */
import type { Config } from "../../../config/config.ts";
import { joinLifecycles } from "../../../platform/lifecycle.ts";
import type { Platform } from "../../../platform/platform.ts";
import { createLogObjectsCheck } from "./objects-check.ts";
import { createOpenLogs } from "./open-logs.ts";
import { createLogSearch } from "./search/service.ts";
import { createLogService } from "./service.ts";
import { createTicketService } from "./tickets.ts";

export function createLogs(config: Config, platform: Platform) {
  const { db, objects, logger, metrics, instanceKeys } = platform;
  const logs = createLogService({ db, objects, logger, registry: metrics });
  const logSearch = createLogSearch({ ...platform, logs });
  return {
    logs,
    logSearch,
    logLifecycle: joinLifecycles([
      { close: () => logSearch.close() },
      { start: () => logs.mover.start(), close: () => logs.close() },
    ]),
    logObjects: createLogObjectsCheck({ db, objects }),
    logTickets: createTicketService(db, instanceKeys.signer("log_ticket")),
    openLogs: createOpenLogs(config.openLogs, metrics),
  };
}
