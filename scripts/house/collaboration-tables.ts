/** Whose tables of the domain `collaboration` are; part of `table-owners.ts`. */
import { only, type TableRule } from "./table-rule.ts";

export const collaborationTables: Readonly<Record<string, Readonly<Record<string, TableRule>>>> = {
  "domains/collaboration/labels": {
    labels: only,
  },
  "domains/collaboration/milestones": {
    milestones: only,
  },
  "domains/collaboration/viewed-files": {
    merge_request_looks: only,
    merge_request_viewed_files: only,
  },
  "domains/collaboration/suggestions": {
    applied_suggestions: only,
  },
};
