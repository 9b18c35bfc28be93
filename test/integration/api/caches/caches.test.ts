/** Caches of jobs: which entries a run finds, who may change what, room, and what people see and remove. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { cacheUploadsPath } from "@forgeline/schemas/caches/job-messages.ts";
import { partBytes } from "@forgeline/schemas/artifacts/limits.ts";
import { newId } from "@forgeline/server/platform/ids.ts";
import { startApiServer, type ApiServer, type TestPerson } from "../../../support/api-server.ts";
import { endJob, sha256 } from "../../../support/job-artifacts.ts";
import {
  askCaches,
  bringCache,
  cacheJob,
  planCache,
  type WantedCacheJob,
} from "../../../support/job-caches.ts";

let server: ApiServer;
let ada: TestPerson;
let eve: TestPerson;
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

const newJob = (repositoryId: string, wanted: WantedCacheJob = {}) =>
  cacheJob(server, { repositoryId, userId: ada.id }, wanted);

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
  const end = `/entries/${begun.json.id}/complete`;
  const completed = await askCaches(server, two.token, "POST", end, { parts: 1 });
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
    const path = `/repos/ada/trust-${trust.replace("_", "-")}/caches`;
    const { json } = await server.api("GET", path, { token: ada.token });
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
  const isTold = (text: string) => [422, expect.stringContaining(text)];
  expect(await ask("/lookup", { position: 0, key: long, restore: [] })).toEqual(isTold("key"));
  expect(await ask("/entries", { position: 0, key: "a\nb" })).toEqual(isTold("control"));
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

test("what was handed over is sent with a token of its own, and others are told that it comes", async () => {
  const { id, path } = await newRepository("handed-over");
  const job = await newJob(id);
  const { db } = server.container.platform;
  const part = bytesOf("deps");
  const announced = { number: 0, sha256: sha256(part), size_bytes: part.length };
  const begun = await askCaches(server, job.token, "POST", "/entries", { position: 0, key: "a" });
  const entry = `/entries/${begun.json.id}`;
  const setCache = (to: string) => db.query(`update caches set ${to} where id = $1`, [begun.json.id]);
  const setAttempt = (to: string) => db.query(`update job_attempts set ${to} where id = $1`, [job.attemptId]);
  const lookUp = async (who: { token: string }, more: object = {}) => {
    const asked = { position: 0, key: "a", restore: ["z"], ...more };
    return (await askCaches(server, who.token, "POST", "/lookup", asked)).json;
  };
  const later = await newJob(id);
  // A runner of before sends it while the job waits: nobody waits for it.
  expect(await lookUp(later)).toMatchObject({ found: null, saving: null });
  const handOver = () => askCaches(server, job.token, "POST", `${entry}/hand-over`, {});
  const first = (await handOver()).json.token as string;
  // After a restart of the runner.
  const { token } = (await handOver()).json as { token: string };
  const send = (method: string, at: string, body: unknown, given = token) =>
    server.api(method, `/${cacheUploadsPath}${at}`, { token: given, body });
  expect((await send("POST", `${entry}/parts`, announced, first)).status).toBe(404);
  expect(await lookUp(later)).toMatchObject({ found: null, saving: { id: begun.json.id, job: "build" } });
  // Those are not told of it that would not find it, and only the runner that has it takes it now.
  const fork = await newJob(id, { trust: "fork" });
  const evil = await askCaches(server, fork.token, "POST", "/entries", { position: 0, key: "evil" });
  await askCaches(server, fork.token, "POST", `/entries/${evil.json.id}/hand-over`, {});
  expect(await lookUp(later, { key: "evil" })).toMatchObject({ found: null, saving: null });
  expect(await lookUp(later, { held: begun.json.id })).toMatchObject({
    found: { exact: true },
    saving: null,
  });
  expect((await askCaches(server, later.token, "GET", `${entry}/parts/0`)).status).toBe(404);
  await setAttempt("state = 'ended', status = 'failed'");
  expect((await send("POST", `${entry}/parts`, announced)).status).toBe(404);
  expect(await lookUp(later)).toMatchObject({ saving: null });
  await setAttempt("status = 'success'");
  // The token of the job has ended with it; that of the entry is good for this entry alone.
  expect((await askCaches(server, job.token, "POST", `${entry}/parts`, announced)).status).toBe(401);
  expect((await send("POST", `/entries/${newId("cache")}/parts`, announced)).status).toBe(404);
  expect((await send("POST", `${entry}/parts`, announced, "svc_upload_none")).status).toBe(401);
  expect((await server.api("GET", "/user", { token })).status).toBe(401);
  // The runner is not heard of for a minute; then it is.
  await db.query("update caches set touched_at = now() - interval '61 seconds' where id = $1", [
    begun.json.id,
  ]);
  expect(await lookUp(later)).toMatchObject({ saving: null });
  expect((await send("POST", `${entry}/parts`, announced)).status).toBe(200);
  expect(await lookUp(later)).toMatchObject({ saving: { id: begun.json.id } });
  await send("PUT", `${entry}/parts/0/${announced.sha256}`, part);
  await setCache("handed_over_at = now() - interval '16 minutes'");
  expect((await send("POST", `${entry}/complete`, { parts: 1 })).status).toBe(404);
  await setCache("handed_over_at = now() - interval '14 minutes'");
  // Given to another runner meanwhile.
  await setAttempt("epoch = epoch + 1");
  expect((await send("POST", `${entry}/complete`, { parts: 1 })).status).toBe(404);
  await setAttempt("epoch = epoch - 1");
  expect((await send("POST", `${entry}/complete`, { parts: 1 })).json).toEqual({ saved: true });
  expect((await send("POST", `${entry}/complete`, { parts: 1 })).json).toEqual({ saved: true });
  expect(await lookUp(later)).toMatchObject({ found: { exact: true, size_bytes: 4 }, saving: null });
  const did = await server.api("GET", `${path}/pipelines/${job.number}/caches`, { token: ada.token });
  expect(did.json).toMatchObject([{ key: "a", saved: { size: 4, cache_id: begun.json.id } }]);
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
