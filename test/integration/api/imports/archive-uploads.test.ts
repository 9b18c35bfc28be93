/** Exports that are uploaded: who has them, how many, and when they go. No worker runs, so an import stays where it begins. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { startApiServer, type ApiServer, type TestPerson } from "../../../support/api-server.ts";
import { archiveOf } from "../../../support/imports/export-archive.ts";
import { withTexts } from "../../../support/text-database.ts";

let server: ApiServer;
let ada: TestPerson;
let eve: TestPerson;
let bytes: Buffer;
beforeAll(async () => {
  server = await startApiServer({ env: { FORGELINE_IMPORT_ARCHIVE_MAX_BYTES: "2000" } });
  [ada, eve] = await Promise.all([server.person("ada"), server.person("eve")]);
  bytes = await archiveOf({ "a.txt": "a" });
});
afterAll(() => server?.stop());

const send = (person: TestPerson, method: string, path: string, body?: unknown) =>
  server.api(method, path, { token: person.token, ...(body === undefined ? {} : { body }) });
const upload = (person: TestPerson, body: Buffer, name = "export.tar.gz") =>
  send(person, "POST", `/imports/archives?${new URLSearchParams({ name }).toString()}`, body);
const listOf = async (person: TestPerson) => (await send(person, "GET", "/imports/archives")).json;
const stored = async () => {
  const keys: string[] = [];
  for await (const { key } of server.container.platform.objects.list("import-archives/")) keys.push(key);
  return keys;
};
const begin = (person: TestPerson, body: object) =>
  send(person, "POST", "/imports", { source: "github", repository: "octo/hello", ...body });

test("an archive is seen, used and removed by who uploaded it alone, and not while an import reads it", async () => {
  const made = await upload(ada, bytes, "my export.tar.gz");
  expect(made.status).toBe(201);
  const { id } = made.json;
  expect(made.json).toMatchObject({ name: "my export.tar.gz", size_bytes: bytes.length });
  expect((await send(ada, "GET", `/imports/archives/${id}`)).json).toEqual(made.json);
  expect([await listOf(ada), await listOf(eve)]).toEqual([[made.json], []]);
  expect((await send(eve, "GET", `/imports/archives/${id}`)).status).toBe(404);
  expect((await send(eve, "DELETE", `/imports/archives/${id}`)).status).toBe(404);
  expect((await begin(eve, { archive: id })).json.errors).toMatchObject([
    { field: "archive", code: "unknown" },
  ]);
  const withToken = await begin(ada, { archive: id, token: "ghp_1" });
  expect(withToken.json.errors).toMatchObject([{ field: "token", code: "not_allowed" }]);
  expect((await send(ada, "GET", "/repos/ada/hello")).status).toBe(404);
  const begun = await begin(ada, { archive: id });
  expect(begun.json).toMatchObject({ state: "queued", step: "unpack", from_archive: true });
  expect((await send(ada, "DELETE", `/imports/archives/${id}`)).status).toBe(409);
  await send(ada, "POST", `/imports/${begun.json.id}/cancel`);
  expect((await send(ada, "DELETE", `/imports/archives/${id}`)).status).toBe(204);
  expect(await stored()).toEqual([]);
  const again = await send(ada, "POST", `/imports/${begun.json.id}/retry`, {});
  expect([again.status, again.json.message]).toEqual([409, expect.stringContaining("archive was removed")]);
});

test("what is no archive, too large, or one too many leaves nothing", async () => {
  for (const wrong of [Buffer.from("PK\x03\x04"), Buffer.from([0x1f]), Buffer.alloc(0)]) {
    const refused = await upload(ada, wrong);
    expect([refused.status, refused.json.message]).toEqual([422, expect.stringContaining("no .tar.gz")]);
  }
  const large = Buffer.concat([bytes, Buffer.alloc(2_000)]);
  expect((await upload(ada, large)).status).toBe(413);
  expect([await listOf(ada), await stored()]).toEqual([[], []]);
  for (let count = 0; count < 5; count += 1) expect((await upload(ada, bytes)).status).toBe(201);
  const sixth = await upload(ada, bytes);
  expect([sixth.status, sixth.json.message]).toEqual([409, expect.stringContaining("5 archives")]);
  expect(await stored()).toHaveLength(5);
});

test("archives go after a week unless an import reads them, and so do bytes that nobody has", async () => {
  const [first] = await listOf(ada);
  const { id } = (await begin(ada, { archive: first.id, name: "kept" })).json;
  const db = withTexts(server.container.platform.db);
  await db.query("update import_archives set created_at = now() - interval '8 days' where id <> $1", [
    "none",
  ]);
  await db.query(
    "insert into import_records (import_id, list, number, position, record) values ($1, 'labels', 0, 0, '{}')",
    [id],
  );
  await server.container.platform.objects.put("import-archives/iarc_lost", bytes);
  const upkeep = async () => {
    for (const task of server.container.automation.importUpkeep.upkeepTasks)
      await task.run(new AbortController().signal);
  };
  const records = () => db.query("select 1 from import_records", []);
  await upkeep();
  expect([await stored(), await listOf(ada)]).toMatchObject([
    [`import-archives/${first.id}`],
    [{ id: first.id }],
  ]);
  expect(await records()).toHaveLength(1);
  await send(ada, "POST", `/imports/${id}/cancel`);
  await upkeep();
  expect([await stored(), await listOf(ada), await records()]).toEqual([[], [], []]);
});
