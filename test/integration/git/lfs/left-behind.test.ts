/** What uploads that fail leave: nothing. Full disks, cut connections, dead writers, uploads that nobody confirmed. */
import { randomBytes } from "node:crypto";
import { mkdir, readdir, utimes, writeFile } from "node:fs/promises";
import { request } from "node:https";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { TestPerson } from "../../../support/api-server.ts";
import { eventually } from "../../../support/eventually.ts";
import {
  lfsBatch,
  lfsCall,
  lfsDownload,
  lfsObject,
  lfsUpload,
  send,
  startLfsServer,
  type LfsServer,
  type TestObject,
} from "../../../support/lfs-server.ts";
import { mountSmallDisk } from "../../../support/small-disk.ts";

describe.each(["file", "s3"] as const)("objects in %s", (backend) => {
  let server: LfsServer;
  let ada: TestPerson;
  let root: TestPerson;
  beforeAll(async () => {
    server = await startLfsServer(backend);
    [ada, root] = [await server.person("ada"), await server.person("root", { isAdmin: true })];
    await server.api("POST", "/repos", { token: ada.token, body: { name: "art", auto_init: true } });
  });
  afterAll(() => server?.stop());

  const uploadAction = async (object: TestObject) =>
    (await lfsBatch(server, "ada/art", "upload", [object], ada.token)).json.objects[0].actions?.upload;

  async function storedKeys(): Promise<string[]> {
    const keys = [];
    const [row] = await server.container.platform.db.query("select id from repositories where name = 'art'");
    for await (const { key } of server.container.platform.objects.list(`lfs/${String(row?.["id"])}/`))
      keys.push(key);
    return keys;
  }

  /** Drafts of the file store; S3 shows none. */
  async function drafts(): Promise<string[]> {
    if (backend === "s3") return [];
    const names = await readdir(join(server.dataDir, "objects"), { recursive: true }).catch(() => []);
    return names.filter((name) => name.includes(".tmp-"));
  }

  it("a connection that is cut leaves nothing, and the next upload works", async () => {
    const object = lfsObject(randomBytes(500_000));
    const { href, header } = await uploadAction(object);
    if (backend === "file") {
      const call = request(href, {
        method: "PUT",
        ca: server.ca,
        agent: false,
        headers: { ...header, "Content-Length": String(object.size) },
      });
      call.on("error", () => undefined);
      call.write(object.bytes.subarray(0, 200_000));
      await eventually(async () => (await drafts()).length === 1);
      call.destroy();
      await eventually(async () => (await drafts()).length === 0);
    }
    expect(await storedKeys()).toEqual([]);
    expect((await lfsUpload(server, "ada/art", object, ada.token)).status).toBe(200);
    expect(await storedKeys()).toHaveLength(1);
  });

  it("an upload that nobody confirmed is taken by the next batch, and removed some time after its room ran out", async () => {
    const [kept, left] = [lfsObject(randomBytes(100)), lfsObject(randomBytes(200))];
    const before = (await storedKeys()).length;
    for (const object of [kept, left]) {
      const action = await uploadAction(object);
      // Through the server, sending is confirming.
      const sent = backend === "s3" ? await send(server, action, object.bytes) : { status: 200 };
      expect(sent.status).toBe(200);
    }
    expect((await uploadAction(kept)) === undefined).toBe(backend === "s3");
    expect((await lfsDownload(server, "ada/art", kept, ada.token)).status).toBe(backend === "s3" ? 200 : 404);
    // To S3 an upload may still be under way.
    const hours = backend === "s3" ? 24 : 1;
    const { db } = server.container.platform;
    const { lfs } = server.container.hosting;
    const endRoom = (minutesAgo: number) =>
      db.query(
        "update lfs_objects set expires_at = now() - $1 * interval '1 minute' where stored_at is null",
        [minutesAgo],
      );
    await endRoom(hours * 60 - 1);
    expect(await lfs.cleanup.sweep()).toBe(0);
    await endRoom(hours * 60 + 1);
    expect(await lfs.cleanup.sweep()).toBe(backend === "s3" ? 1 : 2);
    expect(await storedKeys()).toHaveLength(backend === "s3" ? before + 1 : before);
  });

  it("hundreds that nobody sent are removed, and nothing of those that are waited for or stored", async () => {
    const object = lfsObject(randomBytes(400));
    await lfsUpload(server, "ada/art", object, ada.token);
    const waited = lfsObject(randomBytes(500));
    await uploadAction(waited);
    const { db } = server.container.platform;
    const { lfs } = server.container.hosting;
    await db.query(
      `insert into lfs_objects (repository_id, oid, size_bytes, expires_at)
       select id, encode(sha256(i::text::bytea), 'hex'), 0, now() - interval '2 days'
       from repositories, generate_series(1, 401) as i where name = 'art'`,
    );
    expect(await lfs.cleanup.sweep()).toBe(401);
    const left = await db.query("select oid from lfs_objects where oid = any($1)", [
      [object.oid, waited.oid],
    ]);
    expect(left).toHaveLength(2);
    expect((await lfsDownload(server, "ada/art", object, ada.token)).status).toBe(200);
  });

  it("an object that the store lost is asked for again", async () => {
    const object = lfsObject(randomBytes(300));
    await lfsUpload(server, "ada/art", object, ada.token);
    expect(await uploadAction(object)).toBeUndefined();
    for (const key of await storedKeys()) await server.container.platform.objects.delete(key);
    expect((await lfsDownload(server, "ada/art", object, ada.token)).status).toBe(404);
    expect((await lfsUpload(server, "ada/art", object, ada.token)).status).toBe(200);
    expect((await lfsDownload(server, "ada/art", object, ada.token)).bytes?.equals(object.bytes)).toBe(true);
  });

  it("is counted as storage, and goes with its repository", async () => {
    await server.container.platform.db.query("update repository_measurements set due_at = now()");
    await server.container.hosting.storageMeter.measureDue();
    const [row] = await server.container.platform.db.query(
      "select sum(size_bytes)::bigint as bytes from lfs_objects where stored_at is not null",
    );
    const use = (await server.api("GET", "/admin/storage", { token: root.token })).json;
    expect(use.repositories.lfs_bytes).toBe(row?.["bytes"]);
    expect(use.repositories.lfs_bytes).toBeGreaterThan(500_000);
    const [owner] = (await server.api("GET", "/admin/storage/owners", { token: root.token })).json;
    expect(owner).toMatchObject({ owner: "ada", lfs_bytes: row?.["bytes"] });
    const keys = await storedKeys();
    expect(keys.length).toBeGreaterThan(0);
    await server.api("DELETE", "/repos/ada/art", { token: ada.token });
    await server.container.platform.db.query(
      "update repositories set deleted_at = now() - interval '8 days'",
    );
    await server.container.hosting.repositoryDeletion.sweep();
    for (const key of keys) expect(await server.container.platform.objects.head(key)).toBeUndefined();
    expect(await server.container.platform.db.query("select oid from lfs_objects")).toEqual([]);
  });
});

it("drafts of writers that died go, those of the living stay", async () => {
  const server = await startLfsServer("file");
  try {
    const directory = join(server.dataDir, "objects", "ab", "lfs", "x");
    await mkdir(directory, { recursive: true });
    for (const [name, minutes] of [
      [".tmp-dead", 20],
      [".tmp-alive", 5],
    ] as const) {
      await writeFile(join(directory, name), "x");
      const then = new Date(Date.now() - minutes * 60_000);
      await utimes(join(directory, name), then, then);
    }
    expect(await server.container.hosting.lfs.cleanup.sweep()).toBe(1);
    expect(await readdir(directory)).toEqual([".tmp-alive"]);
  } finally {
    await server.stop();
  }
});

it("a full disk is 507 for who writes, reads go on, and it heals with the space", async () => {
  const server = await startLfsServer("file");
  const objects = join(server.dataDir, "objects");
  await mkdir(objects, { recursive: true });
  const disk = mountSmallDisk(objects, "4m");
  try {
    const ada = await server.person("ada");
    await server.api("POST", "/repos", { token: ada.token, body: { name: "art" } });
    const small = lfsObject(randomBytes(100_000));
    expect((await lfsUpload(server, "ada/art", small, ada.token)).status).toBe(200);
    const large = lfsObject(randomBytes(5_000_000));
    const refused = await lfsUpload(server, "ada/art", large, ada.token);
    expect([refused.status, refused.headers["retry-after"]]).toEqual([507, "60"]);
    expect(refused.json.message).toContain("not have enough space");
    expect((await readdir(objects, { recursive: true })).filter((name) => name.includes(".tmp-"))).toEqual(
      [],
    );
    expect((await lfsDownload(server, "ada/art", small, ada.token)).bytes?.equals(small.bytes)).toBe(true);
    expect((await lfsDownload(server, "ada/art", large, ada.token)).status).toBe(404);
    disk.grow("16m");
    expect((await lfsUpload(server, "ada/art", large, ada.token)).status).toBe(200);
    const again = await lfsCall(
      server,
      "POST",
      { repository: "ada/art", path: "/objects/batch" },
      {
        token: ada.token,
        body: { operation: "upload", objects: [{ oid: large.oid, size: large.size }] },
      },
    );
    expect(again.json.objects[0].actions).toBeUndefined();
  } finally {
    disk.remove();
    await server.stop();
  }
});
