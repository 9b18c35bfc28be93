/**
 * Compares the objects of repositories with object storage, as after a restore. The store is authoritative: an object is named
 * by its hash, and its key by its repository, so one without a row is recorded again. To be called while nobody uploads; may be
 * cut off, and run again.
 */
import { createHash } from "node:crypto";
import type { Database, Queryable } from "../../../platform/db/database.ts";
import type { ObjectStore } from "../../../platform/objects/object-store.ts";
import { objectKey, objectPrefix } from "./object-key.ts";
import {
  deleteObjects,
  findAll,
  findNamed,
  putStored,
  type NamedRepository,
  type WantedObject,
} from "./lfs.store.ts";

export interface LfsDifference {
  /** For example `ada/hello`. */
  repository: string;
  /** Ids of objects that are not in storage: they are removed from the repository, and requested at the next upload. */
  lost: string[];
  /** Ids of objects that had no row: they are recorded as the repository's again. */
  found: string[];
}

export interface LfsObjectsCheck {
  /** Where rows and objects differed; they agree when it ends. `removed` objects were of no repository, or not what their key says. */
  compare(): Promise<{ differences: LfsDifference[]; removed: number }>;
}

export interface LfsObjectsCheckDeps {
  db: Database;
  objects: ObjectStore;
  /** To be called in the transaction that changed a repository's size. */
  measure(tx: Queryable, repositoryId: string): Promise<void>;
}

export function createLfsObjectsCheck({ db, objects, measure }: LfsObjectsCheckDeps): LfsObjectsCheck {
  async function idsInStorage(): Promise<Set<string>> {
    const ids = new Set<string>();
    for await (const { key } of objects.list("lfs/")) ids.add(key.split("/")[1] ?? "");
    return ids;
  }

  async function remove(keys: Iterable<string>): Promise<number> {
    let removed = 0;
    for (const key of keys) {
      await objects.delete(key);
      removed += 1;
    }
    return removed;
  }

  async function compareOne({ id, fullName }: NamedRepository) {
    const sizes = await sizesOf(objects, id);
    const rows = await findAll(db, id);
    const lost = new Set<string>();
    for (const { oid, size_bytes: sizeBytes, stored } of rows) {
      const key = objectKey(id, oid);
      if (stored && sizes.get(key) !== sizeBytes) lost.add(oid);
      else sizes.delete(key);
    }
    const found: WantedObject[] = [];
    for (const key of sizes.keys()) {
      const object = await identify(objects, id, key);
      if (!object) continue;
      found.push(object);
      sizes.delete(key);
    }
    if (lost.size + found.length > 0)
      await db.transaction(async (tx) => {
        await deleteObjects(tx, id, [...lost]);
        await putStored(tx, id, found);
        await measure(tx, id);
      });
    const difference = { repository: fullName, lost: [...lost], found: found.map(({ oid }) => oid) };
    return { difference, removed: await remove(sizes.keys()) };
  }

  return {
    async compare() {
      const differences: LfsDifference[] = [];
      let removed = 0;
      const ids = await idsInStorage();
      for (const repository of await findNamed(db, [...ids])) {
        const outcome = await compareOne(repository);
        removed += outcome.removed;
        const { lost, found } = outcome.difference;
        if (lost.length + found.length > 0) differences.push(outcome.difference);
        ids.delete(repository.id);
      }
      for (const id of ids) removed += await remove((await sizesOf(objects, id)).keys());
      return { differences, removed };
    },
  };
}

/** The size of each object of the repository by its key. */
async function sizesOf(objects: ObjectStore, repositoryId: string): Promise<Map<string, number>> {
  const sizes = new Map<string, number>();
  for await (const { key, sizeBytes } of objects.list(objectPrefix(repositoryId))) sizes.set(key, sizeBytes);
  return sizes;
}

/** Undefined for bytes that do not match the key. */
async function identify(
  objects: ObjectStore,
  repositoryId: string,
  key: string,
): Promise<WantedObject | undefined> {
  const hash = createHash("sha256");
  let sizeBytes = 0;
  for await (const part of (await objects.get(key)) as AsyncIterable<Buffer>) {
    hash.update(part);
    sizeBytes += part.length;
  }
  const oid = hash.digest("hex");
  return objectKey(repositoryId, oid) === key ? { oid, sizeBytes } : undefined;
}
