/**
 * Bytes of objects: taken, checked, stored and handed out. An object belongs to a repository only after bytes that were
 * sent to this repository had been checked: by us as they came, or by the object store, which we then ask.
 */
import { Readable } from "node:stream";
import type { Database, Queryable } from "../../db/database.ts";
import { AppError } from "../../platform/app-error.ts";
import type { Logger } from "../../platform/logger.ts";
import { ObjectNotFound, type ByteRange, type ObjectStore } from "../objects/object-store.ts";
import { checkedBytes, mismatch } from "./checked-bytes.ts";
import type { LfsMetrics } from "./metrics.ts";
import { objectKey } from "./object-key.ts";
import type { LfsQuota, Reserver } from "./quota.ts";
import * as store from "./store.ts";
import type { WantedObject } from "./store.ts";
import { renewEveryMs } from "./times.ts";

export interface LfsTransfers {
  /**
   * Durable and the repository's own once resolved. Throws `validation_failed` for other bytes than announced, which leave
   * nothing behind, `quota_exceeded`, `not_found`, and what the object store throws. May run again, and beside itself.
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
  metrics: LfsMetrics;
  logger: Logger;
  /** In the transaction of what changed the size of a repository. */
  measure(tx: Queryable, repositoryId: string): Promise<void>;
}

export function createLfsTransfers(deps: LfsTransferDeps): LfsTransfers {
  const { db, objects, quota, metrics } = deps;

  async function reserve(who: Reserver, object: WantedObject): Promise<void> {
    const refused = await db.transaction((tx) => quota.reserve(tx, who, [object]));
    const problem = refused.get(object.oid);
    if (problem) throw problem;
  }

  /** Room may have run out meanwhile, and others may have taken it. */
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

  async function findStored(repositoryId: string, object: WantedObject): Promise<void> {
    const [row] = await store.findObjects(db, repositoryId, [object.oid]);
    if (!row?.stored || row.size_bytes !== object.sizeBytes) throw new AppError("not_found");
  }

  return {
    async receive(who, object, source) {
      await reserve(who, object);
      const renewal = setInterval(
        () =>
          void reserve(who, object).catch((error: Error) =>
            deps.logger.warn({ error: error.message }, "could not keep room for an upload"),
          ),
        renewEveryMs,
      );
      try {
        const body = Readable.from(checkedBytes(counted(source, metrics), object), { objectMode: false });
        await objects.put(objectKey(who.repositoryId, object.oid), body);
      } catch (error) {
        metrics.objects.inc({ outcome: "refused" });
        throw error;
      } finally {
        clearInterval(renewal);
      }
      await settle(who, object);
    },
    async confirm(who, object) {
      const { repositoryId } = who;
      const found = await objects.direct?.inspect(objectKey(repositoryId, object.oid));
      if (!found) return findStored(repositoryId, object);
      if (found.sizeBytes !== object.sizeBytes || found.sha256 !== object.oid)
        throw mismatch("The object store holds other bytes than were announced.");
      await settle(who, object);
    },
    async isThere(repositoryId, object) {
      const found = await objects.head(objectKey(repositoryId, object.oid));
      return found?.sizeBytes === object.sizeBytes;
    },
    async open(repositoryId, object, range) {
      await findStored(repositoryId, object);
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
