/** `environment` of a job in the plan: the short form written out. */
import type { FileEnvironment } from "@forgeline/schemas/pipeline-file/file-environment.ts";
import type { PlanEnvironment } from "@forgeline/schemas/pipeline-file/plan-environment.ts";

/** Nothing for a job that deploys nowhere. */
export function planEnvironment(
  written: FileEnvironment | undefined,
): { environment: PlanEnvironment } | Record<never, never> {
  if (written === undefined) return {};
  const { name, url } = typeof written === "string" ? { name: written, url: undefined } : written;
  return { environment: { name, url: url ?? null } };
}
