/** Both backends of object storage keep the same promise: a directory, and S3 as versitygw speaks it. */
import { createHash } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createFileStore } from "@forgeline/server/platform/objects/file-store.ts";
import { ObjectNotFound, type ObjectStore } from "@forgeline/server/platform/objects/object-store.ts";
import { createS3Store } from "@forgeline/server/platform/objects/s3-store.ts";
import { eventually } from "../support/eventually.ts";
import { s3Keys, startS3Gateway } from "../support/s3-gateway.ts";

interface Backend {
  store: ObjectStore;
  stop(): Promise<void>;
}

async function fileBackend(): Promise<Backend> {
  const directory = await mkdtemp(join(tmpdir(), "forgeline-objects-"));
  const store = createFileStore(directory);
  return { store, stop: () => rm(directory, { recursive: true, force: true }) };
}

async function s3Backend(): Promise<Backend> {
  const { endpoint, bucket, stop } = await startS3Gateway();
  const store = createS3Store({
    endpoint,
    region: "us-east-1",
    bucket,
    prefix: "forgeline/",
    credentials: s3Keys,
  });
  await eventually(
    async () => {
      await store.check();
      return true;
    },
    { timeoutMs: 40_000 },
  );
  return {
    store,
    async stop() {
      store.close();
      await stop();
    },
  };
}

const backends: [string, () => Promise<Backend>][] = [
  ["directory", fileBackend],
  ["s3", s3Backend],
];

describe.each(backends)("object store: %s", (name, start) => {
  let backend: Backend;
  let store: ObjectStore;
  beforeAll(async () => {
    backend = await start();
    store = backend.store;
  });
  afterAll(() => backend.stop());

  const keys = async (prefix: string) => {
    const found: string[] = [];
    for await (const object of store.list(prefix)) found.push(object.key);
    return found.sort();
  };

  it("gives back what was put, whole and in ranges", async () => {
    const body = Buffer.from("0123456789");
    await expect(store.put("logs/a/one", body)).resolves.toEqual({ key: "logs/a/one", sizeBytes: 10 });
    expect(await store.read("logs/a/one")).toEqual(body);
    expect((await store.read("logs/a/one", { start: 2, end: 5 })).toString()).toBe("234");
    expect((await store.read("logs/a/one", { start: 8, end: 10 })).toString()).toBe("89");
    expect((await store.read("logs/a/one", { start: 4, end: 4 })).toString()).toBe("");
    expect(await store.head("logs/a/one")).toEqual({ key: "logs/a/one", sizeBytes: 10 });
  });

  it("takes streams of unknown length, also long ones and empty ones", async () => {
    const part = Buffer.alloc(1024 * 1024, "x");
    const sent = await store.put("logs/b/long", Readable.from(Array.from({ length: 12 }, () => part)));
    expect(sent.sizeBytes).toBe(12 * part.length);
    expect((await buffer(await store.get("logs/b/long"))).equals(Buffer.concat(Array(12).fill(part)))).toBe(
      true,
    );
    await store.put("logs/b/empty", Readable.from([]));
    expect((await store.read("logs/b/empty")).length).toBe(0);
    await store.put("logs/b/nothing", Buffer.alloc(0));
    expect((await store.read("logs/b/nothing")).length).toBe(0);
  });

  it("replaces an object as a whole", async () => {
    await store.put("logs/c/same", Buffer.from("a longer first version"));
    await store.put("logs/c/same", Buffer.from("second"));
    expect((await store.read("logs/c/same")).toString()).toBe("second");
  });

  it("shows nothing of a put whose source failed", async () => {
    const failing = Readable.from(
      (async function* () {
        yield Buffer.alloc(6 * 1024 * 1024);
        throw new Error("source failed");
      })(),
    );
    await expect(store.put("logs/d/broken", failing)).rejects.toThrow("source failed");
    expect(await store.head("logs/d/broken")).toBeUndefined();
    expect(await keys("logs/d/")).toEqual([]);
  });

  it("says that an object is absent", async () => {
    await expect(store.read("logs/e/none")).rejects.toThrow(ObjectNotFound);
    await expect(store.get("logs/e/none", { start: 0, end: 1 })).rejects.toThrow(ObjectNotFound);
    expect(await store.head("logs/e/none")).toBeUndefined();
    await expect(store.delete("logs/e/none")).resolves.toBeUndefined();
  });

  it("lists what starts with a prefix, and only that", async () => {
    for (const key of ["logs/f/1", "logs/f/2", "logs/f/deep/3", "logs/ff/4"])
      await store.put(key, Buffer.from("x"));
    expect(await keys("logs/f/")).toEqual(["logs/f/1", "logs/f/2", "logs/f/deep/3"]);
    await store.delete("logs/f/1");
    expect(await keys("logs/f/")).toEqual(["logs/f/2", "logs/f/deep/3"]);
    expect(await keys("logs/absent/")).toEqual([]);
  });

  it("lists more than a page of a thousand", async () => {
    await Promise.all(Array.from({ length: 1005 }, (_, i) => store.put(`logs/g/${i}`, Buffer.from("x"))));
    expect((await keys("logs/g/")).length).toBe(1005);
  });

  it("removes no draft of a writer that lives", async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    async function* slowly() {
      yield Buffer.from("a");
      await promise;
      yield Buffer.from("b");
    }
    const written = store.put("logs/h/1", Readable.from(slowly(), { objectMode: false }));
    expect(await store.removeDrafts(60_000)).toBe(0);
    resolve();
    await written;
    expect((await store.read("logs/h/1")).toString()).toBe("ab");
  });

  it("signs addresses that are good for one use of one object, where it can", async () => {
    const { direct } = store;
    expect(direct === undefined).toBe(name === "directory");
    if (!direct) return;
    const sha256 = createHash("sha256").update("hello").digest("hex");
    const { href, headers } = await direct.signPut("lfs/i/1", { sizeBytes: 5, sha256 }, 60);
    const put = async (body: string, sent = headers) =>
      (await fetch(href, { method: "PUT", body, headers: sent })).status;
    for (const body of ["hellO", "hell", "hello!"]) expect([body, await put(body)]).not.toEqual([body, 200]);
    expect(await put("hello", {})).toBe(403);
    expect(await direct.inspect("lfs/i/1")).toBeUndefined();
    expect(await put("hello")).toBe(200);
    expect(await direct.inspect("lfs/i/1")).toEqual({ sizeBytes: 5, sha256 });
    const read = await direct.signGet("lfs/i/1", 60);
    expect(await (await fetch(read.href, { headers: { Range: "bytes=1-" } })).text()).toBe("ello");
    expect((await fetch(read.href, { method: "DELETE" })).status).toBe(403);
    // Without a checksum of the store's own, the bytes are read.
    await store.put("lfs/i/2", Readable.from([Buffer.from("hello")], { objectMode: false }));
    expect(await direct.inspect("lfs/i/2")).toEqual({ sizeBytes: 5, sha256 });
  });

  it.each(["../etc/passwd", "logs/../../x", "/abs", "logs//x", "logs/.hidden", "logs/a\0b", "logs/a\\b", ""])(
    "refuses the key %j",
    async (key) => {
      await expect(store.put(key, Buffer.from("x"))).rejects.toThrow("invalid object key");
      await expect(store.read(key)).rejects.toThrow("invalid object key");
    },
  );
});
