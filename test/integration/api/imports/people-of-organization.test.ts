/** Members of an organization are named by its owners without being asked, unless they were merely put into it. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { startApiServer, type ApiServer, type TestPerson } from "../../../support/api-server.ts";
import { eventually } from "../../../support/eventually.ts";
import { lockWait } from "../../../support/lock-wait.ts";
import { writeTexts } from "../../../support/imports/write-texts.ts";

let server: ApiServer;
let ada: TestPerson;
let bob: TestPerson;
let cat: TestPerson;
const send = ({ token }: TestPerson, method: string, path: string, body?: object) =>
  server.api(method, path, { token, ...(body ? { body } : {}) });

beforeAll(async () => {
  server = await startApiServer({ env: { FORGELINE_TASK_QUEUE: `test-import-members-${process.pid}` } });
  [ada, bob, cat] = [await server.person("ada"), await server.person("bob"), await server.person("cat")];
  await send(ada, "POST", "/orgs", { name: "acme" });
  await send(ada, "PUT", "/orgs/acme/members/bob", {});
  const { id } = (await send(ada, "POST", "/orgs/acme/invitations", { username: "cat" })).json;
  await send(cat, "POST", `/user/invitations/${id}/accept`);
});
afterAll(() => server?.stop());

const begin = (name: string, users: object = {}) =>
  send(ada, "POST", "/imports", { source: "github", repository: `octo/${name}`, owner: "acme", users });
async function imported(name: string) {
  const { id } = (await begin(name)).json;
  expect((await send(ada, "POST", `/imports/${id}/cancel`)).status).toBe(200);
  const repository = (await send(ada, "GET", `/repos/acme/${name}`)).json;
  await writeTexts(server, repository.id, "github.com/octocat");
  return { id, at: `/imports/${id}`, issue: `/repos/acme/${name}/issues/1` };
}
const namesOf = async (id: string) => {
  const rows = await server.container.platform.db.query("select users, agreed from imports where id = $1", [
    id,
  ]);
  return rows[0];
};
const name = async (at: string, username: string) =>
  (await send(ada, "POST", `${at}/people`, { login: "octocat", username })).json;

test("who was put into it is asked, and who has accepted an invitation is named", async () => {
  expect((await send(ada, "GET", "/orgs/acme/members")).json).toHaveLength(3);
  expect((await begin("put", { octocat: "bob" })).json.errors).toMatchObject([{ field: "users" }]);
  const { at, id, issue } = await imported("asked");
  await send(ada, "PUT", "/repos/acme/asked/collaborators/bob", { permission: "read" });
  await send(ada, "PUT", "/repos/acme/asked/collaborators/cat", { permission: "read" });
  expect(await name(at, "bob")).toMatchObject({ state: "asked" });
  expect((await send(bob, "GET", "/user/import-requests")).json).toHaveLength(1);
  expect((await send(ada, "GET", issue)).json.author).toBeNull();
  expect(await name(at, "cat")).toMatchObject({ state: "named" });
  await eventually(async () => (await send(ada, "GET", issue)).json.author?.username === "cat");
  // Nobody is asked any more.
  expect((await send(bob, "GET", "/user/import-requests")).json).toEqual([]);
  expect(await namesOf(id)).toEqual({ users: { octocat: cat.id }, agreed: {} });
});

test("nobody is named where the repository goes to another owner at that moment", async () => {
  const { at, id } = await imported("moved");
  await send(ada, "PUT", "/repos/acme/moved/collaborators/cat", { permission: "read" });
  const { db } = server.container.platform;
  let naming: ReturnType<typeof send> | undefined;
  await db.transaction(async (tx) => {
    await tx.query("select id from imports where id = $1 for update", [id]);
    naming = send(ada, "POST", `${at}/people`, { login: "octocat", username: "cat" });
    await lockWait(db);
    await tx.query(
      "update repositories set owner_id = (select id from owners where name = 'ada') where name = 'moved'",
    );
  });
  expect((await naming)?.status).toBe(409);
  expect(await namesOf(id)).toEqual({ users: {}, agreed: {} });
});

test("who has left it is named no more where the import goes on, and who agreed is", async () => {
  const { at, id } = await imported("left");
  for (const who of ["bob", "cat"])
    await send(ada, "PUT", `/repos/acme/left/collaborators/${who}`, { permission: "read" });
  expect(await name(at, "cat")).toMatchObject({ state: "named" });
  expect((await send(cat, "DELETE", "/orgs/acme/members/cat")).status).toBe(204);
  expect((await send(ada, "POST", `${at}/retry`, {})).status).toBe(202);
  expect(await namesOf(id)).toEqual({ users: {}, agreed: {} });
  await name(at, "bob");
  const [request] = (await send(bob, "GET", "/user/import-requests")).json;
  expect((await send(bob, "POST", `/user/import-requests/${request.id}/accept`)).status).toBe(200);
  await send(ada, "POST", `${at}/cancel`);
  expect((await send(ada, "POST", `${at}/retry`, {})).status).toBe(202);
  expect(await namesOf(id)).toEqual({ users: {}, agreed: { octocat: bob.id } });
});
