/** Finds one artifact of a run by what a person calls it. */
import { valueOf } from "../../connection/api.ts";
import { everyPage } from "../../connection/pages.ts";
import { runNotFoundText } from "../../connection/repository.ts";
import { UsageError } from "../../connection/settings.ts";
import type { CliContext } from "../../context.ts";
import { terminalSafe } from "../../output/terminal-safe.ts";
import type { Schemas } from "@forgeline/client/schemas.ts";

export type Artifact = Schemas["Artifact"];

export interface RunPath {
  owner: string;
  repo: string;
  id: string;
}

/** Of a run, in the order of its jobs. Throws `ApiError`. */
export async function artifactsOf({ api }: CliContext, path: RunPath): Promise<Artifact[]> {
  const address = "/repos/{owner}/{repo}/pipelines/{id}/artifacts";
  // With the words for a run that is not there.
  await valueOf(
    api.GET(address, { params: { path, query: { per_page: 1 } } }),
    runNotFoundText(path, path.id),
  );
  return everyPage((query) => api.GET(address, { params: { path, query } }));
}

/** By id or name; `job` is a key, label or name. Throws `UsageError` that says which there are. */
export function findArtifact(all: readonly Artifact[], wanted: string, job: string | undefined): Artifact {
  const found = all.filter(
    (one) =>
      [one.id, one.name].includes(wanted) &&
      (job === undefined || [one.job.id, one.job.key, one.job.label, one.job.name].includes(job)),
  );
  const [artifact] = found;
  if (artifact && found.length === 1) return artifact;
  const list = (some: readonly Artifact[]) =>
    terminalSafe(some.map((one) => `${one.name} of ${one.job.label}`).join(", "));
  throw new UsageError(
    artifact
      ? `"${wanted}" is ${found.length} artifacts; choose one with --job: ${list(found)}`
      : `the run has no artifact "${wanted}"; its artifacts: ${list(all) || "none"}`,
  );
}
