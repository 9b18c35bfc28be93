/** Secrets over REST: who sets them where, what is refused, and that no answer shows a value. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { startApiServer, type ApiServer, type TestPerson } from "../../../support/api-server.ts";

let server: ApiServer;
let ada: TestPerson;
let ben: TestPerson;
let chief: TestPerson;
beforeAll(async () => {
  server = await startApiServer();
  [ada, ben] = [await server.person("ada"), await server.person("ben")];
  chief = await server.person("chief", { isAdmin: true });
  await api("POST", "/orgs", ada, { name: "acme" });
  await api("POST", "/repos", ada, { name: "app", owner: "acme" });
  await api("PUT", "/repos/acme/app/collaborators/ben", ada, { permission: "write" });
});
afterAll(() => server?.stop());

const api = (method: string, path: string, { token }: TestPerson, body?: unknown) =>
  server.api(method, path, { token, ...(body === undefined ? {} : { body }) });
const repository = "/repos/acme/app/secrets";
const value = "a value that nobody sees";

it("are set, listed without their values, replaced as a whole, and deleted, in each place", async () => {
  for (const [place, by, web] of [
    [repository, ben, "/acme/app/settings/secrets/KEY"],
    ["/orgs/acme/secrets", ada, "/orgs/acme/secrets/KEY"],
    ["/admin/secrets", chief, "/-/admin/secrets/KEY"],
  ] as const) {
    const limits = {
      branches: ["main"],
      tags: ["v*"],
      events: ["push"],
      stages: ["deploy"],
      images: ["a:*"],
    };
    const created = await api("PUT", `${place}/KEY`, by, { value, ...limits });
    expect(created).toMatchObject({
      status: 201,
      json: { name: "KEY", ...limits, updated_by: by.username, last_used_at: null },
    });
    expect(created.headers.location).toBe(created.json.url);
    expect(created.json.url).toBe(`${server.baseUrl}${place}/KEY`);
    expect(new URL(created.json.web_url).pathname).toBe(web);
    const listed = await api("GET", place, by);
    expect(listed.json).toEqual([created.json]);
    const replaced = await api("PUT", `${place}/KEY`, by, { value: `${value} 2` });
    expect([replaced.status, replaced.text]).toEqual([204, ""]);
    const after = await api("GET", place, by);
    expect(after.json).toMatchObject([{ id: created.json.id, branches: [], events: [], images: [] }]);
    const uses = await api("GET", `${place}/KEY/uses`, by);
    expect([uses.status, uses.json]).toEqual([200, []]);
    for (const { text } of [created, listed, after, uses]) expect(text).not.toContain("nobody sees");
    expect((await api("DELETE", `${place}/KEY`, by)).status).toBe(204);
    for (const [method, path] of [
      ["DELETE", `${place}/KEY`],
      ["GET", `${place}/KEY/uses`],
    ] as const)
      expect((await api(method, path, by)).status).toBe(404);
  }
});

it("belong to who may write there, and to nobody else", async () => {
  const eve = await server.person("eve");
  expect((await api("PUT", `${repository}/KEY`, eve, { value })).status).toBe(404);
  expect((await api("PUT", "/orgs/acme/secrets/KEY", ben, { value })).status).toBe(404);
  expect((await api("PUT", "/admin/secrets/KEY", ada, { value })).status).toBe(403);
});

it.each([
  [{ value: "short" }, "value", "At least 6 characters."],
  [{ value: "ü".repeat(32 * 1024 + 1) }, "value", "At most 65536 bytes."],
  [{ value: "nul \0 is no text" }, "value", "Text without NUL. Encode other bytes, for example as base64."],
  [{ branches: ["main"] }, "value", expect.any(String)],
  [{ value, events: ["deploy"] }, "events.0", expect.any(String)],
  [{ value, branches: [""] }, "branches.0", expect.any(String)],
  [{ value, environment: ["production"] }, "environment", expect.any(String)],
])("%j is refused", async (body, field, message) => {
  const { status, json } = await api("PUT", `${repository}/KEY`, ada, body);
  const [problem] = json.errors as { field: string; message: string }[];
  expect([status, problem?.field, problem?.message]).toEqual([422, field, message]);
});

it.each([
  [repository, ["app"], "repositories", "Only secrets of an organization or of the instance can be limited"],
  ["/orgs/acme/secrets", ["app", "acme/app"], "repositories.1", "Names without the organization"],
  ["/admin/secrets", ["app"], "repositories.0", "Owner and name"],
])("%s does not take the repositories %j", async (place, repositories, field, message) => {
  const { status, json } = await api("PUT", `${place}/KEY`, place.startsWith("/admin") ? chief : ada, {
    value,
    repositories,
  });
  const [problem] = json.errors as { field: string; message: string }[];
  expect([status, problem?.field, problem?.message]).toEqual([422, field, expect.stringContaining(message)]);
});

it("take 64 KiB, and no name that is the server's or no variable's", async () => {
  const large = "x".repeat(64 * 1024);
  expect((await api("PUT", `${repository}/LARGE`, ada, { value: large })).status).toBe(201);
  for (const name of ["CI_KEY", "1KEY", "A-B", "x".repeat(101)])
    expect([name, (await api("PUT", `${repository}/${name}`, ada, { value })).status]).toEqual([name, 404]);
});

it("are at most 500 in one place, which a replacement does not count towards", async () => {
  const { db } = server.container.platform;
  const org = await api("GET", "/orgs/acme", ada);
  await db.query(
    "insert into secrets (id, organization_id, name) select 'sec_' || n, $1, 'S' || n from generate_series(1, 500) n",
    [org.json.id],
  );
  const full = await api("PUT", "/orgs/acme/secrets/MORE", ada, { value });
  expect([full.status, full.json.message]).toEqual([409, "There can be at most 500 secrets here."]);
  expect((await api("PUT", "/orgs/acme/secrets/S1", ada, { value })).status).toBe(204);
});

it("are recorded in the audit log, without their values", async () => {
  await api("PUT", `${repository}/TRACE`, ben, { value, branches: ["main"] });
  await api("DELETE", `${repository}/TRACE`, ada);
  const { json, text } = await api("GET", "/orgs/acme/audit-log?action=security.*&q=TRACE", ada);
  expect(text).not.toContain("nobody sees");
  const kinds = (json as { action: string; details: { secret: string } }[])
    .filter(({ details }) => details.secret === "TRACE")
    .map(({ action }) => action);
  expect(kinds).toEqual(["security.secret_delete", "security.secret_create"]);
});

it("go with their repository's archive read-only", async () => {
  await api("POST", "/repos/acme/app/archive", ada);
  const refused = await api("PUT", `${repository}/KEY`, ada, { value });
  expect([refused.status, refused.json.error]).toEqual([403, "repository_archived"]);
  expect((await api("DELETE", `${repository}/LARGE`, ada)).status).toBe(204);
});
