import { expect, test } from "vitest";
import { silentRunner } from "@forgeline/cli/output/silent-runner.ts";

const attempt = { unreachable: true, ends_when_lost: true, runner: { name: "one\u001B[2J" } };

test("only the newest attempt counts, and what the file says of lost runners", () => {
  expect(silentRunner({ attempts: [] })).toBeNull();
  expect(silentRunner({ attempts: [attempt, { ...attempt, unreachable: false }] })).toBeNull();
  expect(silentRunner({ attempts: [attempt] })).toMatch(
    /^unreachable: its runner, one␛\[2J, has been silent for some time; the attempt ends as lost/,
  );
  expect(silentRunner({ attempts: [{ ...attempt, ends_when_lost: false, runner: null }] })).toContain(
    "its runner has been silent for some time; the job waits for it (rerun_if_lost: false)",
  );
});
