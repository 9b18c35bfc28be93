/** Artifacts that the jobs of a run give to each other, and what is asked of them or put into them to lead elsewhere. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { startApiServer, type ApiServer, type TestPerson } from "../../../support/api-server.ts";
import {
  askFor,
  bringArtifact,
  endJob,
  jobAtWork,
  planArtifact,
  sha256,
  zipOf,
} from "../../../support/job-artifacts.ts";
import { rawRequest, sendRaw } from "../../../support/raw-https.ts";
import { insertRun } from "../../../security/access-matrix/places.ts";

let server: ApiServer;
let ada: TestPerson;
let repositoryId: string;
let runs = 0;

beforeAll(async () => {
  server = await startApiServer();
  ada = await server.person("ada");
  const made = await server.api("POST", "/repos", { token: ada.token, body: { name: "app" } });
  repositoryId = made.json.id as string;
});
afterAll(() => server.stop());

async function newRun(): Promise<{ pipelineId: string; repositoryId: string }> {
  runs += 1;
  const run = { repositoryId, userId: ada.id, number: runs, status: "success" } as const;
  return { repositoryId, pipelineId: await insertRun(server, run) };
}

test("a job gets what its needs name, from its own run alone", async () => {
  const at = await newRun();
  const bring = async (more: Partial<Parameters<typeof jobAtWork>[1]>, names: string[]) => {
    const job = await jobAtWork(server, {
      ...at,
      ...more,
      artifacts: names.map((name) => planArtifact(name)),
      status: "success",
    });
    const ids = [];
    for (const name of names) ids.push(await bringArtifact(server, job, { name, files: { [name]: name } }));
    await endJob(server, job, ids);
    return ids;
  };
  const [dist, docs] = await bring({ key: "build" }, ["dist", "docs"]);
  const [a] = await bring({ key: "unit", matrix: { v: "a" } }, ["out-a"]);
  const [b] = await bring({ key: "unit", matrix: { v: "b" } }, ["out-b"]);
  const needs = [
    { job: "build", optional: false, artifacts: ["docs", "gone"] },
    { job: "unit", optional: true, artifacts: true as const },
  ];
  const job = await jobAtWork(server, { ...at, key: "deploy", needs });
  const { json } = await askFor(server, job.token, "POST", "/needed", {});
  expect(json.artifacts.map((one: { id: string; job: string }) => [one.id, one.job])).toEqual([
    [docs, "build"],
    [a, "unit (a)"],
    [b, "unit (b)"],
  ]);
  expect(json.missing).toEqual([{ job: "build", name: "gone", optional: false }]);
  const path = `/artifacts/${docs}/parts/0`;
  expect((await askFor(server, job.token, "POST", path, {})).json).toEqual({ direct: null });
  const part = await askFor(server, job.token, "GET", path);
  expect(part.text).toBe(zipOf({ docs: "docs" }).toString("utf8"));
  expect((await askFor(server, job.token, "GET", `/artifacts/${docs}/parts/1`)).status).toBe(404);
  const elsewhere = await jobAtWork(server, await newRun());
  expect((await askFor(server, elsewhere.token, "GET", path)).status).toBe(404);
  expect(dist).toBeDefined();
});

test("row 21: no path leads out of an artifact", async () => {
  const at = await newRun();
  const job = await jobAtWork(server, { ...at, artifacts: [planArtifact("dist")] });
  const id = await bringArtifact(server, job, { name: "dist", files: { "a/b": "1" } });
  await endJob(server, job, [id]);
  const files = `/api/v1/repos/ada/app/pipelines/${runs}/artifacts/${id}/files`;
  const headers = [`Host: ${new URL(server.baseUrl).host}`, `Authorization: Bearer ${ada.token}`];
  const asked = async (path: string) =>
    (await sendRaw(server, rawRequest(`GET ${files}/${path}`, headers))).status;
  expect(await asked("a/b")).toBe(200);
  const up = [
    "../a/b",
    "%2e%2e/a/b",
    "..%2fa%2fb",
    "a/../a/b",
    "a%2f..%2fa%2fb",
    "..%5ca%5cb",
    "a%5cb",
    "./a/b",
  ];
  const odd = [
    "a/b%00",
    "%00",
    "a//b",
    "a/b/",
    "A/B",
    ".git/config",
    "git~1",
    "a".repeat(4_096),
    "%2fetc%2fpasswd",
  ];
  for (const path of [...up, ...odd]) expect([404, 422], path).toContain(await asked(path));
});

test("row 32: a list of more files than an artifact may have is refused, whatever it was announced with", async () => {
  const job = await jobAtWork(server, { ...(await newRun()), artifacts: [planArtifact("dist")] });
  const bytes = zipOf(Object.fromEntries(Array.from({ length: 60_000 }, (_, index) => [`f${index}`, ""])));
  const ask = (method: string, path: string, body: unknown) => askFor(server, job.token, method, path, body);
  const begin = { name: "dist", size_bytes: bytes.length };
  expect((await ask("POST", "/uploads", { ...begin, files: 60_000 })).status).toBe(422);
  const { id } = (await ask("POST", "/uploads", { ...begin, files: 1 })).json;
  await ask("POST", `/uploads/${id}/parts`, { number: 0, sha256: sha256(bytes) });
  await ask("PUT", `/uploads/${id}/parts/0/${sha256(bytes)}`, bytes);
  const { status, json } = await ask("POST", `/uploads/${id}/complete`, { sha256: sha256(bytes) });
  expect([status, json.message]).toEqual([
    422,
    "The artifact cannot be read: its list of files has another length.",
  ]);
});
