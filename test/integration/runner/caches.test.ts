/**
 * Caches between a runner's own code and a server: straight to and from an object store of S3, and through the server with files.
 * What a runner has kept is not fetched again.
 */
import { randomBytes } from "node:crypto";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { partBytes } from "@forgeline/schemas/artifacts/limits.ts";
import { cacheUploadsPath, jobCachesPath } from "@forgeline/schemas/caches/job-messages.ts";
import {
  openArtifactConnection,
  type ArtifactConnection,
} from "@forgeline/runner/artifacts/artifact-connection.ts";
import { openKeptParts, type KeptParts } from "@forgeline/runner/artifacts/kept-parts.ts";
import { compressed, decompressed } from "@forgeline/runner/caches/compression.ts";
import { readArchive } from "@forgeline/runner/caches/cache-snapshot.ts";
import { openCacheUploads, type CacheUploads } from "@forgeline/runner/caches/cache-uploads.ts";
import {
  beginCache,
  fetchCache,
  handOverCache,
  lookUpCache,
  sendCache,
} from "@forgeline/runner/caches/transfer-cache.ts";
import { findCache } from "@forgeline/runner/job/find-cache.ts";
import type { SetupLog } from "@forgeline/runner/logs/setup-log.ts";
import { pino } from "pino";
import type { ApiServer } from "../../support/api-server.ts";
import { eventually } from "../../support/eventually.ts";
import { endJob, jobAtWork, type JobAtWork } from "../../support/job-artifacts.ts";
import { planCache } from "../../support/job-caches.ts";
import { startLfsServer } from "../../support/lfs-server.ts";
import { insertRun } from "../../security/access-matrix/places.ts";

const { signal } = new AbortController();
const logger = pino({ level: "silent" });

describe.each(["file", "s3"] as const)("with a store of kind %s", (store) => {
  let server: ApiServer;
  let directory: string;
  let at: { pipelineId: string; repositoryId: string };
  // Does not compress, and ends in the third part.
  const bytes = randomBytes(2 * partBytes + 1000);

  async function* source() {
    yield bytes.subarray(0, 100);
    yield bytes.subarray(100);
  }

  beforeAll(async () => {
    server = await startLfsServer(store);
    const ada = await server.person("ada");
    const { json } = await server.api("POST", "/repos", { token: ada.token, body: { name: "app" } });
    const repositoryId = json.id as string;
    const run = { repositoryId, userId: ada.id, number: 1, status: "success" } as const;
    at = { repositoryId, pipelineId: await insertRun(server, run) };
    directory = await mkdtemp(join(tmpdir(), "forgeline-caches-"));
  });
  afterAll(async () => {
    await server?.stop();
    await rm(directory, { recursive: true, force: true });
  });

  /** Notes where parts come from and go to. */
  function connect(
    { token }: Pick<JobAtWork, "token">,
    kept?: KeptParts,
    basePath = jobCachesPath,
  ): ArtifactConnection & { moved: string[] } {
    const moved: string[] = [];
    const { webUrl: serverUrl, caFile } = server;
    const settings = { serverUrl, token, caFile, baseEnv: {}, basePath };
    const connection = openArtifactConnection({ ...settings, ...(kept && { kept }) });
    const note = (what: string, direct: object | null) =>
      moved.push(`${what} ${direct === null ? "server" : "store"}`);
    return {
      ...connection,
      moved,
      put(place, part, within) {
        note("put", place.direct);
        return connection.put(place, part, within);
      },
      get(place, maxBytes, within) {
        note("get", place.direct);
        return connection.get(place, maxBytes, within);
      },
    };
  }

  async function restore(connection: ArtifactConnection): Promise<Buffer | null> {
    const { found } = await lookUpCache({ connection, signal }, { position: 0, key: "k", restore: [] });
    return found && buffer(decompressed(fetchCache({ connection, signal }, found)));
  }

  test("one is saved, restored, and restored again from what the runner has kept", async () => {
    const through = store === "s3" ? "store" : "server";
    const cache = [planCache("k")];
    const saving = connect(await jobAtWork(server, { ...at, cache }));
    expect(await restore(saving)).toBeNull();
    const { id } = await beginCache({ connection: saving, signal }, { position: 0, key: "k" });
    const sent = await sendCache({ connection: saving, signal }, id ?? "", compressed(source()));
    expect(sent.saved).toBe(true);
    expect(saving.moved).toEqual(Array.from({ length: 3 }, () => `put ${through}`));
    saving.close();

    const job = await jobAtWork(server, { ...at, key: "later", cache });
    const kept = await openKeptParts({ directory: join(directory, "kept"), maxBytes: 1e9, minFreeBytes: 0 });
    const first = connect(job, kept);
    expect((await restore(first))?.equals(bytes)).toBe(true);
    expect(first.moved).toEqual(Array.from({ length: 3 }, () => `get ${through}`));
    first.close();
    const second = connect(job, kept);
    expect((await restore(second))?.equals(bytes)).toBe(true);
    expect(second.moved).toEqual([]);
    second.close();
  });

  test("one is sent while its job goes on; a job here takes it from the disk, one elsewhere waits", async () => {
    const cache = [planCache("later")];
    const job = await jobAtWork(server, { ...at, key: "saving", cache });
    const connection = connect(job);
    const room = { directory: join(directory, "uploads"), maxBytes: bytes.length, minFreeBytes: 0 };
    const uploads = await openCacheUploads(room);
    const wanted = { position: 0, key: "later", restore: [] };
    const { id } = await beginCache({ connection, signal }, { position: 0, key: "later" });
    const snapshot = await uploads.take(id ?? "", { pieces: source() });
    expect(snapshot).toMatchObject({ isWhole: true, sizeBytes: bytes.length });
    const { token, for_ms: forMs } = await handOverCache({ connection, signal }, id ?? "");
    connection.close();
    const kept = await openKeptParts({ directory: join(directory, "sent"), maxBytes: 1e9, minFreeBytes: 0 });
    const sending = connect({ ...job, token }, kept, cacheUploadsPath);
    const gate = Promise.withResolvers<void>();
    let announced = 0;
    const held: ArtifactConnection = {
      ...sending,
      // The first part comes after others.
      async ask(path, question) {
        if ("number" in question.body && question.body.number === 0) await gate.promise;
        const answer = await sending.ask(path, question);
        announced += 1;
        return answer;
      },
      put: (...put: Parameters<typeof sending.put>) => gate.promise.then(() => sending.put(...put)),
    };
    uploads.send({ id: id ?? "", key: "later", snapshot, connection: held, forMs, stopped: signal, logger });
    await endJob(server, job, []);

    const lines: string[] = [];
    const find = async (of: CacheUploads | null) => {
      const asking = connect(await jobAtWork(server, { ...at, key: "asking", cache }));
      const setup = { line: (text: string) => lines.push(text) } as unknown as SetupLog;
      const found = await findCache(
        { setup, ...(of && { uploads: of }) },
        { connection: asking, signal },
        wanted,
      );
      return { found, asking };
    };
    await eventually(() => announced > 0);
    const here = await find(uploads);
    const elsewhere = find(null);
    await eventually(() => lines.length > 0);
    expect(lines).toEqual([expect.stringContaining("Cache later: waiting for job saving to finish saving")]);
    // There is no room for another: such a job sends it itself.
    const other = await uploads.take("cache_2", { pieces: source() });
    expect(other).toMatchObject({ isWhole: false });
    expect((await buffer(other.pieces())).equals(bytes)).toBe(true);
    await other.remove();
    gate.resolve();
    await uploads.idle();
    // Its file is gone by now.
    const file = here.found.held!.file;
    expect((await buffer(readArchive(file))).equals(bytes)).toBe(true);
    await file.close();
    const { found, asking } = await elsewhere;
    expect(found).toMatchObject({ held: null, found: { exact: true } });
    // What was sent has become an archive that is kept.
    const parts = found.found!.parts.map(({ sha256 }) => sha256);
    await using archive = await kept.findArchive(parts);
    expect((await archive?.readFile())?.equals(bytes)).toBe(true);
    expect(
      (await buffer(decompressed(fetchCache({ connection: asking, signal }, found.found!)))).equals(bytes),
    ).toBe(true);
    for (const each of [here.asking, asking]) each.close();
  });

  test("one whose job is stopped, or that is given up, is never seen", async () => {
    const cache = [planCache("stopped")];
    const uploads = await openCacheUploads({
      directory: join(directory, "given-up"),
      maxBytes: 1e9,
      minFreeBytes: 0,
    });
    const stop = new AbortController();
    for (const giveUp of [() => stop.abort(new Error("cancelled")), () => void uploads.clear()]) {
      const job = await jobAtWork(server, { ...at, key: "stopping", cache });
      const connection = connect(job);
      const { id } = await beginCache({ connection, signal }, { position: 0, key: "stopped" });
      const snapshot = await uploads.take(id ?? "", { pieces: source() });
      const { token, for_ms: forMs } = await handOverCache({ connection, signal }, id ?? "");
      connection.close();
      const sending = connect({ ...job, token }, undefined, cacheUploadsPath);
      const never = { ...sending, put: (_: unknown, __: unknown, within: AbortSignal) => aborted(within) };
      const stopped = stop.signal.aborted ? signal : stop.signal;
      uploads.send({ id: id ?? "", key: "stopped", snapshot, connection: never, forMs, stopped, logger });
      giveUp();
      await uploads.idle();
      expect(await uploads.open(id ?? "")).toBeNull();
      expect(await readdir(join(directory, "given-up"))).toEqual([]);
    }
    const asking = connect(await jobAtWork(server, { ...at, key: "asking", cache }));
    const wanted = { position: 0, key: "stopped", restore: [] };
    expect((await lookUpCache({ connection: asking, signal }, wanted)).found).toBeNull();
    asking.close();
  });
});

const aborted = (signal: AbortSignal) =>
  new Promise<void>((_, reject) => {
    if (signal.aborted) reject(signal.reason as Error);
    signal.addEventListener("abort", () => reject(signal.reason as Error));
  });
