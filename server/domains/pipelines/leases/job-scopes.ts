/** What the token of a job may do: what its file asks for, as far as its run is trusted and its repository allows. Pure. */
import type { PlanJob } from "@forgeline/schemas/pipeline-file/plan.ts";
import type { JobPermission } from "@forgeline/schemas/pipeline-file/file-permissions.ts";
import { permissionsOf } from "@forgeline/compiler/build-permissions.ts";
import { withoutWrite, type RunBehindJob } from "../runs/source-trust.ts";

export interface JobScopes {
  scopes: JobPermission[];
  /** Why they are fewer than the file asks for, as a sentence; null: they are not. */
  limit: string | null;
}

const reading: Readonly<Record<JobPermission, JobPermission>> = {
  "repo:read": "repo:read",
  "repo:write": "repo:read",
  "pipeline:read": "pipeline:read",
  "pipeline:write": "pipeline:read",
};

export function jobScopes(job: Pick<PlanJob, "permissions">, run: RunBehindJob): JobScopes {
  const asked = permissionsOf(job);
  const limit = withoutWrite(run);
  if (limit === null || !asked.some((scope) => scope.endsWith(":write")))
    return { scopes: [...asked], limit: null };
  return { scopes: [...new Set(asked.map((scope) => reading[scope]))], limit };
}
