/** What is wrong with the reports of jobs. */
import { checkPatterns } from "./check-artifacts.ts";
import type { FileModel } from "./file-model.ts";
import type { Report } from "./report.ts";
import type { MapNode } from "./tree.ts";

export function checkReports(model: FileModel, tree: MapNode, report: Report): void {
  for (const { path, job } of model.jobs)
    for (const [kind, paths] of Object.entries(job.reports ?? {})) {
      const place = [...path, "reports", kind];
      checkPatterns(paths ?? [], { path: place, mayBeEmpty: false, code: "P122" }, { tree, report });
    }
}
