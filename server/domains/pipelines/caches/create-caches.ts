/** Wires for caches: what jobs restore and save, what people see, and upkeep. */
import type { CacheLimits } from "../../../config/caches.ts";
import type { Database } from "../../../platform/db/database.ts";
import type { Metrics } from "../../../platform/metrics.ts";
import type { ObjectStore } from "../../../platform/objects/object-store.ts";
import { createCacheCleanup, removeCaches } from "./cleanup.ts";
import { createJobCaches } from "./job-caches.ts";
import { createCacheMetrics } from "./metrics.ts";
import type { CacheAddresses } from "./present.ts";
import { createCacheService } from "./service.ts";

export function createCaches(deps: {
  db: Database;
  objects: ObjectStore;
  metrics: Metrics;
  addresses: CacheAddresses;
  limits: CacheLimits;
}) {
  const { db, objects, limits, addresses } = deps;
  const metrics = createCacheMetrics(deps.metrics);
  return {
    caches: createCacheService({ db, addresses, metrics }),
    jobCaches: createJobCaches({ db, objects, limits, metrics }),
    cacheCleanup: createCacheCleanup({ db, objects, limits, metrics }),
    removeCaches: (repositoryId: string) => removeCaches(objects, repositoryId),
  };
}
