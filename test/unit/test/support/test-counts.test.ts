/** What is counted of a run of tests that ends as badly as it can: in a Vitest of its own. */
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, it } from "vitest";

const root = join(import.meta.dirname, "../../../fixtures/outcomes");
const script = `
  import { startVitest } from "vitest/node";
  import { countTests } from ${JSON.stringify(join(import.meta.dirname, "../../../support/test-counts.ts"))};
  const options = { root: ${JSON.stringify(root)}, config: false, run: true, watch: false, reporters: [] };
  const cheap = { pool: "threads", isolate: false, fileParallelism: false };
  const vitest = await startVitest("test", [], { ...options, ...cheap, include: ["*.outcome.ts"] });
  await vitest.close();
  console.log(JSON.stringify(countTests(vitest.state.getTestModules(), 1)));
  process.exit(0);
`;

it("what could not run because something failed has failed, and each failure outside of tests is one", async () => {
  const args = ["--disable-warning=ExperimentalWarning", "--input-type=module", "-e", script];
  const env = { PATH: process.env["PATH"] };
  const { stdout } = await promisify(execFile)(process.execPath, args, { env });
  // One fails, two could not begin, one group could not end, one file could not be loaded, and one more as told.
  expect(JSON.parse(stdout.trim().split("\n").at(-1) ?? "")).toEqual({ passed: 2, failed: 6, skipped: 1 });
});
