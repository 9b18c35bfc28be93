/** Caches of jobs: which entries a run finds, who may change what, room, and what people see and remove. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { partBytes } from "@forgeline/schemas/artifacts/limits.ts";
import { newId } from "@forgeline/server/platform/ids.ts";
import { startApiServer, type ApiServer, type TestPerson } from "../../../support/api-server.ts";
import { endJob, jobAtWork, sha256 } from "../../../support/job-artifacts.ts";
import { askCaches, bringCache, planCache } from "../../../support/job-caches.ts";
import { insertRun } from "../../../security/access-matrix/places.ts";

let server: ApiServer;
let ada: TestPerson;
let eve: TestPerson;
let runs = 0;
const mib = 1024 * 1024;

beforeAll(async () => {
  server = await startApiServer({
    env: { FORGELINE_CACHE_REPOSITORY_BYTES: String(20 * mib), FORGELINE_CACHE_BYTES: String(12 * mib) },
  });
  ada = await server.person("ada", { isAdmin: true });
  eve = await server.person("eve");
});
afterAll(() => server.stop());

async function newRepository(name: string): Promise<{ id: string; path: string }> {
  const body = { name, readme: true, private: true };
  const { json } = await server.api("POST", "/repos", { token: ada.token, body });
  return { id: json.id as string, path: `/repos/ada/${name}` };
}

interface Wanted {
  ref?: string;
  trust?: "own" | "fork" | "unknown_author";
  cache?: ReturnType<typeof planCache>[];
}

/** A job of a new run that a runner has. */
async function newJob(repositoryId: string, { ref = "refs/heads/main", trust = "own", cache }: Wanted = {}) {
  runs += 1;
  const run = { repositoryId, userId: ada.id, number: runs, status: "success" } as const;
  const pipelineId = await insertRun(server, run);
  await server.container.platform.db.query("update pipelines set ref = $2, trust = $3 where id = $1", [
    pipelineId,
    ref,
    trust,
  ]);
  const job = await jobAtWork(server, { pipelineId, repositoryId, cache: cache ?? [planCache("k")] });
  return { ...job, number: runs };
}

async function found(job: { token: string }, key: string, restore: string[] = []) {
  const answer = await askCaches(server, job.token, "POST", "/lookup", { position: 0, key, restore });
  expect(answer.status).toBe(200);
  return answer.json.found as { id: string; key: string; exact: boolean; parts: object[] } | null;
}

const bytesOf = (text: string) => Buffer.from(text);

test("a run finds the very key, then the newest of a beginning, in its branch and then in the default one", async () => {
  const { id } = await newRepository("order");
  const main = await newJob(id);
  await bringCache(server, main, { key: "npm-1", bytes: bytesOf("1") });
  const second = await newJob(id);
  await bringCache(server, second, { key: "npm-2", bytes: bytesOf("2") });
  const branch = await newJob(id, { ref: "refs/heads/topic" });
  expect(await found(branch, "npm-1")).toMatchObject({ key: "npm-1", exact: true });
  expect(await found(branch, "npm-3")).toBeNull();
  expect(await found(branch, "npm-3", ["cargo-", "npm-"])).toMatchObject({ key: "npm-2", exact: false });
  await bringCache(server, branch, { key: "npm-0", bytes: bytesOf("0") });
  const next = await newJob(id, { ref: "refs/heads/topic" });
  // Its own goes first, but not before the very key of the default branch.
  expect(await found(next, "npm-3", ["npm-"])).toMatchObject({ key: "npm-0" });
  expect(await found(next, "npm-1", ["npm-"])).toMatchObject({ key: "npm-1", exact: true });
  // The default branch never sees what others have saved.
  expect(await found(await newJob(id), "npm-0", ["npm-0"])).toBeNull();
  // Nor do entries of other paths count.
  const others = await newJob(id, { cache: [planCache("k", { paths: ["other"] })] });
  expect(await found(others, "npm-1", ["npm-"])).toBeNull();
});

test("an entry never changes, and the faster of two jobs wins", async () => {
  const { id } = await newRepository("once");
  const [one, two, three] = [await newJob(id), await newJob(id), await newJob(id)];
  const begun = await askCaches(server, two.token, "POST", "/entries", { position: 0, key: "a" });
  expect(await bringCache(server, one, { key: "a", bytes: bytesOf("first") })).toMatchObject({ saved: true });
  const part = bytesOf("second");
  const place = `/entries/${begun.json.id}/parts`;
  const announced = { number: 0, sha256: sha256(part), size_bytes: part.length };
  await askCaches(server, two.token, "POST", place, announced);
  await askCaches(server, two.token, "PUT", `${place}/0/${sha256(part)}`, part);
  const completed = await askCaches(server, two.token, "POST", `/entries/${begun.json.id}/complete`, {
    parts: 1,
  });
  expect(completed.json).toEqual({ saved: false });
  expect(await bringCache(server, three, { key: "a", bytes: part })).toEqual({ id: "", saved: false });
  const entry = await found(three, "a");
  const got = await askCaches(server, three.token, "GET", `/entries/${entry?.id}/parts/0`);
  expect(got.text).toBe("first");
  // A part of an entry that this job has not found is nobody's business of its.
  const other = await newJob(id);
  expect((await askCaches(server, other.token, "GET", `/entries/${entry?.id}/parts/0`)).status).toBe(404);
});

test.each(["fork", "unknown_author"] as const)(
  "what a run of trust %s saves is only found by such runs of the same ref",
  async (trust) => {
    const { id } = await newRepository(`trust-${trust.replace("_", "-")}`);
    await bringCache(server, await newJob(id), { key: "good", bytes: bytesOf("good") });
    const ref = "refs/heads/main";
    const shared = [planCache("k", { scope: "repo" })];
    const hostile = await newJob(id, { trust, ref });
    expect(await found(hostile, "good")).toMatchObject({ exact: true });
    await bringCache(server, hostile, { key: "good", bytes: bytesOf("evil") });
    await bringCache(server, hostile, { key: "evil", bytes: bytesOf("evil") }).catch(() => undefined);
    const other = await newJob(id, { trust, ref, cache: shared });
    await bringCache(server, other, { key: "evil", bytes: bytesOf("evil") });
    const own = await newJob(id);
    const entry = await found(own, "good");
    expect((await askCaches(server, own.token, "GET", `/entries/${entry?.id}/parts/0`)).text).toBe("good");
    expect(await found(own, "evil", ["evil", "e"])).toBeNull();
    expect(await found(await newJob(id, { cache: shared }), "evil", ["e"])).toBeNull();
    expect(await found(await newJob(id, { trust, ref: "refs/heads/else" }), "evil", ["e"])).toBeNull();
    expect(await found(await newJob(id, { trust, ref }), "evil")).toMatchObject({ exact: true });
    const { json } = await server.api("GET", `/repos/ada/trust-${trust.replace("_", "-")}/caches`, {
      token: ada.token,
    });
    expect(new Set(json.map((each: { scope: string; ref: string }) => `${each.scope} ${each.ref}`))).toEqual(
      new Set(["branch refs/heads/main", "untrusted refs/heads/main"]),
    );
  },
);

test("room is made by removing what was not used for the longest time", async () => {
  const { id, path } = await newRepository("room");
  const large = Buffer.alloc(8 * mib, "x");
  for (const key of ["a", "b"]) await bringCache(server, await newJob(id), { key, bytes: large });
  expect(await found(await newJob(id), "a")).not.toBeNull();
  await bringCache(server, await newJob(id), { key: "c", bytes: large });
  const list = await server.api("GET", `${path}/caches`, { token: ada.token });
  expect(list.json.map(({ key }: { key: string }) => key)).toEqual(["c", "a"]);
  const tooLarge = bringCache(server, await newJob(id), { key: "d", bytes: Buffer.alloc(13 * mib, "y") });
  await expect(tooLarge).rejects.toThrow("A cache can have at most 12582912 bytes");
  const { platform, pipelines } = server.container;
  const stored = async () => {
    const keys = new Set<string>();
    for await (const { key } of platform.objects.list(`caches/${id}/`)) keys.add(key.split("/")[2] ?? "");
    return keys.size;
  };
  expect(await stored()).toBe(4);
  await platform.db.query(
    "update caches set touched_at = now() - interval '2 hours', removed_at = removed_at - interval '2 hours'",
  );
  // The upload that was given up goes with its attempt.
  await platform.db.query("update job_attempts set state = 'ended' where repository_id = $1", [id]);
  await pipelines.cacheCleanup.sweep();
  expect(await stored()).toBe(2);
  await platform.db.query("update caches set last_used_at = now() - interval '31 days' where key = 'a'");
  await pipelines.cacheCleanup.sweep();
  const left = await server.api("GET", `${path}/caches`, { token: ada.token });
  expect(left.json.map(({ key }: { key: string }) => key)).toEqual(["c"]);
});

test("runners are told what they ask wrongly", async () => {
  const { id } = await newRepository("wrong");
  const job = await newJob(id);
  const ask = async (path: string, body: object, method = "POST") => {
    const { status, json } = await askCaches(server, job.token, method, path, body);
    return [status, json?.message as string];
  };
  const long = "k".repeat(10_000);
  expect(await ask("/lookup", { position: 0, key: long, restore: [] })).toEqual([
    422,
    expect.stringContaining("key"),
  ]);
  expect(await ask("/entries", { position: 0, key: "a\nb" })).toEqual([
    422,
    expect.stringContaining("control"),
  ]);
  // Its file has one cache.
  expect((await ask("/entries", { position: 1, key: "a" }))[0]).toBe(404);
  expect((await ask(`/entries/${newId("cache")}/complete`, { parts: 1 }))[0]).toBe(404);
  const begun = await askCaches(server, job.token, "POST", "/entries", { position: 0, key: "a" });
  const place = `/entries/${begun.json.id}`;
  expect(await ask(`${place}/complete`, { parts: 1 })).toEqual([422, "Part 0 is missing."]);
  const small = { number: 0, sha256: sha256(bytesOf("x")), size_bytes: 1 };
  await ask(`${place}/parts`, small);
  expect((await ask(`${place}/parts/0/${small.sha256}`, bytesOf("y"), "PUT"))[0]).toBe(422);
  await ask(`${place}/parts/0/${small.sha256}`, bytesOf("x"), "PUT");
  await ask(`${place}/parts`, { ...small, number: 1 });
  await ask(`${place}/parts/1/${small.sha256}`, bytesOf("x"), "PUT");
  // Only the last part may be shorter.
  expect(await ask(`${place}/complete`, { parts: 2 })).toEqual([422, "Part 0 is missing."]);
  expect((await ask(`${place}/parts`, { ...small, size_bytes: partBytes + 1 }))[0]).toBe(422);
  const other = await newJob(id);
  expect((await askCaches(server, other.token, "POST", `${place}/complete`, { parts: 1 })).status).toBe(404);
  await endJob(server, job, []);
  expect((await ask(`${place}/complete`, { parts: 1 }))[0]).toBe(401);
  expect(
    (await askCaches(server, ada.token, "POST", "/lookup", { position: 0, key: "a", restore: [] })).status,
  ).toBe(403);
});

test("people see what is kept, who uses it and what a run did, and those with Write remove it", async () => {
  const { id, path } = await newRepository("seen");
  const first = await newJob(id);
  expect(await found(first, "npm-1", ["npm-"])).toBeNull();
  const { id: cache } = await bringCache(server, first, { key: "npm-1", bytes: bytesOf("12345") });
  const second = await newJob(id, { ref: "refs/tags/v1" });
  await found(second, "npm-2", ["npm-"]);
  const { json } = await server.api("GET", `${path}/caches`, { token: ada.token });
  expect(json).toMatchObject([
    {
      id: cache,
      key: "npm-1",
      scope: "branch",
      ref: "refs/heads/main",
      paths: ["deps"],
      size: 5,
      saved_by: { pipeline: { number: first.number }, job: { id: first.jobId, label: "build" } },
      used_by: [{ pipeline: { number: second.number } }],
    },
  ]);
  const did = async (number: number) =>
    (await server.api("GET", `${path}/pipelines/${number}/caches`, { token: ada.token })).json as object[];
  expect(await did(first.number)).toMatchObject([
    { key: "npm-1", restored: null, saved: { size: 5, cache_id: cache } },
  ]);
  expect(await did(second.number)).toMatchObject([
    { key: "npm-2", restored: { key: "npm-1", exact: false, size: 5, cache_id: cache }, saved: null },
  ]);
  const none = await server.api("GET", `${path}/caches?key_prefix=cargo-`, { token: ada.token });
  expect(none.json).toEqual([]);

  const byEve = (method: string, at: string) => server.api(method, at, { token: eve.token });
  expect((await byEve("GET", `${path}/caches`)).status).toBe(404);
  await server.api("PUT", `${path}/collaborators/eve`, { token: ada.token, body: { permission: "read" } });
  expect((await byEve("GET", `${path}/caches`)).status).toBe(200);
  expect((await byEve("DELETE", `${path}/caches/${cache}`)).status).toBe(403);
  expect((await byEve("DELETE", `${path}/caches`)).status).toBe(403);

  const remove = (at: string) => server.api("DELETE", `${path}/caches${at}`, { token: ada.token });
  expect((await remove(`/${cache}`)).status).toBe(204);
  expect((await remove(`/${cache}`)).status).toBe(404);
  expect(await did(second.number)).toMatchObject([{ restored: { key: "npm-1" } }]);
  expect(await found(await newJob(id), "npm-1")).toBeNull();
  for (const key of ["npm-1", "cargo-1"])
    await bringCache(server, await newJob(id), { key, bytes: bytesOf("1") });
  expect((await remove("?key_prefix=npm-")).status).toBe(204);
  const left = await server.api("GET", `${path}/caches`, { token: ada.token });
  expect(left.json).toMatchObject([{ key: "cargo-1" }]);
  expect((await remove("")).status).toBe(204);
  expect((await server.api("GET", `${path}/caches`, { token: ada.token })).json).toEqual([]);
});
