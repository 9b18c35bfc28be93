/** Reports of a job: from the file to its plan. */
import type { FileReports } from "@forgeline/schemas/pipeline-file/file-reports.ts";
import type { PlanJob } from "@forgeline/schemas/pipeline-file/plan.ts";

/** Nothing where there are none, as in plans of earlier runs. */
export function planReports(written: FileReports | undefined): Pick<PlanJob, "reports"> {
  const kinds = Object.entries(written ?? {}).filter(([, paths]) => paths !== undefined);
  if (kinds.length === 0) return {};
  return { reports: Object.fromEntries(kinds.map(([kind, paths]) => [kind, [paths].flat()])) };
}
