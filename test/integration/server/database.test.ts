/** The pool of connections to PostgreSQL when connections die under it. */
import pg from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { Registry } from "prom-client";
import { createCountsOnCommit } from "@forgeline/server/platform/db/counts-on-commit.ts";
import { createDatabase } from "@forgeline/server/platform/db/database.ts";
import { createLogger } from "@forgeline/server/platform/logger.ts";
import { readBed } from "../../support/bed.ts";
import { testDatabase, type TestDatabase } from "../../support/database.ts";
import { eventually } from "../../support/eventually.ts";
import { figuresOf } from "../../support/figures.ts";
import { withTexts, type TextDatabase } from "../../support/text-database.ts";

let made: TestDatabase;
let db: TextDatabase;
let superuser: pg.Client;
const counted = new Registry();
beforeAll(async () => {
  made = await testDatabase();
  const logger = createLogger({ name: "test", level: "silent" });
  const counts = createCountsOnCommit(counted);
  db = withTexts(createDatabase({ url: made.url, poolSize: 3, applicationName: made.name, logger, counts }));
  superuser = new pg.Client({ connectionString: (await readBed()).postgres.superuser });
  await superuser.connect();
});
afterAll(async () => {
  await db.close();
  await superuser.end();
  await made.drop();
});

const cut = (applicationName: string) =>
  superuser.query("select pg_terminate_backend(pid) from pg_stat_activity where application_name = $1", [
    applicationName,
  ]);

it("a transaction whose connection is cut rejects, and nothing else happens", async () => {
  const work = db.transaction(async (tx) => {
    await tx.query("select 1");
    await cut(made.name);
    // Nothing is being asked of the connection while it dies.
    await eventually(async () => {
      const { rows } = await superuser.query(
        "select from pg_stat_activity where application_name = $1 and state = 'idle in transaction'",
        [made.name],
      );
      return rows.length === 0;
    });
    await tx.query("select 1");
  });
  await expect(work).rejects.toThrow(/connection/i);
  expect(await db.one("select 1 as one")).toEqual({ one: 1 });
});

it("what a transaction counts is counted with its commit, and not when it is rolled back", async () => {
  const given = async () => figuresOf(await counted.metrics()).get("forgeline_secrets_given_total");
  expect(await given()).toBe(0);
  const undone = db.transaction(async (tx) => {
    tx.count("forgeline_secrets_given_total", {}, 5);
    await tx.query("select 1 / 0");
  });
  await expect(undone).rejects.toThrow("division by zero");
  await db.transaction(async (tx) => {
    tx.count("forgeline_secrets_given_total", {}, 2);
    expect(await given()).toBe(0);
  });
  expect(await given()).toBe(2);
});

it("listens again by itself, on one connection, and says that something may have been missed", async () => {
  const heard: string[] = [];
  const stop = db.listen("queue", (payload) => heard.push(payload));
  await eventually(() => heard.length === 1);
  for (let times = 2; times <= 3; times++) {
    await cut(`${made.name}-listen`);
    await eventually(() => heard.length === times);
  }
  expect(heard).toEqual(["", "", ""]);
  const { rows } = await superuser.query("select from pg_stat_activity where application_name = $1", [
    `${made.name}-listen`,
  ]);
  expect(rows).toHaveLength(1);
  stop();
});
