/** Statements take states from their tables (`attempt-states.ts` and its like), so that none can go a way of its own. */
import { glob, readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const root = fileURLToPath(new URL("../../", import.meta.url));

/** By the file: what it sets by itself, and why it may. */
const exceptions: Record<string, { ways: string[]; reason: string }> = {
  "server/domains/pipelines/runs/steps.store.ts": {
    ways: ["set status = 'running'"],
    reason:
      "steps have no table: each begins once, as long as it is `created`, and only while its attempt is leased",
  },
  "server/domains/collaboration/notifications/subscriptions.store.ts": {
    ways: [
      "insert into work_item_subscriptions (work_item_id, user_id, state, reason)\n    select w.id, u.id, 'muted'",
      "insert into work_item_subscriptions (work_item_id, user_id, state, reason) values ($1, $2, $3, 'manual'",
    ],
    reason: "whether somebody follows an item is a choice, which each other choice may replace",
  },
  "server/domains/collaboration/notifications/telling.store.ts": {
    ways: [
      "insert into work_item_subscriptions (work_item_id, user_id, state, reason)\n    select t.work_item_id, named.id, 'subscribed'",
    ],
    reason: "the same: whoever is involved follows it until they choose otherwise",
  },
};

/** Updates and inserts in `text` that write a state, or the status that goes with one, without asking its table. */
function ownWays(text: string): string[] {
  return text
    .split(/(?<=[`"]),?\n/)
    .flatMap((statement) => [
      ...(statement.match(/(?:\bset|,) state = '\w+'/g) ?? []),
      ...(statement.includes("from(") ? [] : (statement.match(/\bset status = '\w+'/g) ?? [])),
      ...(statement.match(/\bset ended = true[^`]*/g) ?? []).filter(
        (update) => !update.includes("eventCondition("),
      ),
      ...insertedStates(statement),
    ]);
}

/** Inserts that name the column of a state or status and have a text of their own among the values. */
function insertedStates(statement: string): string[] {
  return (
    statement.match(
      /\binsert into \w+ \([^)]*\b(?:state|status)\b[^)]*\)\s+(?=values|select)(?:(?!\sfrom\s)[^`"])*?(?:[(,]|select)\s*'\w+'/g,
    ) ?? []
  );
}

test("no statement of the server sets a state by itself", async () => {
  const found: Record<string, string[]> = {};
  for await (const file of glob("server/**/*.ts", { cwd: root })) {
    const ways = ownWays(await readFile(`${root}${file}`, "utf8"));
    if (ways.length > 0) found[file] = ways;
  }
  const named = Object.entries(exceptions).map(([file, { ways }]) => [file, ways]);
  expect(found).toEqual(Object.fromEntries(named));
});

test("a statement that does is found", () => {
  expect(ownWays("`update pushes set state = 'refused' where id = $1`")).toEqual(["set state = 'refused'"]);
  expect(ownWays("`update pushes set writer = $1, state = 'refused' where id = $2`")).toEqual([
    ", state = 'refused'",
  ]);
  expect(ownWays("`update log_streams set ended = true where id = $1`")).toHaveLength(1);
  expect(ownWays("`update job_attempts set status = 'running' where id = $1`")).toEqual([
    "set status = 'running'",
  ]);
  expect(ownWays("`insert into pushes (id, state) values ($1, 'recorded')`")).toHaveLength(1);
  expect(ownWays("\"insert into pushes (state, id)\n select 'recorded', id from x\"")).toHaveLength(1);
});

test("one that asks is not", () => {
  const asked = '`update log_streams set ended = true where id = $1 and ${eventCondition("close")}`';
  expect(ownWays(asked)).toEqual([]);
  expect(ownWays('`update pushes set state = ${to("refuse")} where ${from("refuse")}`')).toEqual([]);
  expect(ownWays("`update job_attempts set status = 'running' where state in (${from(\"start\")})`")).toEqual(
    [],
  );
  expect(ownWays('`insert into pushes (id, state) values ($1, ${to("record")})`')).toEqual([]);
  const compared =
    "`insert into pipelines (status, ended) select $1, case when $1 <> 'created' then now() end`";
  expect(ownWays(compared)).toEqual([]);
});
