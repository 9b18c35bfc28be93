/** Schedules that are made by hand: set up, changed, run now, refused. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { startScheduleBed, type ScheduleBed } from "../../../support/schedule-bed.ts";

let bed: ScheduleBed;
beforeAll(async () => {
  bed = await startScheduleBed();
});
afterAll(() => bed?.close());

test("one is made, read, changed and deleted, and the audit log says so", async () => {
  const { at, name } = await bed.repository();
  const made = await bed.send("POST", `${at}/schedules`, {
    name: "nightly",
    cron: " 0  3 * * mon-fri ",
    timezone: "America/New_York",
    variables: { DEPTH: "full" },
  });
  expect(made.status).toBe(201);
  expect(made.headers["location"]).toBe(made.json.url);
  expect(made.json).toMatchObject({
    name: "nightly",
    source: "manual",
    cron: "0 3 * * mon-fri",
    ref: null,
    pipeline: null,
    inputs: {},
    variables: { DEPTH: "full" },
    if_missed: "skip",
    enabled: true,
    owner: "ada",
    last_runs: [],
  });
  const one = `${at}/schedules/${made.json.id}`;
  expect((await bed.send("GET", one)).json).toEqual(made.json);
  const changed = await bed.send("PATCH", one, { cron: "0 4 * * *", timezone: "UTC", if_missed: "run_once" });
  expect(changed.json).toMatchObject({
    cron: "0 4 * * *",
    if_missed: "run_once",
    variables: { DEPTH: "full" },
  });
  expect(changed.json.next_runs.map((time: string) => time.slice(10))).toEqual(
    Array(5).fill("T04:00:00.000Z"),
  );
  const off = await bed.send("PATCH", one, { enabled: false });
  expect(off.json).toMatchObject({ enabled: false, disabled_reason: null, next_runs: [] });
  expect((await bed.send("DELETE", one)).status).toBe(204);
  expect((await bed.send("GET", one)).status).toBe(404);
  const seen = await bed.audit(name);
  expect(seen.map(({ action }) => action)).toEqual([
    "schedule.delete",
    "schedule.update",
    "schedule.update",
    "schedule.create",
  ]);
  expect(seen[2]?.details).toMatchObject({ name: "nightly", changed: ["cron", "timezone", "if_missed"] });
});

test.each([
  [{ cron: "61 * * * *" }, "cron", "invalid"],
  [{ cron: "@daily" }, "cron", "invalid"],
  [{ cron: "0 0 30 2 *" }, "cron", "invalid"],
  [{ cron: "*/2 * * * *" }, "cron", "too_often"],
  [{ timezone: "Mars/Olympus" }, "timezone", "unknown"],
  [{ ref: "nowhere" }, "ref", "unknown"],
  [{ pipeline: "deploy" }, "pipeline", "unknown"],
  [{ inputs: { target: "x" } }, "inputs.target", "unknown"],
  [{ variables: { CI_JOB: "x" } }, "variables.CI_JOB", expect.any(String)],
  [{ name: "  " }, "name", expect.any(String)],
])("%j is refused", async (body, field, code) => {
  const { at } = await refusing();
  const answer = await bed.send("POST", `${at}/schedules`, { name: "n", cron: "0 3 * * *", ...body });
  expect([answer.status, answer.json.errors?.[0]]).toEqual([422, expect.objectContaining({ field, code })]);
});

let refused: ReturnType<ScheduleBed["repository"]> | undefined;
const refusing = () => (refused ??= bed.repository());

test("a name is taken once, and there are at most a hundred", async () => {
  const { at, id } = await bed.repository();
  const first = await bed.schedule(at, { name: "nightly" });
  const again = await bed.send("POST", `${at}/schedules`, { name: "nightly", cron: "0 3 * * *" });
  expect([again.status, again.json.message]).toEqual([409, "There is a schedule of this name already."]);
  const second = await bed.schedule(at, { name: "weekly" });
  expect((await bed.send("PATCH", `${at}/schedules/${second.id}`, { name: "nightly" })).status).toBe(409);
  await bed.database.query(
    `insert into pipeline_schedules (id, repository_id, source, name, cron, timezone, if_missed, enabled)
     select 'sched_' || lpad(n::text, 26, '0'), $1, 'manual', 'n' || n, '0 3 * * *', 'UTC', 'skip', false from generate_series(1, 98) n`,
    [id],
  );
  const over = await bed.send("POST", `${at}/schedules`, { name: "one more", cron: "0 3 * * *" });
  expect([over.status, over.json.message]).toEqual([409, "There can be at most 100 of them."]);
  const page = await bed.send("GET", `${at}/schedules?per_page=2`);
  expect([page.headers["x-total-count"], page.json.length]).toEqual(["100", 2]);
  expect((await bed.get(at, first.id)).name).toBe("nightly");
});

test("one is run now, also while it is off, by who asks for it", async () => {
  const { at } = await bed.repository("on: push\nimage: busybox\nsteps: ['true']\n");
  const { id } = await bed.schedule(at, { name: "nightly", variables: { DEPTH: "full" }, enabled: false });
  const ran = await bed.send("POST", `${at}/schedules/${id}/run`);
  expect(ran.status).toBe(201);
  expect(ran.json).toMatchObject({
    source: "schedule",
    status: "created",
    ref: "refs/heads/main",
    triggered_by: { type: "user", username: "ada" },
    schedule: { id, name: "nightly" },
    variables: ["DEPTH"],
  });
  const became = { cause: "manual", status: "started", user: "ada", pipeline: { id: ran.json.id } };
  expect(await bed.history(at, id)).toMatchObject([became]);
  expect(await bed.get(at, id)).toMatchObject({ enabled: false, last_runs: [became] });
  // The run keeps the name of a schedule that is gone.
  await bed.send("DELETE", `${at}/schedules/${id}`);
  expect((await bed.send("GET", `${at}/pipelines/${ran.json.id}`)).json.schedule).toEqual({
    id: null,
    name: "nightly",
  });
});

test("a change that somebody else made meanwhile is not undone", async () => {
  const { at } = await bed.repository();
  const { id } = await bed.schedule(at);
  const both = await Promise.all([
    bed.send("PATCH", `${at}/schedules/${id}`, { cron: "0 4 * * *" }),
    bed.send("PATCH", `${at}/schedules/${id}`, { if_missed: "run_once" }),
  ]);
  const kept = await bed.get(at, id);
  const [line, missed] = both.map(({ status }) => status === 200);
  expect([kept.cron === "0 4 * * *", kept.if_missed === "run_once"]).toEqual([line, missed]);
});

test("a plan can be previewed for a schedule", async () => {
  const { at } = await bed.repository();
  const content = "on: { schedule: [{ cron: '0 3 * * *' }] }\nimage: a\nsteps: [x]";
  const preview = (event: string) => bed.send("POST", `${at}/pipelines/plan`, { content, event });
  expect((await preview("schedule")).json.nodes[0]).toMatchObject({ runs: true });
  expect((await preview("push")).json.nodes[0]).toMatchObject({ runs: false });
  expect((await preview("mirror_sync")).json.nodes[0]).toMatchObject({ runs: false });
});

const asking = `
on: { manual: { inputs: { target: { type: choice, options: [a, b], required: true }, n: { type: number, default: 1 } } } }
image: busybox
steps: ["true"]
`;

test("inputs are checked by the file of its branch, when it is saved and when it runs", async () => {
  const { at } = await bed.repository(asking);
  const refusal = async (body: object) => {
    const { status, json } = await bed.send("POST", `${at}/schedules`, {
      name: "n",
      cron: "0 3 * * *",
      ...body,
    });
    return [status, json.errors?.map(({ field, code }: Record<string, string>) => `${field} ${code}`)];
  };
  expect(await refusal({})).toEqual([422, ["inputs.target required"]]);
  expect(await refusal({ inputs: { target: "c", n: "x", m: 1 } })).toEqual([
    422,
    ["inputs.m unknown", "inputs.target invalid", "inputs.n invalid"],
  ]);
  const schedule = await bed.schedule(at, { name: "nightly", inputs: { target: "a", n: "3" } });
  expect(schedule.inputs).toEqual({ target: "a", n: "3" });
  const one = `${at}/schedules/${schedule.id}`;
  const ran = await bed.send("POST", `${one}/run`);
  expect([ran.status, ran.json.inputs]).toEqual([201, { target: "a", n: 3 }]);
  const wrong = await bed.send("PATCH", one, { inputs: { target: "c" } });
  expect([wrong.status, wrong.json.message]).toEqual([422, "The input target must be one of: a, b."]);
  expect((await bed.send("PATCH", one, { inputs: { target: "b" } })).json.inputs).toEqual({ target: "b" });

  // The file asks for something else now.
  await bed.write(at, ".forgeline.yml", asking.replace("[a, b]", "[c]").replace("}, n: {", "}, k: {"));
  const refused = await bed.send("POST", `${one}/run`);
  expect([refused.status, refused.json.message]).toEqual([422, "The input target must be one of: c."]);
  // What says nothing of inputs is saved nevertheless.
  expect((await bed.send("PATCH", one, { cron: "0 4 * * *" })).status).toBe(200);
});

test("inputs for a file with errors are kept until it has none", async () => {
  const { at } = await bed.repository("image: [busybox]\n");
  const { id, inputs } = await bed.schedule(at, { inputs: { target: "a" } });
  expect(inputs).toEqual({ target: "a" });
  await bed.write(at, ".forgeline.yml", asking);
  const ran = await bed.send("POST", `${at}/schedules/${id}/run`);
  expect([ran.status, ran.json.inputs]).toEqual([201, { target: "a", n: 1 }]);
});
