/** Which merge requests are compared first after a push to their target: those that somebody has open. */
import pg from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { statements } from "@forgeline/server/domains/collaboration/merge-requests/checks.store.ts";
import { startApiServer, type ApiServer, type TestPerson } from "../../../support/api-server.ts";
import { branchesOver } from "../../../support/branches-over-rest.ts";
import { eventually } from "../../../support/eventually.ts";

let server: ApiServer;
let ada: TestPerson;
let database: pg.Client;
const R = "/repos/ada/engine";
const M = `${R}/merge-requests`;
beforeAll(async () => {
  server = await startApiServer();
  ada = await server.person("ada");
  await api("POST", "/repos", { name: "engine", readme: true });
  database = new pg.Client({ connectionString: server.database.url });
  await database.connect();
});
afterAll(async () => {
  await database?.end();
  await server?.stop();
});

const api = (method: string, path: string, body?: unknown) =>
  server.api(method, path, { token: ada.token, body });
const { branch } = branchesOver((...request) => api(...request), R);

it("a look counts also where nothing was to be compared then, and is written down once", async () => {
  for (const name of ["one", "two", "three"]) {
    await branch(name, { [`${name}.txt`]: "1\n" });
    await api("POST", M, { title: name, source_branch: name });
  }
  const due = "select 1 from merge_requests where check_due_at is not null";
  await eventually(async () => (await database.query(due)).rowCount === 0);
  await database.query("update merge_requests set looked_at = now() - interval '1 hour'");
  const looked = "select looked_at from merge_requests order by source_branch";
  const read = async () => {
    expect((await api("GET", `${M}/2`)).json.mergeable).toBe("clean");
    return (await database.query(looked)).rows;
  };
  const once = await read();
  expect(await read()).toEqual(once);
  // Nobody else compares what this transaction holds.
  await database.query("begin");
  await database.query("update merge_requests set check_due_at = now() - interval '1 hour'");
  const { rows } = await database.query(statements.claim.text);
  await database.query("rollback");
  expect(rows).toMatchObject([{ number: 2, source_branch: "two" }]);
});
