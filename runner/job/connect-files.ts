/** Connects a job to the server that leased it, for the files that it brings and fetches. */
import { jobArtifactsPath } from "@forgeline/schemas/artifacts/job-messages.ts";
import { cacheUploadsPath, jobCachesPath } from "@forgeline/schemas/caches/job-messages.ts";
import type { LeaseSpec } from "@forgeline/schemas/runner-protocol/lease.ts";
import { openArtifactConnection, type ArtifactConnection } from "../artifacts/artifact-connection.ts";
import type { KeptParts } from "../artifacts/kept-parts.ts";
import { reachedAt } from "../config.ts";
import type { JobSettings } from "./job-context.ts";

const basePaths = { artifacts: jobArtifactsPath, caches: jobCachesPath, cacheUploads: cacheUploadsPath };

export function connectFiles(
  { clone, token }: Pick<LeaseSpec, "clone" | "token">,
  kind: keyof typeof basePaths,
  settings: Pick<JobSettings, "serverUrl" | "caFile" | "hostEnv"> & { kept?: KeptParts | undefined },
): ArtifactConnection {
  const { serverUrl, caFile, hostEnv: baseEnv, kept } = settings;
  const { origin } = new URL(reachedAt(clone.url, serverUrl));
  return openArtifactConnection({
    serverUrl: origin,
    token,
    caFile,
    baseEnv,
    basePath: basePaths[kind],
    ...(kept && { kept }),
  });
}
