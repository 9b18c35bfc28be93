import { expect, it } from "vitest";
import { costTables } from "../../../../support/costs/cost-tables.ts";

const file = (name: string, seconds: number, tests: number) => ({
  file: name,
  tests,
  seconds,
  ownMs: { import: 1000, setUp: 0, tests: 2000, tearDown: 0 },
  wallMs: { import: 1000, setUp: 0, tests: 3000, tearDown: 0 },
  kinds: { git: { started: 2, cpuMs: 1500 } },
});

it("adds up what files cost, by folder and by kind of process, and leaves out what is less than a second", () => {
  const files = [file("git/a.test.ts", 4, 3), file("git/b.test.ts", 5, 1), file("web/c.test.ts", 3, 2)];
  const machine = { busyMs: 20_000, kinds: { PostgreSQL: 4000, Temporal: 900 } };
  const lines = costTables({ seconds: 12, files, machine });
  expect(lines.filter((line) => !line.includes("---"))).toEqual([
    "| folder | files | tests | seconds | import CPU | setUp CPU | tests CPU | tearDown CPU | children CPU |",
    "| git | 2 | 4 | 9 | 2 | 0 | 4 | 0 | 3 |",
    "| web | 1 | 2 | 3 | 1 | 0 | 2 | 0 | 2 |",
    "",
    "| where | started | CPU seconds |",
    "| processes of the tests, with API servers in them |  | 9 |",
    "| git | 6 | 5 |",
    "| PostgreSQL, shared |  | 4 |",
    "| the whole machine, in 12 s |  | 20 |",
  ]);
});
