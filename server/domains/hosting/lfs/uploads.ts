/**
 * Uploads through the servers of an instance: one at a time for each object, so that it has a single draft, and a limited
 * number for each owner. The first of two continues; otherwise two clients with the same large object would interrupt each
 * other forever. It loses its place when nobody keeps it: its own server does, for as long as its client sends.
 */
import { randomUUID } from "node:crypto";
import type { Database, Transaction } from "../../../platform/db/database.ts";
import { AppError, retryLater } from "../../../platform/app-error.ts";
import type { LfsLimits } from "../../../config/lfs.ts";
import type { Logger } from "../../../platform/logger.ts";
import type { Periods } from "../../../config/periods.ts";
import type { LfsMetrics } from "./metrics.ts";
import type { WantedObject } from "./lfs.store.ts";
import * as store from "./upload.store.ts";
import type { UploadPlace } from "./upload.store.ts";

export interface LfsUploads {
  /**
   * Takes the place; to be called after `lockUse` of the repository's owner. Throws `rate_limit_exceeded` where somebody sends this
   * object, or the owner has too many uploads under way.
   */
  take(tx: Transaction, repositoryId: string, object: WantedObject): Promise<UploadPlace>;
  /** Does the work and keeps the place meanwhile. `hold` fails a stream whose place was lost, so that nothing more is written. */
  during<T>(place: UploadPlace, work: (hold: HoldStream) => Promise<T>): Promise<T>;
}

export type HoldStream = (source: AsyncIterable<Buffer>) => AsyncGenerator<Buffer>;

export interface LfsUploadDeps {
  db: Database;
  limits: Pick<LfsLimits, "uploadsAtOnce">;
  metrics: Pick<LfsMetrics, "uploads" | "uploadsRefused">;
  logger: Logger;
  periods: Pick<Periods, "keepUploadMs">;
}

/** Clients of Git LFS come back eight times: soon at first, for an upload that ends soon. */
const soonestSeconds = 5;
const latestSeconds = 30;

export function createLfsUploads(deps: LfsUploadDeps): LfsUploads {
  const { db, limits, metrics, logger, periods } = deps;

  function refuse(why: "object" | "owner", message: string, seconds: number): AppError {
    metrics.uploadsRefused.inc({ why });
    return retryLater(message, seconds);
  }

  return {
    async take(tx, repositoryId, { oid }) {
      const { ofOwner, sameForSeconds } = await store.countUploads(tx, repositoryId, oid);
      if (sameForSeconds !== null) {
        const seconds = Math.min(latestSeconds, Math.max(soonestSeconds, sameForSeconds));
        throw refuse("object", "This object is already being uploaded. Try again soon.", seconds);
      }
      if (ofOwner >= limits.uploadsAtOnce) {
        const message = `The owner of this repository has ${ofOwner} uploads in progress, which is the limit. Try again soon.`;
        throw refuse("owner", message, latestSeconds);
      }
      const place = { repositoryId, oid, holder: randomUUID() };
      await store.putUpload(tx, place);
      return place;
    },
    async during(place, work) {
      let isLost = false;
      const keep = () =>
        store.keepUpload(db, place).then(
          (kept) => (isLost ||= !kept),
          (error: Error) => logger.warn({ error: error.message }, "could not renew the slot of an upload"),
        );
      const timer = setInterval(() => void keep(), periods.keepUploadMs);
      metrics.uploads.inc();
      try {
        return await work((source) => throwWhenLost(source, () => !isLost));
      } finally {
        clearInterval(timer);
        metrics.uploads.dec();
        await store
          .deleteUpload(db, place)
          .catch((error: Error) =>
            logger.warn(
              { error: error.message },
              "could not release the slot of an upload; it expires by itself",
            ),
          );
      }
    },
  };
}

async function* throwWhenLost(source: AsyncIterable<Buffer>, isHeld: () => boolean): AsyncGenerator<Buffer> {
  for await (const part of source) {
    if (!isHeld())
      throw new AppError("unavailable", {
        message: "This upload was idle for too long, and another took its place.",
      });
    yield part;
  }
}
