/** `forgeline artifact`: listed, saved whole and in part, removed. */
import { randomBytes } from "node:crypto";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { TestPerson } from "../../support/api-server.ts";
import { startFaultProxy } from "../../support/fault-proxy.ts";
import {
  bringArtifact,
  endJob,
  jobAtWork,
  planArtifact,
  zipOf,
  type JobAtWork,
} from "../../support/job-artifacts.ts";
import { peopleAtTerminals, type PeopleAtTerminals } from "../../support/people-at-terminals.ts";
import { insertRun } from "../../security/access-matrix/places.ts";

let people: PeopleAtTerminals;
let ada: TestPerson;
let directory: string;
let last: JobAtWork;
const files = { "dist/app.js": "one\n", "dist/b": "two" };

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "forgeline-artifacts-"));
  people = await peopleAtTerminals({});
  ada = await people.server.person("ada");
  await people.told(ada, "repo", "create", "code");
  const { json } = await people.server.api("GET", "/repos/ada/code", { token: ada.token });
  const repositoryId = json.id as string;
  const pipelineId = await insertRun(people.server, {
    repositoryId,
    userId: ada.id,
    number: 1,
    status: "success",
  });
  last = await jobAtWork(people.server, {
    pipelineId,
    repositoryId,
    key: "large",
    artifacts: [planArtifact("large")],
  });
  for (const key of ["build", "docs"]) {
    const job = await jobAtWork(people.server, {
      pipelineId,
      repositoryId,
      key,
      artifacts: [planArtifact("dist")],
    });
    await endJob(people.server, job, [await bringArtifact(people.server, job, { name: "dist", files })]);
  }
});
afterAll(async () => {
  await people?.stop();
  await rm(directory, { recursive: true, force: true });
});

const artifact = (...args: string[]) => people.told(ada, "artifact", "-R", "ada/code", ...args);

test("is listed, saved and removed", async () => {
  const rows = (await artifact("list", "1")).trimEnd().split("\n");
  expect(rows.map((row) => row.split("\t").slice(0, 3))).toEqual([
    ["dist", "build", "2"],
    ["dist", "docs", "2"],
  ]);
  expect(await artifact("files", "1", "dist", "--job", "build")).toBe("dist/app.js\t4 B\ndist/b\t3 B\n");
  const zip = join(directory, "x.zip");
  expect(await artifact("download", "1", "dist", "--job", "docs", "-o", zip)).toBe(`${zip} is saved\n`);
  expect((await readFile(zip)).equals(zipOf(files))).toBe(true);
  expect(await artifact("download", "1", "dist", "--job", "docs", "--file", "dist/app.js", "-o", "-")).toBe(
    "one\n",
  );
  expect(await artifact("delete", "1", "dist", "--job", "docs")).toBe("dist is deleted\n");
  expect((await artifact("list", "1")).split("\n")).toHaveLength(2);
});

test("what is not there is told", async () => {
  await expect(artifact("download", "1", "none")).rejects.toThrow(
    'the run has no artifact "none"; its artifacts: dist of build',
  );
  await expect(artifact("list", "99")).rejects.toThrow("ada/code has no run 99");
  await expect(artifact("download", "1", "dist", "--file", "nope", "-o", "-")).rejects.toThrow(
    "dist has no file nope",
  );
});

test("a download goes on where its connection was cut", async () => {
  const large = { "dist/large": randomBytes(3_000_000) };
  const id = await bringArtifact(people.server, last, { name: "large", files: large });
  await endJob(people.server, last, [id]);
  const proxy = await startFaultProxy({ host: "127.0.0.1", port: people.server.httpsPort });
  try {
    proxy.set({ name: "limit", bytes: 2_000_000 });
    const zip = join(directory, "large.zip");
    const args = ["artifact", "-R", "ada/code", "download", "1", "large", "-o", zip];
    const done = await people.cli.call(args, {
      FORGELINE_URL: `https://localhost:${proxy.port}`,
      FORGELINE_TOKEN: ada.token,
    });
    expect(done).toMatchObject({ code: 0, stdout: `${zip} is saved\n` });
    expect((await readFile(zip)).equals(zipOf(large))).toBe(true);
    expect(proxy.counts().cut).toBeGreaterThan(0);
  } finally {
    await proxy.close();
  }
});
