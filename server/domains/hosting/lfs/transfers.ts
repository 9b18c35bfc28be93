/**
 * Uploads and downloads of objects. An object belongs to a repository only after the bytes sent to this repository were
 * verified: by us during the upload, or by the object store, which we then ask.
 */
import { Readable } from "node:stream";
import type { Database, Queryable } from "../../../platform/db/database.ts";
import { AppError } from "../../../platform/app-error.ts";
import type { Logger } from "../../../platform/logger.ts";
import { ObjectNotFound, type ByteRange, type ObjectStore } from "../../../platform/objects/object-store.ts";
import { checkedBytes, mismatch } from "./verified-stream.ts";
import type { LfsMetrics } from "./metrics.ts";
import { objectKey } from "./object-key.ts";
import type { LfsQuota, Reserver } from "./quota.ts";
import * as store from "./lfs.store.ts";
import type { WantedObject } from "./lfs.store.ts";
import type { UploadPlace } from "./upload.store.ts";
import type { LfsUploads } from "./uploads.ts";

export interface LfsTransfers {
  /**
   * When it resolves, the object is durable and belongs to the repository. Throws `validation_failed` for other bytes than
   * announced, which leave nothing behind, `quota_exceeded`, `rate_limit_exceeded` while the same object is on its way,
   * `not_found`, and what the object store throws. May run again: what is stored is not written a second time.
   */
  receive(who: Reserver, object: WantedObject, source: AsyncIterable<Buffer>): Promise<void>;
  /** The same for bytes that went straight to the object store: throws `not_found` when it has none. May run again. */
  confirm(who: Reserver, object: WantedObject): Promise<void>;
  /** Whether the store has what the database says. */
  isThere(repositoryId: string, object: WantedObject): Promise<boolean>;
  /** Throws `not_found` for what the repository does not have. */
  open(repositoryId: string, object: WantedObject, range?: ByteRange): Promise<Readable>;
}

export interface LfsTransferDeps {
  db: Database;
  objects: ObjectStore;
  quota: LfsQuota;
  uploads: LfsUploads;
  metrics: LfsMetrics;
  logger: Logger;
  /** In the transaction of what changed the size of a repository. */
  measure(tx: Queryable, repositoryId: string): Promise<void>;
}

export function createLfsTransfers(deps: LfsTransferDeps): LfsTransfers {
  const { db, objects, quota, uploads, metrics } = deps;

  /** Takes the place and the room together, or neither. */
  function begin(who: Reserver, object: WantedObject): Promise<UploadPlace> {
    return db.transaction(async (tx) => {
      const problem = (await quota.reserve(tx, who, [object])).get(object.oid);
      if (problem) throw problem;
      return uploads.take(tx, who.repositoryId, object);
    });
  }

  /** The reservation may have expired, and others may have taken the room. */
  async function settle(who: Reserver, object: WantedObject): Promise<void> {
    const { repositoryId } = who;
    const problem = await db.transaction(async (tx) => {
      const refused = (await quota.reserve(tx, who, [object])).get(object.oid);
      if (refused) {
        await objects.delete(objectKey(repositoryId, object.oid));
        await store.deleteObject(tx, repositoryId, object.oid);
        return refused;
      }
      await store.markStored(tx, repositoryId, object.oid);
      await deps.measure(tx, repositoryId);
      return undefined;
    });
    metrics.objects.inc({ outcome: problem ? "refused" : "stored" });
    if (problem) throw problem;
  }

  async function isThere(repositoryId: string, object: WantedObject): Promise<boolean> {
    const found = await objects.head(objectKey(repositoryId, object.oid));
    return found?.sizeBytes === object.sizeBytes;
  }

  async function isRecorded(repositoryId: string, object: WantedObject): Promise<boolean> {
    const [row] = await store.findObjects(db, repositoryId, [object.oid]);
    return row?.stored === true && row.size_bytes === object.sizeBytes;
  }

  async function isKept(repositoryId: string, object: WantedObject): Promise<boolean> {
    return (await isRecorded(repositoryId, object)) && (await isThere(repositoryId, object));
  }

  /**
   * Bytes of an object that is already stored are only verified: an address can be used repeatedly, which must not use up the
   * disk.
   */
  async function keep(repositoryId: string, object: WantedObject, source: AsyncIterable<Buffer>) {
    const bytes = checkedBytes(counted(source, metrics), object);
    if (await isKept(repositoryId, object)) for await (const _ of bytes);
    else await objects.put(objectKey(repositoryId, object.oid), Readable.from(bytes, { objectMode: false }));
  }

  return {
    async receive(who, object, source) {
      const place = await begin(who, object);
      await uploads.during(place, async (hold) => {
        await keep(who.repositoryId, object, hold(source)).catch((error: unknown) => {
          metrics.objects.inc({ outcome: "refused" });
          throw error;
        });
        await settle(who, object);
      });
    },
    async confirm(who, object) {
      const { repositoryId } = who;
      // Checked before the store is asked, which may read the whole object: a confirmation can be sent repeatedly.
      if (await isKept(repositoryId, object)) return;
      const found = await objects.direct?.inspect(objectKey(repositoryId, object.oid));
      if (!found) throw new AppError("not_found");
      if (found.sizeBytes !== object.sizeBytes || found.sha256 !== object.oid)
        throw mismatch("The bytes in the object store differ from the announced object.");
      await settle(who, object);
    },
    isThere,
    async open(repositoryId, object, range) {
      if (!(await isRecorded(repositoryId, object))) throw new AppError("not_found");
      try {
        const stream = await objects.get(objectKey(repositoryId, object.oid), range);
        metrics.objects.inc({ outcome: "handed_out" });
        metrics.bytes.inc({ direction: "out" }, range ? range.end - range.start : object.sizeBytes);
        return stream;
      } catch (error) {
        if (!(error instanceof ObjectNotFound)) throw error;
        deps.logger.error({ repository_id: repositoryId }, "the object store lost a Git LFS object");
        throw new AppError("not_found", { cause: error });
      }
    },
  };
}

async function* counted(source: AsyncIterable<Buffer>, metrics: LfsMetrics): AsyncGenerator<Buffer> {
  for await (const part of source) {
    metrics.bytes.inc({ direction: "in" }, part.length);
    yield part;
  }
}
