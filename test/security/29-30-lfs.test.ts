/**
 * LFS objects belong to a repository only when their bytes were sent to it, and never take more than they were announced
 * with (rows 29 and 30), with objects in files and in S3.
 */
import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { TestPerson } from "../support/api-server.ts";
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
} from "../support/lfs-server.ts";
import { ensure } from "./access-matrix/places.ts";

describe.each(["file", "s3"] as const)("objects in %s", (backend) => {
  let server: LfsServer;
  let ada: TestPerson;
  let bob: TestPerson;
  beforeAll(async () => {
    server = await startLfsServer(backend, { FORGELINE_LFS_FREE_BYTES: "100000" });
    [ada, bob] = [await server.person("ada"), await server.person("bob")];
    for (const person of [ada, bob]) await makeRepository(person, "art");
  });
  afterAll(() => server?.stop());

  const makeRepository = async (person: TestPerson, name: string) =>
    ensure(await server.api("POST", "/repos", { token: person.token, body: { name } })).json;

  async function actionsFor(repository: string, object: TestObject, token: string) {
    const { json } = await lfsBatch(server, repository, "upload", [object], token);
    return json.objects[0].actions;
  }
  const verify = (href: string, { oid, size }: { oid: string; size: number }) =>
    lfsCall(server, "POST", href, { body: { oid, size } });
  const refused = backend === "file" ? [422] : [400, 403];

  test("whoever knows an id has not thereby its bytes, nor a way to claim them", async () => {
    const secret = lfsObject(randomBytes(5000));
    expect((await lfsUpload(server, "bob/art", secret, bob.token)).status).toBe(200);
    expect((await lfsDownload(server, "bob/art", secret, bob.token)).bytes?.equals(secret.bytes)).toBe(true);
    expect((await lfsDownload(server, "ada/art", secret, ada.token)).status).toBe(404);
    const actions = await actionsFor("ada/art", secret, ada.token);
    expect(actions.upload.href).toBeTruthy();
    expect((await verify(actions.verify.href, secret)).status).toBe(404);
    expect((await lfsDownload(server, "ada/art", secret, ada.token)).status).toBe(404);
    const wrong = randomBytes(5000);
    expect(refused).toContain((await send(server, actions.upload, wrong)).status);
    expect((await verify(actions.verify.href, secret)).status).toBe(404);
    expect((await lfsDownload(server, "ada/art", secret, ada.token)).status).toBe(404);
    const lock = await lfsCall(
      server,
      "POST",
      { repository: "ada/art", path: "/locks" },
      { token: ada.token, body: { path: secret.oid } },
    );
    expect(lock.status).toBe(201);
    expect((await lfsDownload(server, "ada/art", secret, ada.token)).status).toBe(404);
    expect((await lfsDownload(server, "bob/art", secret, ada.token)).status).toBe(404);
  });

  test("an announced size is one that a number can hold, and that the object has", async () => {
    for (const size of [-1, 2 ** 63, 1.5, 20_000_000_000]) {
      const object = { oid: "a".repeat(64), size };
      const { json } = await lfsBatch(server, "ada/art", "upload", [object], ada.token);
      expect([size, json.objects[0].actions]).toEqual([size, undefined]);
      expect([413, 422]).toContain(json.objects[0].error.code);
    }
    for (const oid of [
      "../../etc/passwd",
      "%2e%2e",
      "A".repeat(64),
      "a".repeat(63),
      "a\0b",
      "x".repeat(200),
    ]) {
      const { json } = await lfsBatch(server, "ada/art", "upload", [{ oid, size: 1 }], ada.token);
      expect([oid, json.objects[0].error.code]).toEqual([oid, 422]);
    }
    const object = lfsObject(randomBytes(1000));
    for (const size of [999, 1001]) {
      const lie = { ...object, size };
      const actions = await actionsFor("ada/art", lie, ada.token);
      const short = object.bytes.subarray(0, Math.min(size, 1000));
      const bytes = size > 1000 ? Buffer.concat([object.bytes, Buffer.of(0)]) : short;
      for (const sent of [object.bytes, bytes])
        expect(refused).toContain((await send(server, actions.upload, sent)).status);
      expect((await verify(actions.verify.href, lie)).status).toBe(404);
    }
    expect((await lfsUpload(server, "ada/art", object, ada.token)).status).toBe(200);
    const wrongSize = await lfsBatch(server, "ada/art", "upload", [{ ...object, size: 999 }], ada.token);
    expect(wrongSize.json.objects[0].error).toMatchObject({ code: 422 });
  });

  test("an address is good for its method, object, size and repository alone", async () => {
    const object = lfsObject(randomBytes(700));
    const { upload, verify: confirm } = await actionsFor("ada/art", object, ada.token);
    const own = new URL(confirm.href);
    const put = own.href.replace("/verify?", "?");
    const spoilt = [
      own.href.replace(object.oid, "b".repeat(64)),
      own.href.replace("size=700", "size=701"),
      own.href.replace(/repository=repo_./, "repository=repo_9"),
      own.href.replace(/by=tok_./, "by=tok_9"),
      own.href.replace(/expires=./, "expires=9"),
      own.href.replace(/signature=.{4}/, "signature=AAAA"),
      own.href.replace(/&signature=.*/, ""),
    ];
    for (const href of spoilt) expect([href, (await verify(href, object)).status]).toEqual([href, 403]);
    expect((await verify(own.href.replace("ada/art", "bob/art"), object)).status).toBe(404);
    expect((await lfsCall(server, "PUT", put, { body: object.bytes })).status).toBe(403);
    expect((await lfsCall(server, "GET", put)).status).toBe(403);
    const elsewhere = { href: upload.href.replace("/lfs/", "/logs/"), method: "PUT" };
    const direct = ["GET", "DELETE", "HEAD"].map((method) => ({ href: upload.href, method }));
    for (const { href, method } of backend === "s3" ? [...direct, elsewhere] : [])
      expect([method, (await fetch(href, { method })).status]).toEqual([method, 403]);
    expect(upload.expires_in).toBeLessThanOrEqual(900);
    expect(confirm.expires_in).toBeLessThanOrEqual(900);
  });

  test("sent again, an upload changes nothing; past the quota it is refused, whatever address it has", async () => {
    const free = await freePerson("replay");
    const first = lfsObject(randomBytes(60_000));
    const actions = await actionsFor("replay/art", first, free.token);
    await send(server, actions.upload, first.bytes);
    expect((await verify(actions.verify.href, first)).status).toBe(200);
    expect((await send(server, actions.upload, first.bytes)).status).toBe(200);
    expect((await verify(actions.verify.href, first)).status).toBe(200);
    expect(await usedBy(free)).toBe(60_000);
    const second = lfsObject(randomBytes(40_000));
    const later = await actionsFor("replay/art", second, free.token);
    await server.container.platform.db.query(
      "update lfs_objects set expires_at = now() where stored_at is null",
    );
    expect((await lfsUpload(server, "replay/art", lfsObject(randomBytes(30_000)), free.token)).status).toBe(
      200,
    );
    const sent = await send(server, later.upload, second.bytes);
    const settled = sent.status === 200 ? await verify(later.verify.href, second) : sent;
    expect([settled.status, settled.json.message]).toEqual([403, expect.stringContaining("quota_exceeded")]);
    expect(await usedBy(free)).toBe(90_000);
    expect((await lfsDownload(server, "replay/art", second, free.token)).status).toBe(404);
  });

  test("objects of one batch have room together, or those do not that come last", async () => {
    const free = await freePerson("batch");
    const objects = [60_000, 50_000, 40_000].map((bytes) => lfsObject(randomBytes(bytes)));
    const { json } = await lfsBatch(server, "batch/art", "upload", objects, free.token);
    const answers = json.objects.map(({ error }: { error?: { code: number } }) => error?.code ?? "room");
    expect(answers).toEqual(["room", 403, "room"]);
  });

  test("a hundred uploads of the last byte: one has room", async () => {
    const free = await freePerson("last");
    expect((await lfsUpload(server, "last/art", lfsObject(randomBytes(95_000)), free.token)).status).toBe(
      200,
    );
    const objects = Array.from({ length: 100 }, () => lfsObject(randomBytes(5000)));
    const answers = await Promise.all(
      objects.map((object) => lfsUpload(server, "last/art", object, free.token)),
    );
    const taken = answers.filter(({ json }) => !json.objects);
    expect(taken.map(({ status }) => status)).toEqual([200]);
    for (const { json } of answers.filter((answer) => answer !== taken[0]))
      expect(json.objects[0].error).toMatchObject({ code: 403 });
    expect(await usedBy(free)).toBe(100_000);
  });

  test("what is in two repositories of an owner counts once; a new owner needs room for it", async () => {
    const free = await freePerson("twice");
    await makeRepository(free, "copy");
    const object = lfsObject(randomBytes(80_000));
    for (const name of ["art", "copy"])
      expect((await lfsUpload(server, `twice/${name}`, object, free.token)).status).toBe(200);
    expect(await usedBy(free)).toBe(80_000);
    const full = await freePerson("full");
    expect((await lfsUpload(server, "full/art", lfsObject(randomBytes(30_000)), full.token)).status).toBe(
      200,
    );
    const give = (name: string) =>
      server.api("POST", `/repos/twice/${name}/transfer`, { token: free.token, body: { new_owner: "full" } });
    expect((await give("copy")).status).toBe(202);
    const accept = () => server.api("POST", "/repos/twice/copy/transfer/accept", { token: full.token });
    expect((await accept()).json).toMatchObject({ error: "quota_exceeded" });
    await server.container.platform.db.query("update users set plan = 'pro' where id = $1", [full.id]);
    expect((await accept()).status).toBe(200);
    expect([await usedBy(free), await usedBy(full)]).toEqual([80_000, 110_000]);
  });

  async function freePerson(username: string): Promise<TestPerson> {
    const person = await server.person(username);
    await server.container.platform.db.query("update users set plan = 'free' where id = $1", [person.id]);
    await makeRepository(person, "art");
    return person;
  }

  /** Different stored objects of all repositories of the person, as the tables have them. */
  async function usedBy(person: TestPerson): Promise<number> {
    const [row] = await server.container.platform.db.query<{ bytes: number }>(
      `select coalesce(sum(size_bytes), 0)::bigint as bytes from (select distinct oid, size_bytes from lfs_objects o
       join repositories r on r.id = o.repository_id where r.owner_id = $1 and stored_at is not null) as d`,
      [person.id],
    );
    return row?.bytes ?? 0;
  }
});
