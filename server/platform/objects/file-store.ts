/**
 * Objects as files below one directory, spread over 256 folders by a hash of the key's directory. A file is
 * written beside its place, synced, renamed, and its directory synced: after that it survives a power cut.
 */
import { createHash, randomUUID } from "node:crypto";
import { createReadStream } from "node:fs";
import { mkdir, open, opendir, readdir, rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { buffer } from "node:stream/consumers";
import { Readable } from "node:stream";
import { syncDirectory } from "../durable-files.ts";
import { assertKey, ObjectNotFound, type ObjectInfo, type ObjectStore } from "./object-store.ts";

const temporary = ".tmp-";
/** What comes in small pieces, as from a network, is written together. */
const writtenBytes = 1024 * 1024;

export function createFileStore(root: string): ObjectStore {
  const pathOf = (key: string) => {
    assertKey(key);
    return join(root, shardOf(dirname(key)), key);
  };

  async function put(key: string, body: Uint8Array | Readable): Promise<ObjectInfo> {
    const path = pathOf(key);
    const directory = dirname(path);
    await makeDurableDirectory(directory);
    const draft = join(directory, `${temporary}${randomUUID()}`);
    try {
      const sizeBytes = await writeSynced(draft, body);
      await rename(draft, path);
      await syncDirectory(directory);
      return { key, sizeBytes };
    } catch (error) {
      await rm(draft, { force: true });
      throw error;
    }
  }

  const store: ObjectStore = {
    put,
    async get(key, range) {
      const path = pathOf(key);
      const file = await open(path).catch((error: unknown) => {
        throw isAbsent(error) ? new ObjectNotFound(key, { cause: error }) : error;
      });
      if (range && range.end <= range.start) {
        await file.close();
        return Readable.from([]);
      }
      return createReadStream(path, { fd: file, ...(range && { start: range.start, end: range.end - 1 }) });
    },
    read: async (key, range) => buffer(await store.get(key, range)),
    async head(key) {
      try {
        return { key, sizeBytes: (await stat(pathOf(key))).size };
      } catch (error) {
        if (isAbsent(error)) return undefined;
        throw error;
      }
    },
    delete: async (key) => rm(pathOf(key), { force: true }),
    async *list(prefix) {
      assertKey(prefix.replace(/\/$/, ""));
      for (const shard of await shards(root)) yield* walk(join(root, shard), prefix);
    },
    removeDrafts: (idleMs) => removeDrafts(root, Date.now() - idleMs),
    async check() {
      await put("health/check", Buffer.from("ok"));
      await store.read("health/check");
      await store.delete("health/check");
    },
    close: () => undefined,
  };
  return store;
}

/** Objects of one directory lie in one shard, so that a list finds them in one folder. */
function shardOf(directory: string): string {
  return createHash("sha256").update(directory).digest("hex").slice(0, 2);
}

async function shards(root: string): Promise<string[]> {
  try {
    return await readdir(root);
  } catch (error) {
    if (isAbsent(error)) return [];
    throw error;
  }
}

async function* walk(shard: string, prefix: string): AsyncGenerator<ObjectInfo> {
  const start = join(shard, prefix);
  const pending = [{ path: start, key: prefix.replace(/\/$/, "") }];
  for (let next = pending.pop(); next; next = pending.pop()) {
    const directory = await opendir(next.path).catch((error: unknown) => {
      if (isAbsent(error)) return undefined;
      throw error;
    });
    if (!directory) continue;
    for await (const entry of directory) {
      const key = `${next.key}/${entry.name}`;
      const path = join(next.path, entry.name);
      if (entry.isDirectory()) pending.push({ path, key });
      else if (!entry.name.startsWith(temporary)) yield { key, sizeBytes: (await stat(path)).size };
    }
  }
}

/** A draft that is still written to is younger than `before`. */
async function removeDrafts(root: string, before: number): Promise<number> {
  let removed = 0;
  for (const shard of await shards(root)) {
    const names = await readdir(join(root, shard), { recursive: true, withFileTypes: true }).catch(() => []);
    for (const entry of names) {
      if (!entry.isFile() || !entry.name.startsWith(temporary)) continue;
      const path = join(entry.parentPath, entry.name);
      const found = await stat(path).catch(() => undefined);
      if (!found || found.mtimeMs >= before) continue;
      await rm(path, { force: true });
      removed += 1;
    }
  }
  return removed;
}

async function writeSynced(path: string, body: Uint8Array | Readable): Promise<number> {
  const file = await open(path, "wx", 0o600);
  try {
    let size = 0;
    const parts: Iterable<Uint8Array> | AsyncIterable<Uint8Array> =
      body instanceof Uint8Array ? [body] : body;
    for await (const piece of inPieces(parts)) {
      await file.appendFile(piece);
      size += piece.length;
    }
    await file.datasync();
    return size;
  } finally {
    await file.close();
  }
}

async function* inPieces(
  parts: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  let small: Uint8Array[] = [];
  let size = 0;
  for await (const part of parts) {
    small.push(part);
    size += part.length;
    if (size < writtenBytes) continue;
    yield small.length === 1 ? part : Buffer.concat(small, size);
    [small, size] = [[], 0];
  }
  if (size > 0) yield Buffer.concat(small, size);
}

async function makeDurableDirectory(directory: string): Promise<void> {
  const first = await mkdir(directory, { recursive: true, mode: 0o700 });
  // Every directory that was new has to be named durably by the one above it.
  for (let made: string = directory; first && made.length >= first.length; made = dirname(made))
    await syncDirectory(dirname(made));
}

function isAbsent(error: unknown): boolean {
  const code = (error as NodeJS.ErrnoException).code;
  return code === "ENOENT" || code === "ENOTDIR";
}
