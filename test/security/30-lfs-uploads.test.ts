/** Of one object one upload is under way at a time, whichever server it comes to, and of one owner a bounded number (row 30). */
import { randomBytes } from "node:crypto";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startApiServer, type ApiServer, type TestPerson } from "../support/api-server.ts";
import { eventually } from "../support/eventually.ts";
import { startPart } from "../support/lfs-part-upload.ts";
import {
  lfsBatch,
  lfsDownload,
  lfsObject,
  lfsUpload,
  send,
  startLfsServer,
  type LfsServer,
  type TestObject,
} from "../support/lfs-server.ts";
import { ensure } from "./access-matrix/places.ts";

let server: LfsServer;
let other: ApiServer;
let ada: TestPerson;
const env = { FORGELINE_LFS_UPLOADS_AT_ONCE: "3" };

beforeAll(async () => {
  server = await startLfsServer("file", env);
  other = await startApiServer({ env, beside: server, periods: { keepUploadMs: 20 } });
  ada = await server.person("ada");
  for (const name of ["art", "more"])
    ensure(await server.api("POST", "/repos", { token: ada.token, body: { name } }));
});
afterAll(async () => {
  await other?.stop();
  await server?.stop();
});

async function addressOf(object: TestObject, repository = "ada/art", token = ada.token): Promise<string> {
  const { json } = await lfsBatch(server, repository, "upload", [object], token);
  return json.objects[0].actions.upload.href;
}

const onOther = (href: string) => href.replace(server.webUrl, other.webUrl);

async function drafts(): Promise<string[]> {
  const names = await readdir(join(server.dataDir, "objects"), { recursive: true }).catch(() => []);
  return names.filter((name) => name.includes(".tmp-"));
}

const underWay = async () =>
  (await server.container.platform.db.query("select from lfs_uploads where expires_at > now()")).length;

test("forty uploads of one object to two servers: one draft, and the others are told to come back", async () => {
  const object = lfsObject(randomBytes(400_000));
  const href = await addressOf(object);
  const uploads = Array.from({ length: 40 }, (_, i) =>
    startPart(server, i % 2 === 0 ? href : onOther(href), { object, bytes: 200_000 }),
  );
  const answered: Awaited<(typeof uploads)[0]["answer"]>[] = [];
  for (const { answer } of uploads) void answer.then((one) => answered.push(one));
  await eventually(() => Promise.resolve(answered.length === 39));
  expect(await drafts()).toHaveLength(1);
  for (const { status, retryAfter, message } of answered) {
    expect([status, message]).toEqual([429, expect.stringContaining("already being uploaded")]);
    expect(Number(retryAfter)).toBeGreaterThanOrEqual(5);
    expect(Number(retryAfter)).toBeLessThanOrEqual(30);
  }
  for (const { finish } of uploads) finish();
  await eventually(() => Promise.resolve(answered.length === 40));
  expect(answered[39]?.status).toBe(200);
  expect([await drafts(), await underWay()]).toEqual([[], 0]);
  expect((await lfsDownload(server, "ada/art", object, ada.token)).bytes?.equals(object.bytes)).toBe(true);
});

test("who was cut off finds the place free, and who still sends hears that it is not", async () => {
  const object = lfsObject(randomBytes(8_000_000));
  const href = await addressOf(object);
  const first = startPart(server, href, { object, bytes: 50_000 });
  await eventually(async () => (await drafts()).length === 1);
  expect((await send(server, { href: onOther(href) }, object.bytes)).status).toBe(429);
  first.cut();
  await eventually(async () => (await underWay()) === 0);
  expect(await drafts()).toEqual([]);
  expect((await send(server, { href: onOther(href) }, object.bytes)).status).toBe(200);
});

test("the place of a server that died is free after its time", async () => {
  const [object, left] = [lfsObject(randomBytes(1000)), lfsObject(randomBytes(1000))];
  const href = await addressOf(object);
  await addressOf(left);
  const { db } = server.container.platform;
  const { lfs } = server.container.hosting;
  await db.query(
    `insert into lfs_uploads (repository_id, oid, holder, expires_at)
     select repository_id, oid, 'dead', now() + interval '30 seconds' from lfs_objects where oid = any($1)`,
    [[object.oid, left.oid]],
  );
  expect((await send(server, { href }, object.bytes)).status).toBe(429);
  await db.query("update lfs_uploads set expires_at = now()");
  expect((await send(server, { href }, object.bytes)).status).toBe(200);
  await lfs.cleanup.sweep();
  expect(await db.query("select from lfs_uploads")).toEqual([]);
});

test("an upload lives for as long as it is kept, with its room; one whose place was taken writes no more", async () => {
  const object = lfsObject(randomBytes(100_000));
  const upload = startPart(other, onOther(await addressOf(object)), { object, bytes: 10_000 });
  const { db } = server.container.platform;
  const minutesLeft = async (column: string) => {
    const [row] = await db.query<{ left: number }>(
      `select extract(epoch from ${column} - now())::float8 as left from lfs_uploads u
       join lfs_objects o using (repository_id, oid) where oid = $1`,
      [object.oid],
    );
    return row?.left ?? 0;
  };
  await eventually(async () => (await underWay()) === 1);
  await db.query("update lfs_uploads set expires_at = now() + interval '1 second'");
  await db.query("update lfs_objects set expires_at = now() + interval '1 minute' where stored_at is null");
  await eventually(async () => (await minutesLeft("u.expires_at")) > 20);
  await eventually(async () => (await minutesLeft("o.expires_at")) > 3000);
  await db.query("update lfs_uploads set holder = 'another'");
  await eventually(async () => {
    upload.send(10_000, 10_001);
    return (await drafts()).length === 0;
  });
  await expect(upload.answer).resolves.toMatchObject({ status: 503 });
  upload.cut();
  expect(await db.query("select holder from lfs_uploads")).toEqual([{ holder: "another" }]);
  await db.query("delete from lfs_uploads");
});

test("what is stored is not written again, however often its address is used", async () => {
  const object = lfsObject(randomBytes(100_000));
  const href = await addressOf(object);
  expect((await send(server, { href }, object.bytes)).status).toBe(200);
  const again = startPart(server, href, { object, bytes: 50_000 });
  await eventually(async () => (await underWay()) === 1);
  expect((await send(server, { href }, object.bytes)).status).toBe(429);
  expect(await drafts()).toEqual([]);
  again.finish();
  expect((await again.answer).status).toBe(200);
  const wrong = randomBytes(100_000);
  expect((await send(server, { href }, wrong)).status).toBe(422);
  for await (const { key } of server.container.platform.objects.list("lfs/")) await lose(key, object.size);
  expect((await send(server, { href }, object.bytes)).status).toBe(200);
  expect((await lfsDownload(server, "ada/art", object, ada.token)).bytes?.equals(object.bytes)).toBe(true);
});

async function lose(key: string, size: number): Promise<void> {
  const { objects } = server.container.platform;
  if ((await objects.head(key))?.sizeBytes === size) await objects.delete(key);
}

test("an owner has so many uploads under way in all repositories, and others are not kept from theirs", async () => {
  const objects = Array.from({ length: 4 }, () => lfsObject(randomBytes(100_000)));
  const hrefs = await Promise.all(
    objects.map((object, i) => addressOf(object, i % 2 === 0 ? "ada/art" : "ada/more")),
  );
  const held = objects
    .slice(0, 3)
    .map((object, i) =>
      startPart(server, i === 0 ? hrefs[i]! : onOther(hrefs[i]!), { object, bytes: 50_000 }),
    );
  await eventually(async () => (await underWay()) === 3);
  const fourth = () => send(server, { href: hrefs[3]! }, objects[3]!.bytes);
  const refused = await fourth();
  expect([refused.status, refused.json.message]).toEqual([
    429,
    expect.stringContaining("3 uploads in progress"),
  ]);
  const bob = await server.person("bob");
  ensure(await server.api("POST", "/repos", { token: bob.token, body: { name: "art" } }));
  expect((await lfsUpload(server, "bob/art", objects[0]!, bob.token)).status).toBe(200);
  held[0]!.finish();
  expect((await held[0]!.answer).status).toBe(200);
  expect((await fourth()).status).toBe(200);
  for (const { finish, answer } of held.slice(1)) {
    finish();
    expect((await answer).status).toBe(200);
  }
});
