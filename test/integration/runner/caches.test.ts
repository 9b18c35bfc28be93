/**
 * Caches between a runner's own code and a server: straight to and from an object store of S3, and through the server with files.
 * What a runner has kept is not fetched again.
 */
import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { partBytes } from "@forgeline/schemas/artifacts/limits.ts";
import { jobCachesPath } from "@forgeline/schemas/caches/job-messages.ts";
import {
  openArtifactConnection,
  type ArtifactConnection,
} from "@forgeline/runner/artifacts/artifact-connection.ts";
import { openKeptParts, type KeptParts } from "@forgeline/runner/artifacts/kept-parts.ts";
import { compressed, decompressed } from "@forgeline/runner/caches/compression.ts";
import { beginCache, fetchCache, lookUpCache, sendCache } from "@forgeline/runner/caches/transfer-cache.ts";
import type { ApiServer } from "../../support/api-server.ts";
import { jobAtWork, type JobAtWork } from "../../support/job-artifacts.ts";
import { planCache } from "../../support/job-caches.ts";
import { startLfsServer } from "../../support/lfs-server.ts";
import { insertRun } from "../../security/access-matrix/places.ts";

const { signal } = new AbortController();

describe.each(["file", "s3"] as const)("with a store of kind %s", (store) => {
  let server: ApiServer;
  let directory: string;
  let at: { pipelineId: string; repositoryId: string };
  // Does not compress, and ends in the third part.
  const bytes = randomBytes(2 * partBytes + 1000);

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
  function connect({ token }: JobAtWork, kept?: KeptParts): ArtifactConnection & { moved: string[] } {
    const moved: string[] = [];
    const { webUrl: serverUrl, caFile } = server;
    const settings = { serverUrl, token, caFile, baseEnv: {}, basePath: jobCachesPath };
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
    const pieces = (async function* () {
      yield bytes;
    })();
    const sent = await sendCache({ connection: saving, signal }, id ?? "", compressed(pieces));
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
});
