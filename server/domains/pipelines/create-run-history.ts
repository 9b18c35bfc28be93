/** What is read, and mended, of runs as they went, and how long they are kept. */
import type { Config } from "../../config/config.ts";
import type { Platform } from "../../platform/platform.ts";
import { createRetention } from "./retention/create-retention.ts";
import { createRunRecovery } from "./runs/recover-run.ts";
import { createBadges } from "./badges/service.ts";
import { createRunStatistics } from "./run-statistics/service.ts";
import { createRunExport } from "./runs/export-runs.ts";
import { createOrganizationExport } from "./runs/export-organization.ts";
import { createTracedRuns } from "./runs/traced-run.ts";
import { createJobKeeping } from "./runs/keep-open.ts";
import type { CoverageService } from "./reports/coverage-service.ts";
import type { ForkApprovals } from "./merge-request-runs/fork-approvals.ts";

interface OfHistory {
  coverage: Pick<CoverageService, "list">;
  forkApprovals: ForkApprovals;
}

export function createRunHistory({ retention }: Config, platform: Platform, of: OfHistory) {
  const { db, addresses } = platform;
  return {
    ...createRetention({ ...platform, instance: retention }),
    runRescue: createRunRecovery(db, of.forkApprovals),
    badges: createBadges(db, of.coverage),
    runStatistics: createRunStatistics({ db }),
    runExport: createRunExport({ db, addresses }),
    organizationExport: createOrganizationExport({ db, addresses }),
    tracedRuns: createTracedRuns({ db, addresses }),
    jobKeeping: createJobKeeping(db),
  };
}
