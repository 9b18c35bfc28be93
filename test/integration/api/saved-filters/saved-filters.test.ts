/** Saved filters: each person's own, by repository, as long as they may read it. */
import { afterAll, beforeAll, expect, test } from "vitest";
import type { SavedFilter } from "@forgeline/schemas/saved-filters/resource.ts";
import { startApiServer, type ApiServer, type TestPerson } from "../../../support/api-server.ts";

let server: ApiServer;
let ada: TestPerson;
let rick: TestPerson;
beforeAll(async () => {
  server = await startApiServer();
  ada = await server.person("ada");
  rick = await server.person("rick");
  await send(ada, "POST", "/repos", { name: "plan", private: true });
});
afterAll(() => server?.stop());

const send = (person: TestPerson, method: string, path: string, body?: unknown) =>
  server.api(method, path, { token: person.token, ...(body === undefined ? {} : { body }) });
const names = async (person: TestPerson, query = "") =>
  ((await send(person, "GET", `/user/filters${query}`)).json as SavedFilter[]).map(({ name }) => name);

test("filters are saved, listed, changed and deleted by their owner", async () => {
  const wanted = { name: "Open bugs", query: "is:open label:bug", repository: "ADA/plan" };
  expect((await send(rick, "POST", "/user/filters", wanted)).status).toBe(422);
  await send(ada, "PUT", "/repos/ada/plan/collaborators/rick", { permission: "read" });
  const made = await send(rick, "POST", "/user/filters", wanted);
  expect(made.json).toMatchObject({ kind: "issue", repository: { full_name: "ada/plan" } });
  expect((made.json as SavedFilter).web_url).toMatch(/\/ada\/plan\/issues\?q=is%3Aopen%20label%3Abug$/);
  expect((await send(rick, "POST", "/user/filters", { ...wanted, name: "open BUGS" })).status).toBe(409);
  expect((await send(rick, "POST", "/user/filters", { name: "Open bugs", query: "x" })).status).toBe(201);
  const wrong = await send(rick, "POST", "/user/filters", { name: "b", query: "is:lost" });
  expect([wrong.status, wrong.json.errors[0].field]).toEqual([422, "query"]);
  expect(await names(rick)).toEqual(["Open bugs", "Open bugs"]);
  expect(await names(rick, "?repository=ada/plan&kind=issue")).toEqual(["Open bugs"]);
  expect(await names(rick, "?kind=merge_request")).toEqual([]);
  const one = `/user/filters/${made.json.id as string}`;
  expect((await send(ada, "GET", one)).status).toBe(404);
  expect((await send(rick, "PATCH", one, { name: "Bugs" })).json).toMatchObject({ name: "Bugs" });
  await send(ada, "DELETE", "/repos/ada/plan/collaborators/rick");
  expect(await names(rick)).toEqual(["Open bugs"]);
  expect((await send(rick, "GET", one)).status).toBe(404);
  await send(ada, "PUT", "/repos/ada/plan/collaborators/rick", { permission: "read" });
  expect((await send(rick, "DELETE", one)).status).toBe(204);
  expect((await send(rick, "DELETE", one)).status).toBe(404);
});

test("a repository shares filters with its readers; those with Write make them", async () => {
  const all = "/repos/ada/plan/filters";
  const wanted = { name: "To be sorted", query: "is:open no:label" };
  expect((await send(rick, "POST", all, wanted)).status).toBe(403);
  const made = await send(ada, "POST", all, wanted);
  expect([made.status, made.headers["location"]]).toEqual([201, made.json.url]);
  expect(made.json.web_url).toMatch(/\/ada\/plan\/issues\?q=is%3Aopen%20no%3Alabel$/);
  const one = `${all}/${made.json.id as string}`;
  expect((await send(rick, "GET", one)).json).toEqual(made.json);
  expect((await send(ada, "POST", all, { ...wanted, name: "TO BE sorted" })).status).toBe(409);
  expect((await send(ada, "POST", all, { ...wanted, kind: "merge_request" })).status).toBe(201);
  expect((await send(ada, "POST", all, { name: "x", query: "is:lost" })).json.errors[0].field).toBe("query");
  const listed = await send(rick, "GET", `${all}?kind=issue`);
  expect((listed.json as SavedFilter[]).map(({ name }) => name)).toEqual(["To be sorted"]);
  expect((await send(rick, "PATCH", one, { name: "Mine" })).status).toBe(403);
  expect((await send(ada, "PATCH", one, { name: "Unsorted" })).json).toMatchObject({
    name: "Unsorted",
    query: wanted.query,
  });
  await send(ada, "DELETE", "/repos/ada/plan/collaborators/rick");
  for (const path of [all, one]) expect((await send(rick, "GET", path)).status).toBe(404);
  expect((await send(rick, "DELETE", one)).status).toBe(404);
  expect((await send(ada, "DELETE", one)).status).toBe(204);
  expect((await send(ada, "GET", one)).status).toBe(404);
});
