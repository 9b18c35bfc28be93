/** Statements take states from their tables (`attempt-states.ts` and its like), so that none can go a way of its own. */
import { glob, readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const root = fileURLToPath(new URL("../../", import.meta.url));

/** Updates in `text` that set a state without asking its table. */
function ownWays(text: string): string[] {
  const literal = text.match(/\bset state = '\w+'/g) ?? [];
  const streams = text.match(/\bset ended = true[^`]*/g) ?? [];
  return [...literal, ...streams.filter((update) => !update.includes("mayHappen("))];
}

test("no statement of the server sets a state by itself", async () => {
  const found: Record<string, string[]> = {};
  for await (const file of glob("server/**/*.ts", { cwd: root })) {
    const ways = ownWays(await readFile(`${root}${file}`, "utf8"));
    if (ways.length > 0) found[file] = ways;
  }
  expect(found).toEqual({});
});

test("a statement that does is found", () => {
  expect(ownWays("`update pushes set state = 'refused' where id = $1`")).toEqual(["set state = 'refused'"]);
  expect(ownWays("`update log_streams set ended = true where id = $1`")).toHaveLength(1);
  const asked = '`update log_streams set ended = true where id = $1 and ${mayHappen("close")}`';
  expect(ownWays(asked)).toEqual([]);
  expect(ownWays('`update pushes set state = ${to("refuse")} where ${from("refuse")}`')).toEqual([]);
});
