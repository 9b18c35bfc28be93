/** Wires for artifacts: uploads and needs of jobs, what people see, and upkeep. */
import type { ArtifactLimits } from "../../../config/artifacts.ts";
import type { Database } from "../../../platform/db/database.ts";
import type { RepositoryFiles } from "../../../platform/git/storage/repository-files.ts";
import type { Metrics } from "../../../platform/metrics.ts";
import type { ObjectStore } from "../../../platform/objects/object-store.ts";
import { createArtifactCleanup, removeArtifacts } from "./cleanup.ts";
import { createArtifactContent } from "./content.ts";
import { createArtifactMetrics } from "./metrics.ts";
import { createNeededArtifacts } from "./needed.ts";
import type { ArtifactAddresses } from "./present.ts";
import { createArtifactService } from "./service.ts";
import { createArtifactUploads } from "./uploads.ts";

export type Artifacts = ReturnType<typeof createArtifacts>;

export function createArtifacts(deps: {
  db: Database;
  objects: ObjectStore;
  files: RepositoryFiles;
  metrics: Metrics;
  addresses: ArtifactAddresses;
  limits: ArtifactLimits;
  keptDays: number | null;
}) {
  const { db, objects, limits } = deps;
  const metrics = createArtifactMetrics(deps.metrics);
  const content = createArtifactContent(objects);
  const shared = { db, objects, content, metrics };
  return {
    artifacts: createArtifactService({ ...shared, addresses: deps.addresses }),
    artifactUploads: createArtifactUploads({ ...shared, limits }),
    neededArtifacts: createNeededArtifacts(shared),
    artifactContent: content,
    artifactCleanup: createArtifactCleanup({ ...deps, metrics }),
    removeArtifacts: (repositoryId: string) => removeArtifacts(objects, repositoryId),
  };
}
