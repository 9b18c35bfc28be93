/** Git LFS of an instance: batches, transfers, locks, quotas, and the tokens by which SSH hands over. */
import type { Database } from "../../../platform/db/database.ts";
import type { InstanceKeys } from "../../../platform/keys/instance-keys.ts";
import type { Git } from "../../../platform/git/processes/run-git.ts";
import type { LfsLimits } from "../../../config/lfs.ts";
import type { Logger } from "../../../platform/logger.ts";
import type { Metrics } from "../../../platform/metrics.ts";
import type { Periods } from "../../../config/periods.ts";
import type { ObjectStore } from "../../../platform/objects/object-store.ts";
import type { Authorizer, RepositoryRef } from "../../policy/domain.ts";
import { createLfsActions } from "./actions.ts";
import { createLfsAdmission, type LfsAdmissionDeps } from "./admission.ts";
import { createLfsBatch } from "./batch.ts";
import { copyLfsObjects } from "./copy.ts";
import { createLfsCleanup, removeLfsContent } from "./cleanup.ts";
import { createLfsLinks } from "./link.ts";
import { createLfsLocks } from "./locks.ts";
import { createLfsMetrics } from "./metrics.ts";
import { createOwnerQuotas } from "./owner-quotas.ts";
import { createLfsQuota } from "./quota.ts";
import { linkSeconds } from "./expiry.ts";
import { findObjects, hasStored, type WantedObject } from "./lfs.store.ts";
import { findReachablePointers, type Reach } from "./reachable.ts";
import { createLfsTokens, type LfsGrant } from "./token.ts";
import { createLfsTransfers, type LfsTransferDeps } from "./transfers.ts";
import { createLfsUploads } from "./uploads.ts";

export type Lfs = ReturnType<typeof createLfs>;

export interface LfsDeps {
  db: Database;
  git: Pick<Git, "run" | "start">;
  objects: ObjectStore;
  config: { lfs: LfsLimits; periods: Pick<Periods, "keepUploadMs"> };
  instanceKeys: Pick<InstanceKeys, "signer">;
  addresses: { webUrl: string };
  authorizer: Authorizer;
  pushRights: LfsAdmissionDeps["pushRights"];
  resumeActor: LfsAdmissionDeps["resumeActor"];
  logger: Logger;
  metrics: Metrics;
  storageMeter: { mark: LfsTransferDeps["measure"] };
}

export function createLfs(deps: LfsDeps) {
  const { db, objects, logger } = deps;
  const { webUrl } = deps.addresses;
  const { lfs: limits, periods } = deps.config;
  const signer = deps.instanceKeys.signer("lfs");
  const [links, tokens] = [createLfsLinks(signer), createLfsTokens(signer)];
  const quota = createLfsQuota(limits);
  const metrics = createLfsMetrics(deps.metrics);
  const measure = deps.storageMeter.mark;
  const uploads = createLfsUploads({ db, limits, metrics, logger, periods });
  const transfers = createLfsTransfers({ db, objects, logger, quota, uploads, metrics, measure });
  const actions = createLfsActions({ webUrl, links, objects, limits });
  return {
    admission: createLfsAdmission({ ...deps, links, tokens }),
    transfers,
    batch: createLfsBatch({ db, limits, quota, transfers, actions }),
    locks: createLfsLocks({ db }),
    cleanup: createLfsCleanup({ db, objects }),
    ownerQuotas: createOwnerQuotas({ db, quotaBytes: limits.quotaBytes }),
    requireRoom: quota.requireRoom,
    /** Objects that commits of the repository stand for; none where it has no objects at all. */
    async findReachable(repositoryId: string, reach: Reach): Promise<WantedObject[]> {
      return (await hasStored(db, repositoryId)) ? findReachablePointers(deps.git, reach) : [];
    },
    /** Those that the repository does not have. */
    async findMissing(repositoryId: string, wanted: readonly WantedObject[]): Promise<WantedObject[]> {
      const oids = wanted.map(({ oid }) => oid);
      const known = await findObjects(db, repositoryId, oids);
      const stored = new Set(known.filter((row) => row.stored).map(({ oid }) => oid));
      return wanted.filter(({ oid }) => !stored.has(oid));
    },
    copyObjects: (from: string, to: string) => copyLfsObjects({ db, objects, quota }, from, to),
    removeContent: (repositoryId: string) => removeLfsContent(objects, repositoryId),
    /** What `git-lfs-authenticate` answers, for an actor who may do this there. */
    handOver(repository: RepositoryRef, grant: Omit<LfsGrant, "repositoryId">) {
      const token = tokens.issue({ ...grant, repositoryId: repository.id });
      return {
        href: `${webUrl}/${repository.owner}/${repository.name}.git/info/lfs`,
        header: { Authorization: `Bearer ${token}` },
        expires_in: linkSeconds,
      };
    },
  };
}
