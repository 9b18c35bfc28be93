/**
 * Artifacts between a runner's own code and a server: straight to and from an object store of S3, and through the server with
 * files. What is interrupted goes on; what cannot work is said in the server's words.
 */
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { jobArtifactsPath } from "@forgeline/schemas/artifacts/job-messages.ts";
import {
  openArtifactConnection,
  type ArtifactConnection,
} from "@forgeline/runner/artifacts/artifact-connection.ts";
import { fetchArtifacts } from "@forgeline/runner/artifacts/fetch-artifacts.ts";
import { pathPatterns } from "@forgeline/runner/artifacts/patterns.ts";
import { uploadArtifact } from "@forgeline/runner/artifacts/upload-artifact.ts";
import { failureOutcome } from "@forgeline/runner/job/outcome.ts";
import { findFiles } from "@forgeline/runner/artifacts/workspace-files.ts";
import type { ApiServer } from "../../support/api-server.ts";
import { endJob, jobAtWork, planArtifact, type JobAtWork } from "../../support/job-artifacts.ts";
import { startLfsServer } from "../../support/lfs-server.ts";
import { insertRun } from "../../security/access-matrix/places.ts";

describe.each(["file", "s3"] as const)("with a store of kind %s", (store) => {
  let server: ApiServer;
  let root: string;
  let source: string;
  let at: { pipelineId: string; repositoryId: string };
  const large = Buffer.alloc(20_000_000);

  beforeAll(async () => {
    server = await startLfsServer(store, { FORGELINE_ARTIFACT_JOB_BYTES: "50000000" });
    const ada = await server.person("ada");
    const { json } = await server.api("POST", "/repos", { token: ada.token, body: { name: "app" } });
    const repositoryId = json.id as string;
    at = {
      repositoryId,
      pipelineId: await insertRun(server, { repositoryId, userId: ada.id, number: 1, status: "success" }),
    };
    root = await mkdtemp(join(tmpdir(), "forgeline-artifacts-"));
    source = join(root, "source");
    await mkdir(join(source, "dist"), { recursive: true });
    for (let n = 0; n < large.length; n += 4) large.writeUInt32LE(n, n);
    await writeFile(join(source, "dist/large"), large);
    await writeFile(join(source, "dist/small"), "small");
  });
  afterAll(async () => {
    await server?.stop();
    await rm(root, { recursive: true, force: true });
  });

  function connect({ token }: JobAtWork): ArtifactConnection {
    return openArtifactConnection({
      serverUrl: server.webUrl,
      token,
      caFile: server.caFile,
      baseEnv: {},
      basePath: jobArtifactsPath,
    });
  }

  async function upload(connection: ArtifactConnection, signal = new AbortController().signal) {
    const { files } = await findFiles(source, pathPatterns(["dist"], []), {
      files: 100,
      entries: 100,
      advice: "",
    });
    return uploadArtifact({ name: "dist", workspace: source, files, connection, signal });
  }

  async function fetchInto(directory: string, connection: ArtifactConnection): Promise<string[]> {
    await mkdir(directory);
    const lines: string[] = [];
    const tell = (line: string) => void lines.push(line);
    const { signal } = new AbortController();
    await fetchArtifacts({ workspace: directory, connection, signal, onLine: tell, onWarning: tell });
    return lines;
  }

  test("goes from one job to another, and an upload that broke off is taken up again", async () => {
    const job = await jobAtWork(server, { ...at, key: "build", artifacts: [planArtifact("dist")] });
    const first = connect(job);
    const sent: number[] = [];
    const one = Promise.withResolvers<void>();
    const breaking: ArtifactConnection = {
      ...first,
      async put(place, bytes, signal) {
        expect(place.direct !== null).toBe(store === "s3");
        if (sent.push(bytes.length) === 1) return first.put(place, bytes, signal).then(one.resolve);
        await one.promise;
        throw new Error("the runner died");
      },
    };
    await expect(upload(breaking)).rejects.toThrow("the runner died");
    const resent: number[] = [];
    const counting: ArtifactConnection = {
      ...first,
      put: (place, bytes, signal) => {
        resent.push(bytes.length);
        return first.put(place, bytes, signal);
      },
    };
    const { id } = await upload(counting);
    // Of three parts, one had been there.
    expect(resent).toHaveLength(2);
    expect(await upload(counting)).toMatchObject({ id });
    expect(resent).toHaveLength(2);
    await endJob(server, job, [id]);
    first.close();

    const needs = [{ job: "build", optional: false, artifacts: ["dist"] }];
    const next = await jobAtWork(server, { ...at, key: "deploy", needs });
    const second = connect(next);
    const target = join(root, "target");
    expect(await fetchInto(target, second)).toEqual(["Fetching artifact dist of build (20.0 MB)"]);
    expect((await readFile(join(target, "dist/large"))).equals(large)).toBe(true);
    expect(await readFile(join(target, "dist/small"), "utf8")).toBe("small");

    const { objects } = server.container.platform;
    for await (const { key } of objects.list(`artifacts/${at.repositoryId}/${id}/`))
      if (key.includes("/1-")) await objects.delete(key);
    const lost = await fetchInto(join(root, "lost"), second).catch((error: unknown) => error);
    expect(failureOutcome(lost, () => expect.unreachable())).toMatchObject({
      status: "error",
      reason: "artifact_download",
      message: expect.stringContaining("Artifact dist of build: "),
    });
    second.close();
  });

  test("tells what cannot work", async () => {
    const lacking = await jobAtWork(server, { ...at, key: "other", artifacts: [planArtifact("else")] });
    const connection = connect(lacking);
    await expect(upload(connection)).rejects.toThrow("The job has no artifact called dist.");
    connection.close();
    const needs = [{ job: "build", optional: false, artifacts: ["gone"] }];
    const wanting = await jobAtWork(server, { ...at, key: "wants", needs });
    const second = connect(wanting);
    await expect(fetchInto(join(root, "none"), second)).rejects.toThrow("Job build left no artifact gone");
    second.close();
    const optional = await jobAtWork(server, {
      ...at,
      key: "may",
      needs: [{ ...needs[0]!, optional: true }],
    });
    const third = connect(optional);
    expect(await fetchInto(join(root, "some"), third)).toEqual([
      expect.stringContaining("left no artifact gone"),
    ]);
    third.close();
  });
});
