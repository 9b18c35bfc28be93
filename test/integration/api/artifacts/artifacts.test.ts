/** Artifacts of runs: a runner brings them, people see and remove them, other jobs of the run get them. */
import { request } from "node:https";
import { buffer } from "node:stream/consumers";
import { afterAll, beforeAll, expect, test } from "vitest";
import { partBytes } from "@forgeline/schemas/artifacts/limits.ts";
import { newId } from "@forgeline/server/platform/ids.ts";
import { startApiServer, type ApiServer, type TestPerson } from "../../../support/api-server.ts";
import { sumOf } from "../../../support/figures.ts";
import {
  askFor,
  attemptAtWork,
  bringArtifact,
  endJob,
  jobAtWork,
  planArtifact,
  sha256,
  zipOf,
  type JobAtWork,
} from "../../../support/job-artifacts.ts";
import { insertRun } from "../../../security/access-matrix/places.ts";

let server: ApiServer;
let ada: TestPerson;
let eve: TestPerson;
let repositoryId: string;
let runs = 0;

beforeAll(async () => {
  server = await startApiServer({
    env: { FORGELINE_ARTIFACT_JOB_BYTES: "20000000", FORGELINE_ARTIFACT_REPOSITORY_BYTES: "100000000" },
  });
  ada = await server.person("ada", { isAdmin: true });
  eve = await server.person("eve");
  const made = await server.api("POST", "/repos", {
    token: ada.token,
    body: { name: "app", readme: true, private: true },
  });
  repositoryId = made.json.id as string;
});
afterAll(() => server.stop());

async function newRun(): Promise<{ pipelineId: string; path: string }> {
  runs += 1;
  const run = { repositoryId, userId: ada.id, number: runs, status: "success" } as const;
  return { pipelineId: await insertRun(server, run), path: `/repos/ada/app/pipelines/${runs}/artifacts` };
}

async function newJob(names: string[], more: Partial<Parameters<typeof jobAtWork>[1]> = {}) {
  const { pipelineId, path } = await newRun();
  const artifacts = names.map((name) => planArtifact(name));
  return { job: await jobAtWork(server, { pipelineId, repositoryId, artifacts, ...more }), path, pipelineId };
}

/** A published one. */
async function publishedIn(
  path: string,
  job: JobAtWork,
  files: Record<string, string | Buffer>,
  name = "dist",
) {
  const id = await bringArtifact(server, job, { name, files });
  expect(await endJob(server, job, [id])).toBe("recorded");
  return `${path}/${id}`;
}

function download(path: string, headers: Record<string, string> = {}, method = "GET") {
  return new Promise<{ status: number; headers: Record<string, unknown>; bytes: Buffer }>(
    (resolve, reject) => {
      const asked = { ca: server.ca, method, headers: { Authorization: `Bearer ${ada.token}`, ...headers } };
      request(`${server.baseUrl}${path}`, asked, (answer) => {
        buffer(answer).then(
          (bytes) => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, bytes }),
          reject,
        );
      })
        .on("error", reject)
        .end();
    },
  );
}

const get = (path: string, token = ada.token) => server.api("GET", path, { token });

async function storedKeys(): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of server.container.platform.objects.list(`artifacts/${repositoryId}/`))
    keys.push(key);
  return keys;
}

test("nobody sees an artifact before its job's result is accepted; then it is listed, browsed and downloaded", async () => {
  const { job, path } = await newJob(["dist"]);
  const large = Buffer.alloc(9_000_000, "forgeline ");
  const files = {
    "dist/a b.txt": "hello",
    "dist/large.bin": large,
    "dist/x.html": "<script>alert(1)</script>",
  };
  const id = await bringArtifact(server, job, { name: "dist", files });
  expect((await get(path)).json).toEqual([]);
  expect((await get(`${path}/${id}/zip`)).status).toBe(404);
  expect(await endJob(server, job, [id, newId("art")])).toBe("recorded");

  const zip = zipOf(files);
  const { json: list, headers } = await get(path);
  expect([list.length, headers["x-total-count"]]).toEqual([1, "1"]);
  expect(list[0]).toMatchObject({
    id,
    name: "dist",
    job: { id: job.jobId, key: "build", label: "build" },
    size: zip.length,
    files_count: 3,
    sha256: sha256(zip),
  });
  expect((await get(`${path}/${id}`)).json).toEqual(list[0]);
  const listed = await get(`${path}/${id}/files?per_page=2`);
  expect(listed.json.map((file: { path: string; size: number }) => [file.path, file.size])).toEqual([
    ["dist/a b.txt", 5],
    ["dist/large.bin", 9_000_000],
  ]);
  expect(listed.headers["x-total-count"]).toBe("3");

  const whole = await download(`${path}/${id}/zip`);
  expect(whole.bytes.equals(zip)).toBe(true);
  expect(whole.headers["content-disposition"]).toContain('filename="dist.zip"');
  const { pathname } = new URL(listed.json[0].download_url);
  const one = await download(pathname.replace("/api/v1", ""));
  expect(one.bytes.toString()).toBe("hello");
  const page = await download(`${path}/${id}/files/dist/x.html`);
  expect(page.headers).toMatchObject({
    "content-type": "application/octet-stream",
    "x-content-type-options": "nosniff",
    "content-disposition": expect.stringMatching(/^attachment; filename="x.html"/),
    "content-security-policy": expect.stringContaining("sandbox"),
  });
  // Over the border of two parts.
  const some = await download(`${path}/${id}/files/dist/large.bin`, { Range: "bytes=8388000-8389999" });
  expect(some.status).toBe(206);
  expect(some.bytes.equals(large.subarray(8_388_000, 8_390_000))).toBe(true);
  expect((await download(`${path}/${id}/zip`, { Range: "bytes=99999999-" })).status).toBe(416);
  const again = await download(`${path}/${id}/zip`, { "If-None-Match": String(whole.headers["etag"]) });
  expect([again.status, again.bytes.length]).toEqual([304, 0]);
  const head = await download(`${path}/${id}/zip`, {}, "HEAD");
  expect([head.headers["content-length"], head.bytes.length]).toEqual([String(zip.length), 0]);
  expect((await get(`${path}/${id}/files/dist`)).status).toBe(404);
});

test("an artifact belongs to its run, and is seen and removed by those who may", async () => {
  const { job, path } = await newJob(["dist"]);
  const other = await newJob(["dist"]);
  const address = await publishedIn(path, job, { a: "1" });
  const id = address.slice(path.length + 1);
  for (const tail of ["", "/zip", "/files", "/files/a"]) {
    expect((await get(`${other.path}/${id}${tail}`)).status).toBe(404);
    expect((await get(`${address}${tail}`, eve.token)).status).toBe(404);
  }
  expect((await server.api("DELETE", address, { token: eve.token })).status).toBe(404);
  const reader = await server.tokenFor(ada, ["pipeline:read"]);
  expect((await server.api("DELETE", address, { token: reader })).status).toBe(403);
  expect((await server.api("DELETE", address, { token: ada.token })).status).toBe(204);
  expect((await get(address)).status).toBe(404);
  expect((await server.api("DELETE", address, { token: ada.token })).status).toBe(404);
  const { json } = await get("/admin/audit-log?action=artifact.delete");
  expect(json).toHaveLength(1);
  expect(json[0]).toMatchObject({
    target: { type: "artifact", id },
    details: { job: "build", size: zipOf({ a: "1" }).length },
  });
  expect((await storedKeys()).some((key) => key.includes(id))).toBe(true);
  await server.container.platform.db.query(
    "update artifacts set removed_at = now() - interval '2 hours', touched_at = now() - interval '2 hours' where id = $1",
    [id],
  );
  await server.container.pipelines.artifactCleanup.sweep();
  expect((await storedKeys()).some((key) => key.includes(id))).toBe(false);
});

test("an upload is taken up again where it ended, and changes nothing once it is complete", async () => {
  const { job } = await newJob(["dist"]);
  const bytes = zipOf({ large: Buffer.alloc(9_000_000, "x"), small: "y" });
  const begin = { name: "dist", size_bytes: bytes.length, files: 2 };
  const first = await askFor(server, job.token, "POST", "/uploads", begin);
  const { id } = first.json;
  expect(first.json).toEqual({ id, complete: false });
  const parts = [bytes.subarray(0, 8 * 1024 * 1024), bytes.subarray(8 * 1024 * 1024)].map((part, number) => ({
    part,
    number,
    sha256: sha256(part),
  }));
  const announce = ({ number, sha256: hash }: { number: number; sha256: string }) =>
    askFor(server, job.token, "POST", `/uploads/${id}/parts`, { number, sha256: hash });
  expect((await announce(parts[0]!)).json).toEqual({ stored: false, direct: null });
  await askFor(server, job.token, "PUT", `/uploads/${id}/parts/0/${parts[0]!.sha256}`, parts[0]!.part);
  // The runner was restarted.
  expect((await askFor(server, job.token, "POST", "/uploads", begin)).json).toEqual({ id, complete: false });
  expect((await announce(parts[0]!)).json).toEqual({ stored: true, direct: null });
  const early = await askFor(server, job.token, "POST", `/uploads/${id}/complete`, { sha256: sha256(bytes) });
  expect([early.status, early.json.message]).toEqual([422, "Part 1 is missing."]);
  await announce(parts[1]!);
  await askFor(server, job.token, "PUT", `/uploads/${id}/parts/1/${parts[1]!.sha256}`, parts[1]!.part);
  for (let time = 0; time < 2; time += 1)
    expect(
      (await askFor(server, job.token, "POST", `/uploads/${id}/complete`, { sha256: sha256(bytes) })).status,
    ).toBe(200);
  expect((await askFor(server, job.token, "POST", "/uploads", begin)).json).toEqual({ id, complete: true });
  expect((await announce({ number: 1, sha256: "0".repeat(64) })).status).toBe(422);
});

test("what a job may not bring is refused in words", async () => {
  const { job } = await newJob(["dist", "more"]);
  const other = await newJob(["dist"]);
  const ask = (path: string, body: unknown, token = job.token) => askFor(server, token, "POST", path, body);
  const begin = { name: "dist", size_bytes: 1000, files: 1 };
  const told = async (answer: ReturnType<typeof ask>) => {
    const { status, json } = await answer;
    return `${status} ${json.message}`;
  };
  expect(await told(ask("/uploads", { ...begin, name: "none" }))).toBe(
    "422 The job has no artifact called none.",
  );
  expect(await told(ask("/uploads", { ...begin, name: "../x" }))).toMatch(/^422 name: /);
  expect(await told(ask("/uploads", { ...begin, size_bytes: 20_000_001 }))).toMatch(
    /^403 The artifacts of a job can have at most 20000000 bytes/,
  );
  expect(await told(ask("/uploads", begin, ada.token))).toMatch(/^403 /);
  expect(await told(ask("/uploads", begin, "svc_job_nothing"))).toMatch(/^401 /);
  const { id } = (await ask("/uploads", begin)).json;
  expect(
    await told(ask(`/uploads/${id}/parts`, { number: 0, sha256: "0".repeat(64) }, other.job.token)),
  ).toMatch(/^404 /);
  expect(await told(ask(`/uploads/${id}/parts`, { number: 1, sha256: "0".repeat(64) }))).toMatch(/^422 /);
  const garbage = Buffer.alloc(1000, 7);
  await ask(`/uploads/${id}/parts`, { number: 0, sha256: sha256(garbage) });
  const put = (bytes: Buffer, sha: string) =>
    askFor(server, job.token, "PUT", `/uploads/${id}/parts/0/${sha}`, bytes);
  expect((await put(Buffer.alloc(1000, 8), sha256(garbage))).status).toBe(422);
  expect((await put(Buffer.alloc(999, 7), sha256(garbage))).status).toBe(422);
  expect((await put(garbage, sha256(Buffer.alloc(1)))).status).toBe(404);
  expect((await put(garbage, sha256(garbage))).status).toBe(200);
  expect(await told(ask(`/uploads/${id}/complete`, { sha256: sha256(garbage) }))).toBe(
    "422 The artifact cannot be read: it has no list of files.",
  );
  // Announced again and again with other bytes, it would fill the store.
  await server.container.platform.db.query(
    "update artifacts set announced_bytes = 2 * size_bytes + $2 - 500 where id = $1",
    [id, partBytes],
  );
  const again = await ask(`/uploads/${id}/parts`, { number: 0, sha256: sha256(Buffer.from("again")) });
  expect(again.status).toBe(409);
});

test("artifacts of a lost attempt are never seen, and are removed", async () => {
  const { job, path } = await newJob(["dist"]);
  const id = await bringArtifact(server, job, { name: "dist", files: { a: "1" } });
  const { db } = server.container.platform;
  await db.query("update job_attempts set state = 'ended', epoch = epoch + 1 where id = $1", [job.attemptId]);
  expect((await askFor(server, job.token, "POST", "/needed", {})).status).toBe(401);
  expect(await endJob(server, job, [id])).toBe("stale");
  expect((await get(path)).json).toEqual([]);
  await server.container.pipelines.artifactCleanup.sweep();
  expect((await storedKeys()).some((key) => key.includes(id))).toBe(true);
  await db.query("update artifacts set touched_at = now() - interval '2 hours' where id = $1", [id]);
  await server.container.pipelines.artifactCleanup.sweep();
  expect((await storedKeys()).some((key) => key.includes(id))).toBe(false);
  expect(await db.query("select id from artifacts where id = $1", [id])).toEqual([]);
});

test("a new attempt's artifact takes the place of the earlier one; expired ones go, but the newest of a branch stays", async () => {
  const { job, path } = await newJob(["dist"]);
  await publishedIn(path, job, { a: "1" });
  const next = { ...job, attemptId: newId("att"), token: `${job.token}b` };
  await attemptAtWork(server, next, { repositoryId, artifacts: [planArtifact("dist")], attempt: 2 });
  const second = await publishedIn(path, next, { a: "2" });
  expect((await get(path)).json.map(({ id }: { id: string }) => `${path}/${id}`)).toEqual([second]);

  const later = await newJob(["dist"], { key: "build" });
  const newest = await publishedIn(later.path, later.job, { a: "3" });
  const { db } = server.container.platform;
  await db.query("update artifacts set expires_at = now() - interval '1 minute'");
  await server.container.pipelines.artifactCleanup.sweep();
  expect((await get(second)).status).toBe(404);
  const expired = await sumOf("forgeline_artifacts_expired_total", [server.container.platform.metrics]);
  const kept = await get(newest);
  expect(kept.status).toBe(200);
  expect(Date.parse(kept.json.expires_at)).toBeGreaterThan(Date.now());
  await db.query("update pipelines set event = jsonb_set(event, '{branch}', '\"gone\"') where id = $1", [
    later.pipelineId,
  ]);
  await db.query("update artifacts set expires_at = now() - interval '1 minute'");
  await server.container.pipelines.artifactCleanup.sweep();
  expect((await get(newest)).status).toBe(404);
  expect(await sumOf("forgeline_artifacts_expired_total", [server.container.platform.metrics])).toBe(
    expired + 1,
  );
});
