import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { countRows } from "@forgeline/server/platform/db/count-rows.ts";
import { createDatabase } from "@forgeline/server/platform/db/database.ts";
import { createLogger } from "@forgeline/server/platform/logger.ts";
import { eventually } from "../../support/eventually.ts";
import { testDatabase, type TestDatabase } from "../../support/database.ts";
import { withTexts, type TextDatabase } from "../../support/text-database.ts";

let own: TestDatabase;
let db: TextDatabase;
beforeAll(async () => {
  own = await testDatabase();
  const logger = createLogger({ name: "test", level: "silent" });
  db = withTexts(createDatabase({ url: own.url, poolSize: 2, applicationName: "count", logger }));
});
afterAll(async () => {
  await db?.close();
  await own?.drop();
});

const add = (kind: string, from: number, to: number) =>
  db.query(
    `insert into rate_limit_windows (category, subject, started_at, ends_at, requests, taken, granted)
     select $1, 'count-' || n, now(), now() + interval '1 hour', 1, 1, 1 from generate_series($2::int, $3::int) n`,
    [kind, from, to],
  );
const total = (kind: string) => countRows(db, "from rate_limit_windows where category = $1", [kind]);

test("a short list's total is that of this moment", async () => {
  expect(await total("few")).toBe(0);
  await add("few", 1, 10_000);
  expect(await total("few")).toBe(10_000);
  await db.query("delete from rate_limit_windows where category = 'few' and subject = 'count-7'");
  expect(await total("few")).toBe(9_999);
});

test("a long list's total is exact at first, and soon after a change", async () => {
  await add("many", 1, 10_500);
  expect(await total("many")).toBe(10_500);
  await add("many", 10_501, 10_600);
  const clock = performance.now.bind(performance);
  let aheadMs = 0;
  const spy = vi.spyOn(performance, "now").mockImplementation(() => clock() + aheadMs);
  try {
    aheadMs += 6_000;
    await eventually(async () => (await total("many")) === 10_600);
    await db.query("delete from rate_limit_windows where category = 'many'");
    aheadMs += 6_000;
    await eventually(async () => (await total("many")) === 0);
  } finally {
    spy.mockRestore();
  }
});
