/** Artifacts that the jobs of a run give to each other. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { startApiServer, type ApiServer, type TestPerson } from "../../../support/api-server.ts";
import {
  askFor,
  bringArtifact,
  endJob,
  jobAtWork,
  planArtifact,
  zipOf,
} from "../../../support/job-artifacts.ts";
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
