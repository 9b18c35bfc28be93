/** Times of schedules that have come: what starts, what is skipped, what fails, and who is told. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { eventually } from "../../../support/eventually.ts";
import { startScheduleBed, tinyFile, type ScheduleBed } from "../../../support/schedule-bed.ts";

let bed: ScheduleBed;
beforeAll(async () => {
  bed = await startScheduleBed();
});
afterAll(() => bed?.close());

const minutes = (time: string) => Math.round((Date.now() - new Date(time).getTime()) / 60_000);

test("a run starts at its time, once, by the schedule, and the next time is the next of the line", async () => {
  const { at } = await bed.repository(
    `on: { schedule: [{ name: nightly, cron: "0 3 * * *" }] }\n${tinyFile}`,
  );
  const [schedule] = await bed.listed(at, ["nightly"]);
  const id = schedule?.id ?? "";
  await bed.makeDue(id);
  expect(await bed.came(at, id)).toMatchObject({
    cause: "schedule",
    status: "started",
    missed: 0,
    user: null,
  });
  const [run] = (await bed.runs(at)).filter(({ source }) => source === "schedule");
  expect(run).toMatchObject({
    status: "created",
    ref: "refs/heads/main",
    triggered_by: { type: "schedule", id, username: "schedule:nightly" },
    schedule: { id, name: "nightly" },
  });
  const after = await bed.get(at, id);
  expect(after.last_runs).toMatchObject([{ pipeline: { number: run?.number, status: "created" } }]);
  expect(after.next_runs[0]).toMatch(/T03:00:00/);
  const found = await bed.send("GET", `${at}/pipelines?event=schedule&actor=schedule:nightly`);
  expect(found.json.map((each: { id: string }) => each.id)).toEqual([run?.id]);
  const events = await bed.send("GET", `${at}/pipelines/${run?.id}/events`);
  expect(events.json[0]).toMatchObject({ actor: "schedule:nightly" });
});

test("variables, a branch and a file are those of the schedule", async () => {
  const { at } = await bed.repository();
  await bed.send("POST", `${at}/branches`, { name: "develop", ref: "main" });
  await bed.write(at, ".forgeline.yml", null, { branch: "develop" });
  await bed.write(at, ".forgeline/deploy.yml", tinyFile, { branch: "develop" });
  const body = { ref: "develop", pipeline: "deploy", variables: { DEPTH: "full" } };
  const { id } = await bed.schedule(at, body);
  await bed.makeDue(id);
  const { pipeline } = await bed.came(at, id);
  expect((await bed.send("GET", `${at}/pipelines/${pipeline?.id}`)).json).toMatchObject({
    ref: "refs/heads/develop",
    pipeline: ".forgeline/deploy.yml",
    variables: ["DEPTH"],
  });
});

test("what was missed is skipped or run once, and counted", async () => {
  const { at } = await bed.repository();
  const skipping = await bed.schedule(at, { cron: "*/5 * * * *" });
  const running = await bed.schedule(at, { cron: "*/30 * * * *", if_missed: "run_once" });
  const daily = await bed.schedule(at, { cron: "0 3 29 2 *", if_missed: "skip" });
  // The newest of them is late, not missed, and so it runs.
  await bed.makeDue(skipping.id, 62);
  const late = await bed.came(at, skipping.id);
  expect(late).toMatchObject({ cause: "schedule", status: "started" });
  expect(late.missed).toBeGreaterThanOrEqual(11);
  expect(minutes(late.due_at)).toBeLessThanOrEqual(5);

  await bed.makeDue(daily.id, 60 * 24);
  expect(await bed.came(at, daily.id)).toMatchObject({
    cause: "missed",
    status: "skipped",
    missed: 0,
    pipeline: null,
  });
  expect((await bed.get(at, daily.id)).next_runs[0]).toMatch(/-02-29T03:00/);

  await bed.send("PATCH", `${at}/schedules/${running.id}`, { cron: "0 3 29 2 *" });
  await bed.makeDue(running.id, 60 * 24);
  const once = await bed.came(at, running.id);
  expect(once).toMatchObject({ cause: "missed", status: "started" });
  expect(minutes(once.due_at)).toBe(60 * 24);
});

test("a broken file makes a run that shows the error; a branch that is gone fails, and is told after three times", async () => {
  const { at, name } = await bed.repository();
  await bed.send("POST", `${at}/branches`, { name: "develop", ref: "main" });
  const { id } = await bed.schedule(at, { name: "nightly", ref: "develop" });
  await bed.write(at, ".forgeline.yml", "image: a\nstep: [x]\n", { branch: "develop" });
  await bed.makeDue(id);
  expect(await bed.came(at, id)).toMatchObject({ status: "started", pipeline: { status: "error" } });
  await bed.send("DELETE", `${at}/branches/develop`);
  await bed.database.query("update users set email = 'ada@example.com' where id = $1", [bed.ada.id]);
  const mails = async () =>
    ((await bed.send("GET", "/admin/mails?per_page=100")).json as { kind: string; subject: string }[]).filter(
      ({ subject }) => subject.includes(name),
    );
  for (let count = 1; count <= 4; count += 1) {
    await bed.makeDue(id);
    const failed = await bed.came(at, id, count);
    expect(failed).toMatchObject({ status: "failed", error: "No branch, tag or commit is named develop." });
    expect((await bed.get(at, id)).failures).toBe(count);
    expect(await mails()).toHaveLength(count < 3 ? 0 : 1);
  }
  expect(await mails()).toMatchObject([
    { kind: "schedule_failing", subject: `The schedule nightly of ada/${name} starts nothing` },
  ]);
  await bed.send("POST", `${at}/branches`, { name: "develop", ref: "main" });
  await bed.makeDue(id);
  expect(await bed.came(at, id, 5)).toMatchObject({ status: "started" });
  expect((await bed.get(at, id)).failures).toBe(0);
});

test("a schedule whose owner has lost the right is turned off and says so, until somebody takes it over", async () => {
  const { at, name } = await bed.repository();
  const eve = await bed.server.person("eve");
  await bed.send("PUT", `${at}/collaborators/eve`, { permission: "admin" });
  const made = await bed.send("POST", `${at}/schedules`, { name: "eves", cron: "0 3 * * *" }, eve);
  const { id } = made.json;
  await bed.send("PUT", `${at}/collaborators/eve`, { permission: "read" });
  await bed.makeDue(id);
  const off = await eventually(async () => {
    const now = await bed.get(at, id);
    return !now.enabled && now;
  });
  expect(off).toMatchObject({ disabled_reason: "owner", owner: "eve", next_runs: [], last_runs: [] });
  expect((await bed.audit(name))[0]).toMatchObject({
    action: "schedule.turn_off",
    actor: { username: "system" },
    details: { name: "eves", reason: "owner" },
  });
  const mails = (await bed.send("GET", "/admin/mails?per_page=100")).json as { subject: string }[];
  expect(mails.map(({ subject }) => subject)).toContain(`The schedule eves of ada/${name} was turned off`);
  const on = await bed.send("PATCH", `${at}/schedules/${id}`, { enabled: true });
  expect(on.json).toMatchObject({ enabled: true, owner: "ada" });
  await bed.makeDue(id);
  expect(await bed.came(at, id)).toMatchObject({ status: "started" });
});

test("in an archived repository times pass without a record", async () => {
  const { at } = await bed.repository();
  const { id } = await bed.schedule(at);
  await bed.send("POST", `${at}/archive`);
  expect((await bed.get(at, id)).next_runs).toEqual([]);
  await bed.makeDue(id);
  await eventually(
    async () =>
      (await bed.database.one("select id from pipeline_schedules where id = $1 and next_at > now()", [
        id,
      ])) !== undefined,
  );
  await bed.send("POST", `${at}/unarchive`);
  expect(await bed.history(at, id)).toEqual([]);
});

test("two followers at once start each time once, whatever the number of schedules", async () => {
  const stopping = new AbortController();
  const second = bed.server.container.automation.followerRunner.run("schedules", stopping.signal);
  const repositories = await Promise.all([1, 2, 3].map(() => bed.repository()));
  const all = await Promise.all(
    repositories.flatMap(({ at }) =>
      [1, 2, 3, 4, 5].map(async () => ({ at, id: (await bed.schedule(at)).id })),
    ),
  );
  await Promise.all(all.map(({ id }) => bed.makeDue(id)));
  await Promise.all(all.map(({ at, id }) => bed.came(at, id)));
  const counts = await Promise.all(
    repositories.map(
      async ({ at }) => (await bed.runs(at)).filter(({ source }) => source === "schedule").length,
    ),
  );
  expect(counts).toEqual([5, 5, 5]);
  expect(
    (await Promise.all(all.map(({ at, id }) => bed.history(at, id)))).map(({ length }) => length),
  ).toEqual(all.map(() => 1));
  stopping.abort();
  await second;
});

test("inputs are those of the schedule; one that lacks what the file requires fails and says so", async () => {
  const file = (more: string) =>
    `on: { push: , ${more} manual: { inputs: { n: { type: number, default: 1 }, target: { type: string, required: true }, mode: { type: choice, options: [x], required: true } } } }\n${tinyFile}`;
  const { at } = await bed.repository(file('schedule: [{ name: nightly, cron: "0 3 * * *" }],'));
  const byHand = await bed.schedule(at, { inputs: { n: "7", target: "a", mode: "x" } });
  await bed.makeDue(byHand.id);
  const { pipeline } = await bed.came(at, byHand.id);
  expect((await bed.send("GET", `${at}/pipelines/${pipeline?.id}`)).json).toMatchObject({
    source: "schedule",
    inputs: { n: 7, target: "a", mode: "x" },
  });
  const listed = await bed.listed(at, [byHand.name, "nightly"]);
  const id = listed[1]?.id ?? "";
  await bed.makeDue(id);
  expect(await bed.came(at, id)).toMatchObject({
    status: "failed",
    error: "The input target is required. The input mode is required.",
    pipeline: null,
  });
});

test("no more is reached than by the token that made the schedule, or last changed it", async () => {
  const shared = await bed.repository();
  await bed.write(shared.at, "part.yml", "job:\n  image: busybox\n  steps: ['true']\n");
  const file = `jobs: { part: { uses: ada/${shared.name}//part.yml@main } }\n`;
  const { at, name } = await bed.repository(file);
  const made = await bed.send("POST", "/user/tokens", {
    name: "narrow",
    scopes: ["repo:admin", "pipeline:write"],
    repositories: [`ada/${name}`],
  });
  const narrow = { ...bed.ada, token: made.json.token as string };
  const comes = async (id: string) => {
    const before = (await bed.history(at, id)).length;
    await bed.makeDue(id);
    const { pipeline } = await bed.came(at, id, before);
    const run = await bed.database.one<{ status: string; elsewhere: boolean }>(
      "select status, starts_elsewhere as elsewhere from pipelines where id = $1",
      [pipeline?.id],
    );
    return run;
  };
  const byHand = await bed.schedule(at);
  expect(await comes(byHand.id)).toEqual({ status: "created", elsewhere: true });
  const body = { name: "narrow", cron: "0 3 * * *" };
  const limited = await bed.send("POST", `${at}/schedules`, body, narrow);
  expect(limited.status, limited.text).toBe(201);
  expect(await comes(limited.json.id)).toEqual({ status: "error", elsewhere: false });
  await bed.send("PATCH", `${at}/schedules/${byHand.id}`, { variables: { A: "1" } }, narrow);
  expect(await comes(byHand.id)).toEqual({ status: "error", elsewhere: false });
  const listed = (by: string) => `on: { schedule: [{ name: ${by}, cron: "0 3 * * *" }] }\n${file}`;
  for (const [by, person, expected] of [
    ["limited", narrow, { status: "error", elsewhere: false }],
    ["unlimited", bed.ada, { status: "created", elsewhere: true }],
  ] as const) {
    await bed.write(at, ".forgeline.yml", listed(by), { person });
    const schedule = await eventually(async () => (await bed.list(at)).find(({ name: is }) => is === by));
    expect(await comes(schedule.id)).toEqual(expected);
  }
});
