/** Several issues in one request: each by itself, with what it takes to change it. */
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Issue, IssueBulkResults } from "@forgeline/schemas/issues/resource.ts";
import { startApiServer, type ApiServer, type TestPerson } from "../../../support/api-server.ts";

let server: ApiServer;
let ada: TestPerson;
let tess: TestPerson;
let rick: TestPerson;
const at = "/repos/ada/tracker";
const issues = `${at}/issues`;
beforeAll(async () => {
  server = await startApiServer();
  ada = await server.person("ada");
  tess = await server.person("tess");
  rick = await server.person("rick");
  await send(ada, "POST", "/repos", { name: "tracker", private: true });
  await send(ada, "PUT", `${at}/collaborators/tess`, { permission: "triage" });
  await send(ada, "PUT", `${at}/collaborators/rick`, { permission: "read" });
  for (const name of ["bug", "prio::high", "prio::low"]) await send(ada, "POST", `${at}/labels`, { name });
});
afterAll(() => server?.stop());

const send = (person: TestPerson, method: string, path: string, body?: unknown) =>
  server.api(method, path, { token: person.token, ...(body === undefined ? {} : { body }) });
const open = async (person: TestPerson, body: object) =>
  (await send(person, "POST", issues, body)).json as Issue;
const kinds = async (number: number) =>
  ((await send(ada, "GET", `${issues}/${number}/timeline`)).json as { kind: string }[]).map(
    ({ kind }) => kind,
  );

test("several are changed at once, each by itself", async () => {
  const [first, second] = [
    await open(ada, { title: "One", labels: ["bug"] }),
    await open(rick, { title: "Two" }),
  ];
  const all = [first.number, second.number, 4_000, first.number];
  const bulk = async (person: TestPerson, body: object) =>
    (await send(person, "POST", `${issues}/bulk`, body)).json as IssueBulkResults;
  const outcomes = ({ results }: IssueBulkResults) => results.map(({ result }) => result);
  const add = { add_labels: ["PRIO::high"], add_assignees: ["tess"], due_on: "2027-03-31", locked: true };
  const changed = await bulk(tess, { numbers: all, ...add });
  expect(changed.results).toEqual([
    { number: first.number, result: "ok", message: null },
    { number: second.number, result: "ok", message: null },
    { number: 4_000, result: "not_found", message: "There is no such issue in this repository." },
  ]);
  expect((await send(ada, "GET", `${issues}/${first.number}`)).json).toMatchObject({
    labels: [{ name: "bug" }, { name: "prio::high" }],
    assignees: [{ username: "tess" }],
    due_on: "2027-03-31",
    locked: true,
  });
  expect(await kinds(second.number)).toEqual(["labeled", "assigned", "due", "locked"]);
  const swap = { numbers: all.slice(0, 2), add_labels: ["prio::low"], remove_labels: ["bug", "none"] };
  expect(outcomes(await bulk(tess, swap))).toEqual(["ok", "ok"]);
  expect(outcomes(await bulk(tess, swap))).toEqual(["ok", "ok"]);
  expect((await send(ada, "GET", `${issues}/${first.number}`)).json).toMatchObject({
    labels: [{ name: "prio::low" }],
  });
  const close = { numbers: all.slice(0, 2), state: "closed", state_reason: "not_planned" };
  // Rick may close his own alone.
  expect(outcomes(await bulk(rick, close))).toEqual(["forbidden", "ok"]);
  expect(outcomes(await bulk(rick, { numbers: [second.number], locked: false }))).toEqual(["forbidden"]);
  const unknown = await bulk(tess, { numbers: [first.number], state: "closed", add_labels: ["none"] });
  expect(unknown.results).toMatchObject([{ result: "refused", message: expect.stringContaining("none") }]);
  expect((await send(ada, "GET", `${issues}/${first.number}`)).json).toMatchObject({ state: "open" });
  expect(
    (await send(tess, "POST", `${issues}/bulk`, { numbers: [1], state_reason: "completed" })).status,
  ).toBe(422);
  const tooMany = Array.from({ length: 101 }, (_, index) => index + 1);
  expect((await send(tess, "POST", `${issues}/bulk`, { numbers: tooMany, state: "open" })).status).toBe(422);
});
