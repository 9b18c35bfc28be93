/** Schedules that pipeline files of the default branch list. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { eventually } from "../../../support/eventually.ts";
import { startScheduleBed, tinyFile, type ScheduleBed } from "../../../support/schedule-bed.ts";

let bed: ScheduleBed;
beforeAll(async () => {
  bed = await startScheduleBed();
});
afterAll(() => bed?.close());

const listing = (...schedules: string[]) =>
  `on: { push: , schedule: [${schedules.join(", ")}] }\n${tinyFile}`;
const nightly = "{ name: nightly, cron: '0 3 * * *', timezone: Europe/Berlin, if_missed: run_once }";

test("a pushed file makes, changes and removes schedules, whose owner is who pushed it", async () => {
  const { at } = await bed.repository(listing(nightly, "{ cron: '30 4 * * 1', branch: develop }"));
  const [hourly, named] = await bed.listed(at, ["30 4 * * 1", "nightly"]);
  expect(named).toMatchObject({
    name: "nightly",
    source: "file",
    cron: "0 3 * * *",
    timezone: "Europe/Berlin",
    ref: null,
    pipeline: ".forgeline.yml",
    if_missed: "run_once",
    enabled: true,
    disabled_reason: null,
    owner: "ada",
    last_runs: [],
  });
  expect(hourly).toMatchObject({ ref: "develop", timezone: "UTC", if_missed: "skip" });
  expect(named?.next_runs).toHaveLength(5);
  const hours = named?.next_runs.map((time) =>
    new Intl.DateTimeFormat("en", { timeZone: "Europe/Berlin", hour: "numeric", hourCycle: "h23" }).format(
      new Date(time),
    ),
  );
  expect(new Set(hours)).toEqual(new Set(["03"]));

  await bed.write(at, ".forgeline.yml", listing("{ name: nightly, cron: '0 5 * * *' }"));
  const [changed] = await bed.listed(at, ["nightly"]);
  expect(changed).toMatchObject({ id: named?.id, cron: "0 5 * * *", timezone: "UTC", if_missed: "skip" });
  expect(new Date(changed?.next_runs[0] ?? 0).getUTCHours()).toBe(5);

  await bed.write(at, ".forgeline.yml", tinyFile);
  await bed.listed(at, []);
});

test("a file with errors keeps what it listed, and another file has its own", async () => {
  const { at } = await bed.repository(tinyFile);
  await bed.write(at, ".forgeline.yml", null);
  await bed.write(at, ".forgeline/a.yml", listing(nightly));
  await bed.write(at, ".forgeline/b.yml", listing("{ name: nightly, cron: '0 6 * * *' }"));
  const both = await bed.listed(at, ["nightly", "nightly"]);
  expect(both.map(({ pipeline }) => pipeline)).toEqual([".forgeline/a.yml", ".forgeline/b.yml"]);
  await bed.write(at, ".forgeline/b.yml", `on: { schedule: [{ cron: never }] }\n${tinyFile}`);
  await bed.write(at, ".forgeline/a.yml", listing("{ name: weekly, cron: '0 3 * * 1' }"));
  const kept = await bed.listed(at, ["nightly", "weekly"]);
  expect(kept[0]).toMatchObject({ pipeline: ".forgeline/b.yml", cron: "0 6 * * *", enabled: true });
});

test("only the default branch counts, also when another one becomes it", async () => {
  const { at } = await bed.repository(listing(nightly));
  await bed.listed(at, ["nightly"]);
  await bed.send("POST", `${at}/branches`, { name: "next", ref: "main" });
  await bed.write(at, ".forgeline.yml", listing("{ name: other, cron: '0 7 * * *' }"), { branch: "next" });
  // What was pushed to the branch has been followed when this has.
  await bed.write(at, ".forgeline.yml", listing(nightly, "{ name: too, cron: '0 8 * * *' }"));
  await bed.listed(at, ["nightly", "too"]);
  await bed.send("PATCH", at, { default_branch: "next" });
  expect(await bed.listed(at, ["other"])).toMatchObject([{ owner: "ada" }]);
});

test("one of a file can be turned off and on here, and nothing else; off it stays", async () => {
  const { at } = await bed.repository(listing(nightly));
  const [schedule] = await bed.listed(at, ["nightly"]);
  const one = `${at}/schedules/${schedule?.id}`;
  expect((await bed.send("PATCH", one, { enabled: false })).json).toMatchObject({
    enabled: false,
    disabled_reason: null,
    next_runs: [],
  });
  await bed.write(at, ".forgeline.yml", listing("{ name: nightly, cron: '0 9 * * *' }"));
  await eventually(async () => (await bed.get(at, schedule?.id ?? "")).cron === "0 9 * * *");
  expect(await bed.get(at, schedule?.id ?? "")).toMatchObject({ enabled: false });
  const refused = await bed.send("PATCH", one, { cron: "0 1 * * *" });
  expect([refused.status, refused.json.message]).toEqual([
    409,
    ".forgeline.yml lists it: change it there. Here it can only be turned on and off.",
  ]);
  expect((await bed.send("DELETE", one)).status).toBe(409);
  // What is as it was is no change.
  expect((await bed.send("PATCH", one, { cron: "0 9 * * *", enabled: true })).json).toMatchObject({
    enabled: true,
    owner: "ada",
  });
});

test("what a fork took over is off until somebody of the fork turns it on, and owns it from then on", async () => {
  const upstream = await bed.repository(listing(nightly));
  await bed.send("PATCH", upstream.at, { visibility: "public" });
  const bob = await bed.server.person("bob");
  expect((await bed.send("POST", `${upstream.at}/forks`, {}, bob)).status).toBe(201);
  const at = `/repos/bob/${upstream.name}`;
  const [taken] = await bed.listed(at, ["nightly"]);
  expect(taken).toMatchObject({ enabled: false, disabled_reason: "fork", owner: null, next_runs: [] });
  const turnedOn = await bed.send("PATCH", `${at}/schedules/${taken?.id}`, { enabled: true }, bob);
  expect(turnedOn.json).toMatchObject({ enabled: true, disabled_reason: null, owner: "bob" });
  // What bob adds himself is on.
  await bed.write(at, ".forgeline.yml", listing(nightly, "{ name: own, cron: '0 2 * * *' }"), {
    person: bob,
  });
  expect(await bed.listed(at, ["nightly", "own"])).toMatchObject([
    { owner: "bob" },
    { enabled: true, owner: "bob" },
  ]);
});
