/** Every way to reach a target: with credentials over HTTPS, and over SSH with a key and a pinned host key; its Git LFS; what is no target. */
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { maxPushMirrors } from "@forgeline/schemas/push-mirrors/resource.ts";
import { eventually } from "../../../support/eventually.ts";
import { lfsObject, lfsUpload } from "../../../support/lfs-server.ts";
import { startMirrorBed, type Mirrored, type MirrorBed } from "../../../support/mirror-bed.ts";
import { addPushMirror, createTarget } from "../../../support/push-mirror-bed.ts";

let bed: MirrorBed;
beforeAll(async () => {
  bed = await startMirrorBed({ name: "push-targets", env: { FORGELINE_SSH_PORT: "0" } });
});
afterAll(() => bed?.close());
afterEach(() => {
  bed.source.answer = (_request, _response, usual) => usual();
});

const basic = (text: string) => `Basic ${Buffer.from(text).toString("base64")}`;
const own = ({ name }: Mirrored) => `https://localhost:${bed.server.httpsPort}/ada/${name}.git`;
const withToken = (url: string) => url.replace("https://", `https://x:${bed.ada.token}@`);

test("credentials from the address are sent to the target, stored apart and never shown", async () => {
  const repository = await bed.repository({ readme: true });
  const target = await createTarget(bed);
  bed.source.answer = (request, response, usual) =>
    request.headers.authorization === basic("bot:s3cret/x")
      ? usual()
      : void response.writeHead(401, { "www-authenticate": "Basic" }).end();
  const url = target.url.replace("https://", "https://bot:s3cret%2Fx@");
  const mirror = await addPushMirror(bed, repository, { url, on_push: false });
  expect(await mirror.ended()).toMatchObject({ status: "succeeded", changed_refs: 1 });
  const shown = await bed.send("GET", mirror.at);
  expect(shown.json).toMatchObject({ url: target.url, username: "bot" });
  expect(shown.text).not.toContain("s3cret");
  for (const action of ["create", "update", "sync"]) {
    const log = await bed.send("GET", `/admin/audit-log?action=push_mirror.${action}`);
    expect(log.text).not.toContain("s3cret");
  }
  // A change of something else keeps them; another host does not get them.
  await mirror.change({ prune: false });
  expect(await mirror.sync()).toMatchObject({ status: "succeeded" });
  await mirror.change({ url: target.url.replace("localhost", "127.0.0.1") });
  expect(await mirror.get()).toMatchObject({ username: null });
  expect(await mirror.sync()).toMatchObject({
    status: "failed",
    error: "The target did not accept the credentials, or requires some.",
  });
});

test("over SSH a key is made, and the first host key is the only one that is accepted", async () => {
  const [repository, target] = [await bed.repository({ readme: true }), await bed.repository()];
  const url = `ssh://git@localhost:${bed.server.sshPort}/ada/${target.name}.git`;
  const mirror = await addPushMirror(bed, repository, { url, on_push: false });
  expect(await mirror.ended()).toMatchObject({
    status: "failed",
    error: "The target did not accept the SSH key. Add the public key of the mirror there.",
  });
  const waiting = await mirror.get();
  const key = { title: "mirror", key: waiting.public_key };
  const reading = await bed.send("POST", `${target.at}/deploy-keys`, { ...key, permission: "read" });
  expect(await mirror.sync()).toMatchObject({ status: "failed", changed_refs: 0 });
  await bed.send("DELETE", `${target.at}/deploy-keys/${reading.json.id}`);
  await bed.send("POST", `${target.at}/deploy-keys`, { ...key, permission: "write" });
  expect(await mirror.sync()).toMatchObject({ status: "succeeded", changed_refs: 1 });
  expect(await target.refs()).toEqual(await repository.refs());
  const pinned = await mirror.get();
  expect(pinned.host_key_fingerprint).toMatch(/^SHA256:/);
  await mirror.change({ host_key: waiting.public_key });
  expect(await mirror.sync()).toMatchObject({
    status: "failed",
    error: expect.stringContaining("The target showed another host key than the one that is known."),
  });
  await mirror.change({ host_key: null });
  expect(await mirror.sync()).toMatchObject({ status: "succeeded" });
  const large = lfsObject("large, over SSH");
  await lfsUpload(bed.server, `ada/${repository.name}`, large, bed.ada.token);
  await commitPointer(repository, large);
  // The change of the key has begun a sync of its own, which may be the one that sends it.
  expect(await mirror.sync()).toMatchObject({ status: "succeeded", notes: [] });
  await eventually(async () => (await stored(target)).includes(large.oid));
  expect((await mirror.get()).host_key).toBe(pinned.host_key);
});

async function commitPointer({ at }: Mirrored, { oid, size }: ReturnType<typeof lfsObject>): Promise<void> {
  const text = `version https://git-lfs.github.com/spec/v1\noid sha256:${oid}\nsize ${size}\n`;
  const path = `${oid.slice(0, 8)}.bin`;
  const content = Buffer.from(text).toString("base64");
  await bed.send("PUT", `${at}/contents/${path}`, { message: path, content, branch: "main" });
}

async function stored({ id }: Mirrored): Promise<string[]> {
  const sql = "select oid from lfs_objects where repository_id = $1 and stored_at is not null order by oid";
  return (await bed.database.query<{ oid: string }>(sql, [id])).map(({ oid }) => oid);
}

test("Git LFS objects go before the commits that need them, once, and all of them when they are wanted later", async () => {
  const [repository, target, late] = [await bed.repository(), await bed.repository(), await bed.repository()];
  const [first, second, absent] = [lfsObject("first"), lfsObject("second"), lfsObject("never uploaded")];
  for (const object of [first, second])
    await lfsUpload(bed.server, `ada/${repository.name}`, object, bed.ada.token);
  await commitPointer(repository, first);
  const mirror = await addPushMirror(bed, repository, { url: withToken(own(target)), on_push: false });
  expect(await mirror.ended()).toMatchObject({ status: "succeeded", lfs_objects: 1 });
  expect(await stored(target)).toEqual([first.oid]);
  await commitPointer(repository, second);
  await commitPointer(repository, absent);
  expect(await mirror.sync()).toMatchObject({
    status: "succeeded",
    lfs_objects: 1,
    notes: ["1 Git LFS object was not sent: never uploaded here."],
  });
  expect(await stored(target)).toEqual([first.oid, second.oid].toSorted());
  const without = await addPushMirror(bed, repository, {
    url: withToken(own(late)),
    lfs: false,
    on_push: false,
  });
  expect(await without.ended()).toMatchObject({ status: "succeeded", lfs_objects: 0 });
  await without.change({ lfs: true });
  expect(await without.sync()).toMatchObject({ status: "succeeded" });
  expect(await stored(late)).toEqual([first.oid, second.oid].toSorted());
  const plain = await createTarget(bed);
  const refused = await addPushMirror(bed, repository, { url: plain.url, on_push: false });
  expect(await refused.ended()).toMatchObject({
    status: "failed",
    error: expect.stringMatching(
      /files in Git LFS, but the LFS server at localhost:\d+ answered with status 404/,
    ),
  });
  expect(await plain.refs()).toEqual([]);
});

test("a repository pushes neither to itself, nor twice to a target, nor over git://, nor to too many targets", async () => {
  const repository = await bed.repository();
  const add = (url: string) => bed.send("POST", `${repository.at}/push-mirrors`, { url, enabled: false });
  const itself = await add(own(repository).replace("/ada/", "/Ada/"));
  expect(itself.json.errors).toMatchObject([{ field: "url", code: "circle" }]);
  const daemon = await add("git://git.example.com/x.git");
  expect(daemon.json.errors).toMatchObject([{ field: "url", code: "not_allowed" }]);
  const first = await add("https://git.example.com/0.git");
  expect((await add("https://git.example.com/0.git")).status).toBe(409);
  for (let count = 1; count < maxPushMirrors; count += 1)
    expect((await add(`https://git.example.com/${count}.git`)).status).toBe(201);
  expect((await add("https://git.example.com/more.git")).json.message).toContain(`at most ${maxPushMirrors}`);
  const at = `${repository.at}/push-mirrors/${first.json.id}`;
  expect((await bed.send("PATCH", at, { url: "https://git.example.com/1.git" })).status).toBe(409);
  const timed = await bed.send("PATCH", at, { cron: "15 3 * * 1", timezone: "Europe/Berlin" });
  expect(timed.json).toMatchObject({ cron: "15 3 * * 1", timezone: "Europe/Berlin", interval_minutes: null });
  const kept = await bed.send("PATCH", at, { prune: false });
  expect(kept.json).toMatchObject({
    cron: "15 3 * * 1",
    prune: false,
    refs: ["refs/heads/*", "refs/tags/*"],
  });
  const again = await bed.send("PATCH", at, { interval_minutes: 30 });
  expect(again.json).toMatchObject({ cron: null, timezone: null, interval_minutes: 30 });
  const bad = await bed.send("PATCH", at, { timezone: "Europe/Berlin" });
  expect(bad.json.errors).toMatchObject([{ field: "timezone", code: "contradiction" }]);
});

test("the mirrors of a repository with another owner are paused", async () => {
  const repository = await bed.repository({ readme: true });
  const target = await createTarget(bed);
  const mirror = await addPushMirror(bed, repository, { url: target.url });
  const org = `org${bed.source.port}`;
  await bed.send("POST", "/orgs", { name: org });
  const moved = await bed.send("POST", `${repository.at}/transfer`, { new_owner: org });
  expect([200, 201, 202]).toContain(moved.status);
  const shown = await bed.send("GET", mirror.at.replace("/ada/", `/${org}/`));
  expect(shown.json).toMatchObject({ enabled: false, disabled_reason: "transferred", status: "paused" });
});
