/** A repository changes its owner, with the word of both sides. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { startApiServer, type ApiServer, type TestPerson } from "../../../support/api-server.ts";

let server: ApiServer;
let ada: TestPerson;
let bob: TestPerson;
let eve: TestPerson;
beforeAll(async () => {
  server = await startApiServer();
  [ada, bob, eve] = [await server.person("ada"), await server.person("bob"), await server.person("eve")];
});
afterAll(() => server?.stop());

const api = (method: string, path: string, token?: string, body?: unknown) =>
  server.api(method, path, { ...(token === undefined ? {} : { token }), body });
const create = async (name: string, more: object = {}) =>
  (await api("POST", "/repos", ada.token, { name, auto_init: true, ...more })).json.id as string;
const offer = (name: string, new_owner: string, by = ada) =>
  api("POST", `/repos/ada/${name}/transfer`, by.token, { new_owner });

it("happens when the receiver accepts; the old address leads to the new one", async () => {
  const id = await create("gift");
  expect((await api("GET", "/repos/ada/gift", bob.token)).status).toBe(404);
  expect(await offer("gift", "BOB")).toMatchObject({
    status: 202,
    json: { status: "pending", new_owner: { name: "bob", type: "user" }, requested_by: "ada" },
  });
  expect((await api("GET", "/repos/ada/gift", bob.token)).json.permissions).toBe("read");
  expect((await api("GET", "/repos/ada/gift", eve.token)).status).toBe(404);
  expect((await api("POST", "/repos/ada/gift/transfer/accept", ada.token)).status).toBe(404);
  expect((await api("GET", "/repos/ada/gift/transfer", bob.token)).json.status).toBe("pending");
  const accepted = await api("POST", "/repos/ada/gift/transfer/accept", bob.token);
  expect([accepted.status, accepted.json.full_name, accepted.json.id]).toEqual([200, "bob/gift", id]);
  expect((await api("GET", "/repos/bob/gift", ada.token)).status).toBe(404);
  expect((await api("GET", "/repos/ada/gift", ada.token)).status).toBe(404);
  expect((await api("GET", "/repos/ada/gift", bob.token)).headers["location"]).toBe(
    `${server.baseUrl}/repos/bob/gift`,
  );
  expect((await api("POST", "/repos/bob/gift/transfer/accept", bob.token)).status).toBe(404);
  const actions = await server.container.platform.db.query<{ action: string }>(
    "select action from audit_log where target_id = $1 order by seq",
    [id],
  );
  expect(actions.map(({ action }) => action)).toEqual([
    "repo.create",
    "repo.transfer_request",
    "repo.transfer",
  ]);
});

it("is listed to those who can answer or withdraw it, and to nobody else", async () => {
  await create("listed");
  await offer("listed", "bob");
  const root = await server.person("root", { isAdmin: true });
  const names = async (person: TestPerson, query = "") => {
    const { json } = await api("GET", `/user/transfers${query}`, person.token);
    return json.map((each: { repository: { full_name: string }; may_accept: boolean }) => [
      each.repository.full_name,
      each.may_accept,
    ]);
  };
  expect(await names(ada)).toEqual([["ada/listed", false]]);
  expect(await names(bob)).toEqual([["ada/listed", true]]);
  expect(await names(bob, "?repository=ada/other")).toEqual([]);
  expect(await names(eve, "?repository=ada/listed")).toEqual([]);
  expect(await names(root)).toEqual([]);
  expect(await names(root, "?repository=ADA/listed")).toEqual([["ada/listed", false]]);
  await api("DELETE", "/repos/ada/listed/transfer", bob.token);
  expect(await names(ada)).toEqual([]);
});

it("does not happen when it is withdrawn, declined, or too late", async () => {
  const id = await create("kept");
  for (const by of [ada, bob]) {
    await offer("kept", "bob");
    expect((await api("DELETE", "/repos/ada/kept/transfer", eve.token)).status).toBe(404);
    expect((await api("DELETE", "/repos/ada/kept/transfer", by.token)).status).toBe(204);
    expect((await api("POST", "/repos/ada/kept/transfer/accept", bob.token)).status).toBe(404);
  }
  await offer("kept", "bob");
  expect((await api("GET", "/repos/ada/kept", bob.token)).status).toBe(200);
  await server.container.platform.db.query(
    "update repository_transfers set expires_at = now() - interval '1 second' where repository_id = $1",
    [id],
  );
  expect((await api("POST", "/repos/ada/kept/transfer/accept", bob.token)).status).toBe(404);
  expect((await api("GET", "/repos/ada/kept", bob.token)).status).toBe(404);
  expect((await api("GET", "/repos/ada/kept", ada.token)).status).toBe(200);
});

it("tells those who only see the repository nothing, and needs the scope", async () => {
  await create("open", { visibility: "public" });
  await offer("open", "bob");
  expect((await api("GET", "/repos/ada/open/transfer", eve.token)).status).toBe(404);
  expect((await api("GET", "/repos/ada/open/transfer")).status).toBe(401);
  expect((await api("POST", "/repos/ada/open/transfer/accept", eve.token)).status).toBe(404);
  const narrow = await server.tokenFor(bob, ["repo:write"]);
  expect((await api("POST", "/repos/ada/open/transfer/accept", narrow)).json.required_scopes).toEqual([
    "repo:admin",
  ]);
  expect((await offer("open", "bob", eve)).status).toBe(403);
});

it("names a wrong receiver, and a name that is in use there", async () => {
  await create("same");
  await api("POST", "/repos", bob.token, { name: "SAME" });
  expect((await offer("same", "bob")).status).toBe(409);
  expect((await offer("same", "nobody")).json.errors[0]).toMatchObject({
    field: "new_owner",
    code: "unknown",
  });
  expect((await offer("same", "ada")).json.errors[0].field).toBe("new_owner");
});

it("is done at once with an organization of one's own; internal becomes private with a user", async () => {
  await api("POST", "/orgs", ada.token, { name: "acme" });
  await create("mine");
  const there = await offer("mine", "acme");
  expect([there.json.status, there.json.repository.full_name]).toEqual(["done", "acme/mine"]);
  await api("PATCH", "/repos/acme/mine", ada.token, { visibility: "internal" });
  const back = await api("POST", "/repos/acme/mine/transfer", ada.token, { new_owner: "ada" });
  expect(back.json.repository).toMatchObject({ full_name: "ada/mine", visibility: "private" });
  await api("PUT", "/orgs/acme/members/bob", ada.token, { role: "member" });
  await create("mine2");
  await offer("mine2", "acme");
  expect((await api("GET", "/repos/acme/mine2", bob.token)).status).toBe(404);
});
