/** Confirmations that come again: each says what is true then, whatever was true when its address was made (row 30). */
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
    server = await startLfsServer(backend);
    [ada, bob] = [await server.person("ada"), await server.person("bob")];
    for (const person of [ada, bob]) await make(person, "art");
  });
  afterAll(() => server?.stop());

  const make = async (person: TestPerson, name: string) =>
    ensure(await server.api("POST", "/repos", { token: person.token, body: { name } }));
  const actionsFor = async (object: TestObject, { username, token }: TestPerson, name = "art") =>
    (await lfsBatch(server, `${username}/${name}`, "upload", [object], token)).json.objects[0].actions;
  const verify = async (href: string, { oid, size }: { oid: string; size: number }) =>
    (await lfsCall(server, "POST", href, { body: { oid, size } })).status;

  async function sent(person: TestPerson, name = "art") {
    const object = lfsObject(randomBytes(2000));
    const actions = await actionsFor(object, person, name);
    expect((await send(server, actions.upload, object.bytes)).status).toBe(200);
    return { object, href: String(actions.verify.href) };
  }

  async function lose(): Promise<void> {
    for await (const { key } of server.container.platform.objects.list("lfs/"))
      await server.container.platform.objects.delete(key);
  }

  test("at once and again they are one, and the object is stored once", async () => {
    const { object, href } = await sent(ada);
    const statuses = await Promise.all(Array.from({ length: 10 }, () => verify(href, object)));
    expect([...statuses, await verify(href, object)]).toEqual(Array.from({ length: 11 }, () => 200));
    const rows = await server.container.platform.db.query<{ stored: boolean }>(
      "select stored_at is not null as stored from lfs_objects where oid = $1",
      [object.oid],
    );
    expect(rows).toEqual([{ stored: true }]);
  });

  test("of somebody else's object, or of an address for another, nothing is had", async () => {
    const { object, href } = await sent(bob);
    const own = await sent(ada);
    expect(await verify(own.href, object)).toBe(422);
    expect(await verify(href.replace("bob/art", "ada/art"), object)).toBe(404);
    const claimed = await actionsFor(object, ada);
    expect(await verify(claimed.verify.href, object)).toBe(404);
    expect((await lfsDownload(server, "ada/art", object, ada.token)).status).toBe(404);
  });

  test("of what is gone they say so: its bytes, its room, its repository", async () => {
    const { object, href } = await sent(ada);
    expect(await verify(href, object)).toBe(200);
    await lose();
    expect(await verify(href, object)).toBe(404);
    expect((await lfsUpload(server, "ada/art", object, ada.token)).status).toBe(200);
    const left = lfsObject(randomBytes(2000));
    const { verify: late } = await actionsFor(left, ada);
    await server.container.platform.db.query(
      "update lfs_objects set expires_at = now() - interval '2 days' where oid = $1",
      [left.oid],
    );
    await server.container.hosting.lfs.cleanup.sweep();
    expect(await verify(late.href, left)).toBe(404);
    await make(ada, "short");
    const last = await sent(ada, "short");
    expect((await server.api("DELETE", "/repos/ada/short", { token: ada.token })).status).toBeLessThan(300);
    expect(await verify(last.href, last.object)).toBe(404);
  });
});
