/** Concurrency groups as people see and release them. How slots go around is `test/integration/workflows`' to prove. */
import { afterAll, beforeAll, expect, it } from "vitest";
import type { PlanConcurrency } from "@forgeline/schemas/pipeline-file/plan.ts";
import { releaseSlots } from "@forgeline/server/domains/pipelines/concurrency/take-slots.ts";
import { systemActor } from "@forgeline/server/platform/access/actor.ts";
import pg from "pg";
import { approvalRule, decideAt } from "../../../support/approvals.ts";
import { lockWait } from "../../../support/lock-wait.ts";
import { startApiServer, type ApiServer, type TestPerson } from "../../../support/api-server.ts";
import { figuresOf } from "../../../support/figures.ts";
import { insertRun, planJob, planOf } from "../../../support/runs.ts";
import { slotPlaces } from "../../../support/slot-places.ts";
import { inGroup } from "../../../support/slot-runs.ts";

let server: ApiServer;
let ada: TestPerson;
let ben: TestPerson;
let db: ApiServer["container"]["platform"]["db"];
let places: ReturnType<typeof slotPlaces>;
beforeAll(async () => {
  server = await startApiServer();
  [ada, ben] = await Promise.all([server.person("ada"), server.person("ben")]);
  ({ db } = server.container.platform);
  places = slotPlaces(server, ada);
});
afterAll(() => server?.stop());

const group = (name: string, more: Partial<PlanConcurrency> = {}) =>
  inGroup(name, { order: "ready", ...more });

const read = async (path: string, { token }: { token: string } = ada) =>
  (await server.api("GET", path, { token })).json;

it("are listed with who holds a slot and who waits, in their order", async () => {
  const place = await places.repository("ada", "deploys");
  const [first, second, third] = [
    await places.asks(place, group("prod")),
    await places.asks(place, group("prod")),
    await places.asks(place, group("prod")),
  ];
  expect([first, second, third].map(({ answer }) => answer.kind)).toEqual(["held", "waiting", "waiting"]);
  const expected = await insertRun(
    db,
    place,
    planOf([planJob({ key: "later", concurrency: group("staging", { order: "created", limit: 3 }) })]),
  );
  const groups = await read("/repos/ada/deploys/concurrency");
  expect(groups).toMatchObject([
    {
      group: "prod",
      scope: "repo",
      limit: 1,
      holders: [
        {
          state: "held",
          repository: "ada/deploys",
          pipeline: { number: first.number },
          job: { key: "ship" },
        },
      ],
      queue: [
        { state: "waiting", pipeline: { number: second.number } },
        { state: "waiting", pipeline: { number: third.number } },
      ],
      queue_length: 2,
    },
    {
      group: "staging",
      limit: 3,
      holders: [],
      queue: [{ state: "expected", pipeline: { number: expected.number } }],
    },
  ]);
  // Of a private repository nobody else learns anything.
  expect((await server.api("GET", "/repos/ada/deploys/concurrency", { token: ben.token })).status).toBe(404);

  const job = await read(`/repos/ada/deploys/pipelines/${third.number}/jobs/${third.jobId}`);
  expect(job).toMatchObject({
    status: "waiting",
    reason: "concurrency:prod",
    message: `Waits for a slot of the concurrency group prod, held by job ship of run #${first.number}; one more is before it.`,
    concurrency: { group: "prod", ahead: 1, holders: [{ pipeline: { number: first.number } }] },
  });
  const run = await read(`/repos/ada/deploys/pipelines/${third.number}`);
  expect(run.stages[0].jobs[0].concurrency.ahead).toBe(1);
});

it("are released by hand: by maintainers, with an entry, to the next in the queue", async () => {
  const [prod] = await read("/repos/ada/deploys/concurrency");
  const [holder] = prod.holders;
  const [next, last] = prod.queue;
  const release = (id: string, { token }: { token: string }) =>
    server.api("DELETE", `/repos/ada/deploys/concurrency/${id}`, { token });
  await server.api("PUT", "/repos/ada/deploys/collaborators/ben", {
    token: ada.token,
    body: { permission: "write" },
  });
  const early = await release(holder.id, ben);
  expect([403, 404]).toContain(early.status);
  const waiting = await release(next.id, ada);
  expect(waiting.status).toBe(409);
  expect(waiting.text).toContain("cancel its run");
  expect((await release(holder.id, ada)).status).toBe(204);
  expect((await release(holder.id, ada)).status).toBe(404);
  const figures = figuresOf(await server.container.platform.metrics.metrics());
  // The first one got its slot at once.
  expect(figures.get('forgeline_concurrency_wait_seconds_count{scope="repo"}')).toBe(2);
  expect(figures.get('forgeline_concurrency_wait_seconds_sum{scope="repo"}')).toBeGreaterThan(0);
  expect(await read("/repos/ada/deploys/concurrency")).toMatchObject([
    { holders: [{ id: next.id }], queue: [{ id: last.id }] },
    {},
  ]);
  const [entry] = await db.query(
    "select details from audit_log where action = 'pipeline.release_slot' order by seq desc limit 1",
  );
  expect(entry).toEqual({ details: { group: "prod", scope: "repo", state: "held" } });
});

it("of an organization need its consent, and name runs of other repositories to owners only", async () => {
  await server.api("POST", "/orgs", { token: ada.token, body: { name: "acme" } });
  const [one, other] = [await places.repository("acme", "one"), await places.repository("acme", "other")];
  const shared = group("cluster", { scope: "org" });
  const refused = await places.asks(one, shared);
  expect(refused.answer).toMatchObject({ kind: "refused" });
  const own = await places.asks(await places.repository("ada", "alone"), shared);
  expect(own.answer).toMatchObject({ kind: "refused" });
  const body = { shared_concurrency: true };
  const changed = await server.api("PATCH", "/orgs/acme", { token: ada.token, body });
  expect(changed.json.shared_concurrency).toBe(true);

  const first = await places.asks(one, shared);
  const second = await places.asks(other, shared);
  expect([first.answer.kind, second.answer.kind]).toEqual(["held", "waiting"]);
  const hidden = await read("/repos/acme/other/concurrency");
  expect(hidden).toMatchObject([
    {
      group: "cluster",
      scope: "org",
      holders: [{ repository: null, pipeline: null, job: null }],
      queue: [{ repository: "acme/other", pipeline: { number: second.number } }],
    },
  ]);
  const message = (await read(`/repos/acme/other/pipelines/${second.number}/jobs/${second.jobId}`)).message;
  expect(message).toContain("held by a run of another repository");
  expect(await read("/orgs/acme/concurrency")).toMatchObject([{ holders: [{ repository: "acme/one" }] }]);
  expect((await server.api("GET", "/orgs/acme/concurrency", { token: ben.token })).status).toBe(404);
  // A slot of another repository is not there.
  const foreign = `/repos/acme/other/concurrency/${hidden[0].holders[0].id}`;
  expect((await server.api("DELETE", foreign, { token: ada.token })).status).toBe(404);
  await db.transaction((tx) => releaseSlots(tx, first.id, [first.jobId]));
  expect(await read("/repos/acme/other/concurrency")).toMatchObject([
    { holders: [{ repository: "acme/other" }], queue: [] },
  ]);
});

it("go with a repository to its new organization, save for slots that are held until their jobs end", async () => {
  await Promise.all([places.organization("north", true), places.organization("south", true)]);
  const [moved, stays] = [
    await places.repository("north", "moved"),
    await places.repository("north", "stays"),
  ];
  const there = await places.repository("south", "there");
  const shared = group("cluster", { scope: "org" });
  const held = await places.asks(moved, shared);
  const holder = await places.asks(there, shared);
  const waits = await places.asks(moved, shared);
  const behind = await places.asks(stays, shared);
  const last = await places.asks(there, shared);
  await places.transfer("north/moved", "south");
  // What it guards is in use; whose run that is concerns the old owners no more.
  expect(await read("/orgs/north/concurrency")).toMatchObject([
    {
      holders: [{ state: "held", repository: null, pipeline: null }],
      queue: [{ repository: "north/stays" }],
    },
  ]);
  expect(await read("/orgs/south/concurrency")).toMatchObject([
    {
      holders: [{ repository: "south/there", pipeline: { number: holder.number } }],
      queue: [
        { repository: "south/moved", pipeline: { number: waits.number } },
        { repository: "south/there", pipeline: { number: last.number } },
      ],
    },
  ]);
  expect((await places.asks(moved, shared)).answer.kind).toBe("waiting");
  await db.transaction((tx) => releaseSlots(tx, held.id, [held.jobId]));
  expect(await read("/orgs/north/concurrency")).toMatchObject([
    { holders: [{ repository: "north/stays", pipeline: { number: behind.number } }], queue: [] },
  ]);
  await db.transaction((tx) => releaseSlots(tx, holder.id, [holder.jobId]));
  expect(await read("/orgs/south/concurrency")).toMatchObject([
    { holders: [{ repository: "south/moved" }], queue: [{ repository: "south/there" }, {}] },
  ]);
});

it("of a run that left are released by owners of the organization whose group it is", async () => {
  const put = (path: string, body: object) => server.api("PUT", path, { token: ada.token, body });
  expect((await put("/orgs/north/members/ben", { role: "owner" })).status).toBeLessThan(300);
  const next = await places.asks(
    await places.repository("north", "next"),
    group("cluster", { scope: "org" }),
  );
  await places.transfer("north/stays", "south");
  const [{ holders, queue }] = await read("/orgs/north/concurrency", ben);
  expect(holders).toMatchObject([{ state: "held", repository: null }]);
  const [south] = await read("/orgs/south/concurrency");
  const release = async (id: string, { token }: { token: string } = ben) =>
    (await server.api("DELETE", `/orgs/north/concurrency/${id}`, { token })).status;
  expect(await release(holders[0].id, await server.person("eve"))).toBe(404);
  expect(await release(south.holders[0].id)).toBe(404);
  expect(await release(queue[0].id)).toBe(409);
  for (const status of [204, 404]) expect(await release(holders[0].id)).toBe(status);
  expect(await read("/orgs/north/concurrency", ben)).toMatchObject([
    { holders: [{ id: queue[0].id, pipeline: { number: next.number } }], queue: [] },
  ]);
  expect(await release(queue[0].id)).toBe(204);
  const entries = async (org: string) =>
    (await read(`/orgs/${org}/audit-log?action=pipeline.release_slot`)) as object[];
  const details = { group: "cluster", scope: "org", state: "held" };
  const [own, former, ...more] = await entries("north");
  expect(own).toMatchObject({ actor: { username: "ben" }, target: { name: "north/next#1" }, details });
  expect(former).toMatchObject({ actor: { username: "ben" }, target: { name: "north" }, details });
  expect(JSON.stringify(former)).not.toContain("stays");
  expect(more).toEqual([]);
  // Those who have the repository now learn of it, and nothing of whoever did it.
  const [told] = await entries("south");
  expect(told).toMatchObject({ target: { type: "pipeline" }, details: { ...details, by_owner_of: "north" } });
  expect(JSON.stringify(told)).toContain("south/stays#1");
  expect(JSON.stringify(told)).not.toContain("ben");
});

it("go on under a new name of the repository, but not under another one of the group", async () => {
  const place = await places.repository("ada", "before");
  const first = await places.asks(place, group("prod"));
  const body = { name: "after" };
  expect((await server.api("PATCH", "/repos/ada/before", { token: ada.token, body })).status).toBe(200);
  expect((await places.asks(place, group("prod"))).answer.kind).toBe("waiting");
  expect(await read("/repos/ada/after/concurrency")).toMatchObject([
    { group: "prod", holders: [{ repository: "ada/after", pipeline: { number: first.number } }] },
  ]);
  // As the file of the next commit calls it.
  expect((await places.asks(place, group("production"))).answer.kind).toBe("held");
  await places.organization("east", false);
  await places.transfer("ada/after", "east");
  expect((await places.asks(place, group("prod"))).answer.kind).toBe("waiting");
});

it.each(["ada", "harbour"])("are left for %s while a run goes on", async (to) => {
  const from = `before-${to}`;
  for (const name of [from, "harbour"]) await places.organization(name, true);
  const place = await places.repository(from, "both");
  const inOrder = (name: string) => group(name, { scope: "org", order: "created" });
  const [before, needs] = [inOrder("before"), [{ job: "gate", optional: false }]];
  const run = await insertRun(
    db,
    place,
    planOf([
      planJob({ key: "first", concurrency: before }),
      planJob({ key: "gate", approval: approvalRule() }),
      planJob({ key: "last", concurrency: inOrder("after"), needs }),
    ]),
  );
  const [first, gate] = (
    await db.query<{ id: string }>("select id from jobs where pipeline_id = $1 order by position", [run.id])
  ).map(({ id }) => ({ jobId: id, attempt: 1 }));
  const { runs } = server.container.pipelines;
  const at = { pipelineId: run.id, sequence: 1 };
  const met = { retry: false, outcome: "success", stageOutcome: "success", blocked: null } as const;
  await runs.loadRun(at);
  const asked = { ...gate!, ...met, ask: true };
  await runs.startJobs({ ...at, settled: [], jobs: [{ ...first!, ...met }, asked] });
  await places.asks(place, before);
  const person = { ...systemActor, kind: "user", userId: ada.id, username: "ada" } as const;
  await decideAt(db, person, { pipelineId: run.id, job: "gate", decision: "approve" });
  // Both come to wait for one group, the transfer first.
  const holder = new pg.Client({ connectionString: server.database.url });
  await holder.connect();
  try {
    await holder.query("begin");
    await holder.query(
      "select pg_advisory_xact_lock(hashtextextended('slots ' || id || ' before', 0)) from owners where name = $1",
      [from],
    );
    const moving = places.transfer(`${from}/both`, to);
    await lockWait(db);
    const settled = [{ ...first!, status: "success" as const, reason: null, allowed: false }];
    const starting = runs.startJobs({ ...at, settled, jobs: [asked] });
    await lockWait(db, 2);
    await holder.query("commit");
    expect(await starting).toMatchObject([{ status: "passed" }]);
    await moving;
    const owners =
      "select o.name from concurrency_slots s join owners o on o.id = s.owner_id where pipeline_id = $1";
    expect(await db.query(owners, [run.id])).toEqual(to === "ada" ? [] : [{ name: to }]);
  } finally {
    await holder.end();
  }
});
