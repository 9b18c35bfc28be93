/** `permissions` of a job in the plan. */
import {
  defaultJobPermissions,
  jobPermissions,
  type JobPermission,
} from "@forgeline/schemas/pipeline-file/file-permissions.ts";
import type { PlanJob } from "@forgeline/schemas/pipeline-file/plan.ts";

/** Each once, in one order. */
export function planPermissions(
  permissions: readonly JobPermission[] | undefined,
): Pick<PlanJob, "permissions"> {
  if (permissions === undefined) return {};
  return { permissions: jobPermissions.filter((one) => permissions.includes(one)) };
}

/** What the job's token is to have, also where the file says nothing. */
export function permissionsOf({ permissions }: Pick<PlanJob, "permissions">): readonly JobPermission[] {
  return permissions ?? defaultJobPermissions;
}
