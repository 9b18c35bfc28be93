/**
 * Where the operation alone does not decide who may, but what the request names: whose runner, a parent team, what is changed
 * of a repository. Each column is one request, sent as each caller. `ok` is an answer that nothing was refused in: what was
 * asked for, or a conflict with what exists, so that all of these can be sent again and again.
 */
import { afterAll, beforeAll, expect, test } from "vitest";
import { startApiServer, type ApiServer } from "../../support/api-server.ts";
import { databaseState } from "../../support/database-state.ts";
import { makeCast, type Cast } from "./cast.ts";
import { ensure } from "./places.ts";

/**
 * `company` is a runner of the organization. `private` was offered to the owner of the personal ones, `open` has `read` on it, and `hidden` is a secret team. `propose` names a branch that is not there: 422 is for who may name one. A dash is not
 * asked: it would be done.
 */
const table = `
caller                                 runner  instance  company  offer  accept  describe  hide   grant  top    below  other  create  propose
nobody                                 401     401       401      404    404     404       404    401    401    401    401    401     404
stranger                               404     404       404      404    404     404       404    404    404    404    404    422     404
member                                 404     404       403      404    404     404       404    403    403    422    403    ok      404
member by team: write                  403     404       403      404    404     403       403    403    403    422    403    ok      422
member by team: admin                  ok      404       403      ok     404     ok        ok     403    403    422    403    ok      422
member of teams                        403     404       403      404    404     403       403    403    403    403    403    ok      403
maintainer of teams                    403     404       403      404    404     403       403    403    403    ok     403    ok      403
member of a nested team                404     404       403      404    404     404       404    403    403    422    403    ok      404
collaborator: read                     403     404       404      404    404     403       403    404    404    404    404    422     403
collaborator: triage                   403     404       404      404    404     403       403    404    404    404    404    422     403
collaborator: write                    403     404       404      404    404     403       403    404    404    404    404    422     422
collaborator: maintain                 403     404       404      404    404     ok        403    404    404    404    404    422     422
collaborator: admin                    ok      404       404      ok     404     ok        ok     404    404    404    404    422     422
owner                                  ok      404       ok       ok     404     ok        ok     ok     ok     ok     404    ok      422
owner of the personal ones             403     404       404      ok     -       403       403    404    404    404    404    422     403
site administrator                     ok      ok        ok       ok     404     ok        ok     ok     ok     ok     404    ok      422
owner's browser                        ok      404       ok       ok     404     ok        ok     ok     ok     ok     404    ok      422
bot                                    404     404       403      404    404     404       404    403    403    422    403    403     404
bot by team: write                     403     404       403      404    404     403       403    403    403    422    403    403     422
bot of another organization            404     404       404      404    404     404       404    404    404    404    404    403     404
owner's token for these repositories   403     403       403      ok     404     ok        ok     403    403    403    403    403     422
owner's token for another repository   403     403       403      404    404     404       404    403    403    403    403    403     404
owner's token for other addresses      403     403       403      403    403     403       403    403    403    403    403    403     403
job of the private repository          403     403       403      scope  scope   scope     scope  403    403    403    403    403     scope
job that may write                     403     403       403      scope  scope   scope     scope  403    403    403    403    403     scope
job of a run that no user started      403     403       403      scope  scope   scope     scope  403    403    403    403    403     scope
owner's app                            ok      404       ok       ok     404     ok        ok     ok     ok     ok     404    ok      422
owner's app: repo:read, org:read       scope   scope     scope    scope  scope   scope     scope  scope  scope  scope  scope  scope   scope
expired token                          401     401       401      401    401     401       401    401    401    401    401    401     401
revoked token                          401     401       401      401    401     401       401    401    401    401    401    401     401
token of a suspended owner             401     401       401      401    401     401       401    401    401    401    401    401     401
unknown token                          401     401       401      401    401     401       401    401    401    401    401    401     401
expired token of an app                401     401       401      401    401     401       401    401    401    401    401    401     401
refresh token                          401     401       401      401    401     401       401    401    401    401    401    401     401
`;

interface Asked {
  method: string;
  path: string;
  body?: object;
}

let server: ApiServer;
let cast: Cast;
let requests: Record<string, Asked>;
beforeAll(async () => {
  // No runner is here that would keep the job's lease.
  const longMs = { FORGELINE_UNREACHABLE_MS: "3500000", FORGELINE_RECLAIM_MS: "3600000" };
  server = await startApiServer({ env: longMs });
  cast = await makeCast(server);
  const grant: Asked = {
    method: "PUT",
    path: "/orgs/acme/teams/open/repos/private",
    body: { permission: "read" },
  };
  await as("owner", grant);
  await as("owner", { method: "POST", path: "/repos/acme/private/transfer", body: { new_owner: "paul" } });
  const runners = await Promise.all([
    runnerBy("owner", "/repos/acme/private/runners/registration-tokens"),
    runnerBy("site administrator", "/runners/registration-tokens"),
    runnerBy("owner", "/orgs/acme/runners/registration-tokens"),
  ]);
  const repository = "/repos/acme/private";
  const teams = "/orgs/acme/teams";
  requests = {
    runner: { method: "GET", path: `/runners/${runners[0]}` },
    instance: { method: "GET", path: `/runners/${runners[1]}` },
    company: { method: "GET", path: `/runners/${runners[2]}` },
    offer: { method: "GET", path: `${repository}/transfer` },
    accept: { method: "POST", path: `${repository}/transfer/accept` },
    describe: { method: "PATCH", path: repository, body: { description: "" } },
    hide: { method: "PATCH", path: repository, body: { private: true } },
    grant,
    top: { method: "POST", path: teams, body: { name: "open" } },
    below: { method: "POST", path: teams, body: { name: "nested", parent: "hidden" } },
    other: { method: "DELETE", path: "/orgs/acme/members/stranger" },
    create: { method: "POST", path: "/repos", body: { owner: "acme", name: "private" } },
    propose: {
      method: "POST",
      path: `${repository}/merge-requests`,
      body: { title: "A branch of its own", source_branch: "none" },
    },
  };
});
afterAll(() => server.stop());

function ask(name: string, { method, path, body }: Asked) {
  const caller = cast.callers.find((each) => each.name === name);
  if (!caller) throw new Error(`nobody is called ${name}`);
  return server.api(method, path, { headers: caller.headers, ...(body === undefined ? {} : { body }) });
}

const as = async (name: string, asked: Asked) => ensure(await ask(name, asked)).json;

async function runnerBy(name: string, path: string): Promise<string> {
  const { token } = await as(name, { method: "POST", path, body: {} });
  return (await as("nobody", { method: "POST", path: "/runners/register", body: { token, name: "r" } })).id;
}

async function outcome(name: string, asked: Asked): Promise<string> {
  const { status, json } = await ask(name, asked);
  if (status < 300 || status === 409) return "ok";
  return json.error === "insufficient_scope" ? "scope" : String(status);
}

test("each request is for whom the table says, and for nobody else", async () => {
  const [head = "", ...lines] = table.trim().split("\n");
  const columns = head.split(/\s{2,}/).slice(1);
  expect(columns).toEqual(Object.keys(requests));
  const rows = lines.map((line) => line.split(/\s{2,}/));
  expect(rows.map(([name]) => name)).toEqual(cast.callers.map(({ name }) => name));
  const state = await databaseState(server.database);
  const before = await state.read();
  const wrong: string[] = [];
  for (const [name = "", ...cells] of rows)
    for (const [at, column] of columns.entries()) {
      const asked = requests[column];
      const expected = cells[at];
      if (!asked || expected === "-") continue;
      const got = await outcome(name, asked);
      if (got !== expected) wrong.push(`${column} | ${name} | expected ${expected} | got ${got}`);
    }
  expect(wrong).toEqual([]);
  expect(await state.read()).toEqual(before);
  await state.close();
});
