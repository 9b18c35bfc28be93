/** Who people of another host are here, named after an import has begun. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { startApiServer, type ApiServer, type TestPerson } from "../../../support/api-server.ts";
import { eventually } from "../../../support/eventually.ts";
import { writeTexts } from "../../../support/imports/write-texts.ts";

let server: ApiServer;
let ada: TestPerson;
let bob: TestPerson;
let eve: TestPerson;
let root: TestPerson;
beforeAll(async () => {
  server = await startApiServer({ env: { FORGELINE_TASK_QUEUE: `test-import-people-${process.pid}` } });
  ada = await server.person("ada");
  bob = await server.person("bob");
  eve = await server.person("eve");
  root = await server.person("root", { isAdmin: true });
});
afterAll(() => server?.stop());

const send = ({ token }: TestPerson, method: string, path: string, body?: object) =>
  server.api(method, path, { token, ...(body ? { body } : {}) });
const get = async (who: TestPerson, path: string) => (await send(who, "GET", path)).json;

/** With texts of octocat. */
async function begin(name: string, visibility: string) {
  const body = { source: "github", repository: `octo/${name}`, visibility };
  return (await send(ada, "POST", "/imports", body)).json.id as string;
}

test("those who administer the repository see its import and stop it", async () => {
  const id = await begin("running", "public");
  const at = "/repos/ada/running";
  expect(await get(bob, at)).toMatchObject({ importing: true, mirror: false });
  await send(ada, "PUT", `${at}/collaborators/bob`, { permission: "maintain" });
  expect((await send(bob, "POST", `/imports/${id}/cancel`)).status).toBe(404);
  await send(ada, "PUT", `${at}/collaborators/bob`, { permission: "admin" });
  expect(await get(bob, "/imports?repository=ADA/running")).toMatchObject([{ id, state: "queued" }]);
  expect((await send(bob, "POST", `/imports/${id}/cancel`)).json.state).toBe("cancelled");
  expect(await get(bob, at)).toMatchObject({ importing: false, mirror: false });
});

async function imported(name: string, visibility = "public") {
  const id = await begin(name, visibility);
  expect((await send(ada, "POST", `/imports/${id}/cancel`)).status).toBe(200);
  const repository = await get(ada, `/repos/ada/${name}`);
  await writeTexts(server, repository.id, "github.com/Octocat");
  return { id, people: `/imports/${id}/people`, at: `/repos/ada/${name}` };
}

const isOf = (username: string, path: string) =>
  eventually(async () => {
    const shown = await get(ada, path);
    return shown.author?.username === username && shown;
  });

test("whoever is asked and agrees is author and assignee of what came", async () => {
  const { people, at } = await imported("asked");
  await server.container.platform.db.query("update users set email = 'bob@example.com' where id = $1", [
    bob.id,
  ]);
  expect(await get(ada, people)).toEqual([{ login: "Octocat", host: "github.com", texts: 6, asked: null }]);
  const wanted = { login: "octocat", username: "bob" };
  const asked = await send(ada, "POST", people, wanted);
  expect([asked.status, asked.json]).toEqual([200, { ...wanted, host: "github.com", state: "asked" }]);
  expect((await send(ada, "POST", people, { ...wanted, username: "eve" })).status).toBe(409);
  expect(await get(ada, people)).toMatchObject([{ asked: "bob" }]);
  expect(await get(ada, `${at}/issues/1`)).toMatchObject({ author: null });
  const mails = await server.container.platform.db.query("select subject from mails where kind = $1", [
    "import_request",
  ]);
  expect(mails).toEqual([{ subject: "Are texts in ada/asked yours?" }]);

  expect(await get(eve, "/user/import-requests")).toEqual([]);
  const [request] = await get(bob, "/user/import-requests");
  expect(request).toMatchObject({ login: "octocat", repository: "ada/asked", asked_by: "ada" });
  const one = `/user/import-requests/${request.id}`;
  expect((await send(eve, "POST", `${one}/accept`)).status).toBe(404);
  expect((await send(bob, "POST", `${one}/accept`)).json).toMatchObject({ state: "named", username: "bob" });
  expect((await send(bob, "POST", `${one}/accept`)).status).toBe(404);
  const issue = await isOf("bob", `${at}/issues/1`);
  expect(issue).toMatchObject({ imported_author: { name: "Octocat" }, assignees: [{ username: "bob" }] });
  await isOf("bob", `${at}/merge-requests/2`);
  const mr = `${at}/merge-requests/2`;
  for (const path of [`${at}/issues/1/comments`, `${mr}/comments`, `${mr}/reviews`])
    expect(await get(ada, path)).toMatchObject([{ author: { username: "bob" } }]);
  // What was given elsewhere still counts for nothing.
  expect(await get(ada, `${mr}/reviews`)).toMatchObject([{ counts: false }]);
  expect(await get(ada, people)).toEqual([]);
  expect(await get(bob, "/notifications")).toEqual([]);
});

test("nobody is asked who cannot read it, declines end the question, and others see and name nothing", async () => {
  const { id, people, at } = await imported("private", "private");
  const refused = async (wanted: object) => (await send(ada, "POST", people, wanted)).json.errors;
  expect(await refused({ login: "octocat", username: "bob" })).toMatchObject([
    { field: "username", code: "not_allowed" },
  ]);
  expect(await refused({ login: "octocat", username: "nobody" })).toMatchObject([{ field: "username" }]);
  await send(ada, "PUT", `${at}/collaborators/bob`, { permission: "read" });
  expect(await refused({ login: "hubot", username: "bob" })).toMatchObject([
    { field: "login", code: "unknown" },
  ]);
  for (const path of [`/imports/${id}`, people]) expect((await send(bob, "GET", path)).status).toBe(404);
  expect((await send(bob, "POST", people, { login: "octocat", username: "bob" })).status).toBe(404);
  expect((await send(ada, "POST", people, { login: "octocat", username: "bob" })).status).toBe(200);
  const [request] = await get(bob, "/user/import-requests");
  expect((await send(eve, "DELETE", `/user/import-requests/${request.id}`)).status).toBe(404);
  expect((await send(bob, "DELETE", `/user/import-requests/${request.id}`)).status).toBe(204);
  expect(await get(ada, people)).toMatchObject([{ asked: null }]);
  // Whoever administers it sees the import too, and asks.
  await send(ada, "PUT", `${at}/collaborators/eve`, { permission: "admin" });
  expect(await get(eve, `/imports/${id}`)).toMatchObject({ state: "cancelled" });
  expect(await get(eve, "/imports?repository=ada/private")).toMatchObject([{ id }]);
  expect((await send(bob, "GET", "/imports?repository=ada/private")).status).toBe(404);
  expect((await send(eve, "POST", `/imports/${id}/retry`, {})).status).toBe(409);
  expect((await send(eve, "POST", people, { login: "octocat", username: "bob" })).json.state).toBe("asked");
  await send(ada, "DELETE", `${at}/collaborators/eve`);
  const [again] = await get(bob, "/user/import-requests");
  expect((await send(bob, "POST", `/user/import-requests/${again.id}/accept`)).status).toBe(409);
});

test("oneself is named at once, and so is everybody by an administrator of the instance", async () => {
  const own = await imported("own");
  const named = await send(ada, "POST", own.people, { login: "octocat", username: "ada" });
  expect(named.json).toMatchObject({ state: "named", username: "ada" });
  await isOf("ada", `${own.at}/issues/1`);
  const other = await imported("other");
  const byRoot = await send(root, "POST", other.people, { login: "OCTOCAT", username: "bob" });
  expect(byRoot.json).toMatchObject({ state: "named", username: "bob" });
  await isOf("bob", `${other.at}/issues/1`);
  const rows = await server.container.platform.db.query("select agreed from imports where id = $1", [
    other.id,
  ]);
  expect(rows).toEqual([{ agreed: { octocat: bob.id } }]);
});
