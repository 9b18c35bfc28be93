/** Who may decide at the gates of a run, what that says, and what is kept of it. The workflow's part is `test/integration/workflows`' to prove. */
import { afterAll, beforeAll, expect, it } from "vitest";
import type { PlanApproval } from "@forgeline/schemas/pipeline-file/plan-approval.ts";
import { startApiServer, type ApiServer, type TestPerson } from "../../../support/api-server.ts";
import { runAtGate } from "../../../support/run-at-gate.ts";
import { figuresOf } from "../../../support/figures.ts";

let server: ApiServer;
let ada: TestPerson;
let ben: TestPerson;
let cleo: TestPerson;
let dan: TestPerson;
beforeAll(async () => {
  server = await startApiServer();
  [ada, ben, cleo, dan] = await Promise.all([
    server.person("ada"),
    server.person("ben"),
    server.person("cleo"),
    server.person("dan"),
  ]);
  await server.api("POST", "/orgs", { token: cleo.token, body: { name: "acme" } });
  for (const name of ["release", "ops"])
    await server.api("POST", "/orgs/acme/teams", { token: cleo.token, body: { name } });
});
afterAll(() => server?.stop());

const db = () => server.container.platform.db;

const waiting = (name: string, rule: Partial<PlanApproval>, of: "job" | "stage" = "job") =>
  runAtGate(server, ada, { name, rule, of });

const invite = (name: string, person: TestPerson, permission: string) =>
  server.api("PUT", `/repos/ada/${name}/collaborators/${person.username}`, {
    token: ada.token,
    body: { permission },
  });

const joined = (team: string, person: TestPerson) =>
  db().query(`insert into team_members (team_id, user_id) select t.id, $2 from teams t where t.name = $1`, [
    team,
    person.id,
  ]);

const sent = async (pipelineId: string) =>
  (
    await db().query<{ payload: object }>(
      "select payload from outbox where payload ->> 'kind' = 'gate_decided' and payload ->> 'pipelineId' = $1",
      [pipelineId],
    )
  ).map(({ payload }) => payload);

it("is for everyone with Write where the file names nobody, and says so to others", async () => {
  const figures = async () => figuresOf(await server.container.platform.metrics.metrics());
  const run = await waiting("anyone", { message: "Is the banner up?" });
  expect((await figures()).get('forgeline_approval_gates_opened_total{of="job"}')).toBe(1);
  await invite("anyone", ben, "read");
  await invite("anyone", cleo, "write");
  const shown = await run.show(ben);
  expect(shown).toMatchObject({
    status: "awaiting_approval",
    message: "Waits for approval by anyone with Write.",
    approvals: [
      {
        stage: "main",
        job: "ship",
        state: "open",
        sequence: 1,
        sha: "a".repeat(40),
        count: 1,
        approvers: [],
        level: "write",
        allow_self: true,
        message: "Is the banner up?",
        approvals: [],
        may_decide: false,
      },
    ],
  });
  expect((await run.show(cleo)).approvals).toMatchObject([{ may_decide: true }]);
  const refused = await run.give(ben, "approve");
  expect(refused.status).toBe(403);
  expect(refused.text).toContain("You may not approve job ship. Approval is given by anyone with Write.");
  expect((await run.give(dan, "approve")).status).toBe(404);
  expect(await sent(run.id)).toEqual([]);

  const given = await run.give(cleo, "approve", "Looks good.");
  expect(given.status).toBe(200);
  expect(given.json).toMatchObject({
    state: "approved",
    may_decide: false,
    approvals: [{ user: { username: "cleo" }, decision: "approve", comment: "Looks good.", counts: true }],
  });
  expect(await sent(run.id)).toEqual([
    { kind: "gate_decided", pipelineId: run.id, sequence: 1, gate: { stage: "main", job: "ship" } },
  ]);
  const again = await run.give(ada, "reject");
  expect(again.status).toBe(409);
  expect(again.text).toContain("There is nothing to approve at job ship: its approval is decided: approved.");
  expect((await figures()).get('forgeline_approval_wait_seconds_count{outcome="approved"}')).toBe(1);
  const audited = await db().query(
    "select action, details from audit_log where action in ('pipeline.approve', 'pipeline.reject') and target_id = $1",
    [run.id],
  );
  expect(audited).toEqual([
    {
      action: "pipeline.approve",
      details: {
        stage: "main",
        job: "ship",
        environment: null,
        sequence: 1,
        sha: "a".repeat(40),
        comment: "Looks good.",
        passed: true,
      },
    },
  ]);
});

it("is for the users and teams that the file names, who need to see the repository, and counts each once", async () => {
  const run = await waiting("named", { approvers: ["BEN", "acme/release"], count: 2 }, "stage");
  await Promise.all([invite("named", ben, "read"), invite("named", dan, "write")]);
  expect((await run.show(ada)).message).toBe("Waits for 2 approvals by BEN or a member of acme/release.");
  expect((await run.give(dan, "approve")).status).toBe(403);
  expect((await run.give(ada, "approve")).status).toBe(403);
  await joined("ops", dan);
  expect((await run.give(dan, "approve")).status).toBe(403);
  await joined("release", cleo);
  expect((await run.give(cleo, "approve")).status).toBe(404);
  await invite("named", cleo, "read");
  for (let i = 0; i < 2; i += 1)
    expect((await run.give(ben, "approve")).json).toMatchObject({
      state: "open",
      approvals: [{ counts: true }],
    });
  const message = "Waits for 1 more approval by BEN or a member of acme/release.";
  const job = { reason: "approval:stage", message };
  expect(await run.show(ada)).toMatchObject({ ...job, stages: [{ ...job, jobs: [job] }] });
  expect((await run.give(cleo, "approve")).json).toMatchObject({ state: "approved" });
});

it("is for everyone with the level that the file asks for, and for those whom it names besides", async () => {
  const run = await waiting("level", { level: "maintain", count: 2 }, "stage");
  await Promise.all([invite("level", ben, "write"), invite("level", cleo, "maintain")]);
  expect(await run.show(ben)).toMatchObject({
    message: "Waits for 2 approvals by anyone with Maintain.",
    approvals: [{ approvers: [], level: "maintain", may_decide: false }],
  });
  const refused = await run.give(ben, "approve");
  expect(refused.status).toBe(403);
  expect(refused.text).toContain("Approval is given by anyone with Maintain.");
  expect((await run.give(cleo, "approve")).json).toMatchObject({ state: "open" });
  await invite("level", cleo, "write");
  expect((await run.show(ada)).approvals).toMatchObject([{ approvals: [{ counts: false }] }]);
  await invite("level", cleo, "maintain");
  expect((await run.give(ada, "approve")).json).toMatchObject({ state: "approved" });

  const both = await waiting("both", { level: "admin", approvers: ["ben"], count: 2 });
  await Promise.all([invite("both", ben, "read"), invite("both", cleo, "maintain")]);
  expect((await both.show(ada)).message).toBe("Waits for 2 approvals by ben or anyone with Admin.");
  expect((await both.give(cleo, "approve")).status).toBe(403);
  expect((await both.give(ben, "approve")).json).toMatchObject({ state: "open" });
  expect((await both.give(ada, "approve")).json).toMatchObject({ state: "approved" });
});

it("does not count the approval of somebody who may not approve any more", async () => {
  const run = await waiting("left", { count: 2 });
  await Promise.all([invite("left", ben, "write"), invite("left", cleo, "write")]);
  await run.give(ben, "approve");
  await invite("left", ben, "read");
  await invite("left", cleo, "read");
  const short =
    "Only one person may approve now, besides administrators of the instance, and it needs 2 approvals.";
  const shown = await run.show(ada);
  expect(shown.approvals[0]?.shortage).toContain(short);
  expect(shown).toMatchObject({ stages: [{ jobs: [{ message: expect.stringContaining(short) }] }] });
  await invite("left", cleo, "write");
  const [gate] = (await run.show(ada)).approvals;
  expect(gate?.approvals).toMatchObject([{ user: { username: "ben" }, counts: false }]);
  expect(gate?.shortage).toBeNull();
  expect((await run.give(cleo, "approve")).json).toMatchObject({ state: "open" });
  await db().query("update users set suspended = true where id = $1", [cleo.id]);
  expect((await run.give(ada, "approve")).json).toMatchObject({ state: "open" });
  await db().query("update users set suspended = false where id = $1", [cleo.id]);
  expect((await run.give(ben, "approve")).status).toBe(403);
  await invite("left", ben, "write");
  await invite("left", cleo, "read");
  await run.give(ben, "reject", "Wrong day.");
  const [decided] = (await run.show(ada)).approvals;
  expect(decided).toMatchObject({ state: "rejected", approvals: [{}, {}, {}] });
  expect(decided?.approvals.map(({ user, counts }) => [user.username, counts])).toEqual([
    ["cleo", false],
    ["ada", true],
    ["ben", true],
  ]);
  expect(await run.ask()).toMatchObject([{ status: "failed", reason: "approval_rejected" }]);
});

it("leaves out who started the run and who wrote the commit, where the file says so", async () => {
  // The author's address in runs of tests.
  await db().query(
    "insert into user_emails (id, user_id, email, verified_at) values ('eml_x', $1, 'Ada@Example.org', now())",
    [ben.id],
  );
  const run = await waiting("self", { allowSelf: false });
  await db().query("delete from user_emails where id = 'eml_x'");
  await Promise.all([invite("self", ben, "write"), invite("self", cleo, "write")]);
  const refused = await run.give(ada, "approve");
  expect(refused.status).toBe(403);
  expect(refused.text).toContain("but not by who started the run or wrote the commit");
  expect((await run.give(ben, "approve")).status).toBe(403);
  expect((await run.give(cleo, "approve")).json).toMatchObject({ state: "approved" });
});

it("is listed for those who may give it, over all repositories, until they have decided", async () => {
  const eve = await server.person("eve");
  const root = await server.person("root", { isAdmin: true });
  const named = await waiting("list-named", { approvers: ["eve"] });
  const pair = await waiting("list-pair", { count: 2 }, "stage");
  const others = await waiting("list-others", { allowSelf: false });
  await waiting("list-hidden", { approvers: ["eve"] });
  await invite("list-named", eve, "read");
  for (const name of ["list-pair", "list-others"]) await invite(name, eve, "write");
  const listed = async (person: TestPerson, query = "") => {
    const { json, headers } = await server.api("GET", `/user/approvals${query}`, { token: person.token });
    const names = (json as { repository: string }[]).map(({ repository }) => repository.replace("ada/", ""));
    return { names, total: Number(headers["x-total-count"]), json };
  };
  const first = await listed(eve);
  expect(first).toMatchObject({ names: ["list-named", "list-pair", "list-others"], total: 3 });
  expect(first.json[1]).toMatchObject({
    repository: "ada/list-pair",
    pipeline: {
      id: pair.id,
      number: 1,
      ref: "refs/heads/main",
      web_url: `${server.webUrl}/ada/list-pair/pipelines/1`,
    },
    approval: { stage: "main", job: null, count: 2, state: "open", may_decide: true, approvals: [] },
  });
  expect(await listed(eve, "?per_page=1&page=2")).toMatchObject({ names: ["list-pair"], total: 3 });
  // Who started the run is left out of one; who administers the instance is asked nowhere.
  const own = (await listed(ada, "?per_page=100")).names;
  expect(own).toContain("list-pair");
  expect(own).not.toContain("list-others");
  expect((await listed(root)).names).toEqual([]);

  expect((await pair.give(eve, "approve")).json.state).toBe("open");
  expect((await listed(eve)).names).toEqual(["list-named", "list-others"]);
  expect((await listed(ada, "?per_page=100")).names).toContain("list-pair");
  await server.api("DELETE", "/repos/ada/list-named/collaborators/eve", { token: ada.token });
  expect((await listed(eve)).names).toEqual(["list-others"]);
  await invite("list-named", eve, "read");
  await named.setJob("ship", "cancelled");
  await db().query("update approval_gates set expires_at = now() where pipeline_id = $1", [others.id]);
  expect(await listed(eve)).toMatchObject({ names: [], total: 0 });
});

it("refuses what cannot be decided", async () => {
  const run = await waiting("gone", {}, "stage");
  const post = (body: object) =>
    server.api("POST", "/repos/ada/gone/pipelines/1/approvals", { token: ada.token, body });
  expect(await post({ decision: "approve" })).toMatchObject({ status: 422 });
  expect(await post({ decision: "approve", stage: "main", job: "ship" })).toMatchObject({ status: 422 });
  expect(await post({ decision: "approve", stage: "moon" })).toMatchObject({ status: 422 });
  expect(await post({ decision: "approve", job: "moon" })).toMatchObject({ status: 422 });
  expect(await post({ decision: "approve", stage: "main", comment: "x".repeat(1001) })).toMatchObject({
    status: 422,
  });
  const early = await post({ decision: "approve", job: "ship" });
  expect(early.status).toBe(409);
  expect(early.text).toContain("Before job ship, its stage main waits for approval");
  await db().query("update approval_gates set expires_at = now() where pipeline_id = $1", [run.id]);
  const late = await post({ decision: "approve", stage: "main" });
  expect(late.status).toBe(409);
  expect(late.text).toContain("its time is over");
  expect((await run.show(ada)).approvals).toMatchObject([{ state: "expired" }]);
  expect(await run.ask()).toMatchObject([{ status: "failed", reason: "approval_rejected" }]);
  await db().query(
    "update approval_gates set state = 'open', expires_at = now() + interval '1 hour' where pipeline_id = $1",
    [run.id],
  );
  expect((await run.show(ada)).approvals).toMatchObject([{ state: "closed", may_decide: false }]);
  expect(await post({ decision: "approve", stage: "main" })).toMatchObject({ status: 409 });
});
