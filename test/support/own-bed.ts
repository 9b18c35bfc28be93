/** PostgreSQL and Temporal of one test file, which may kill them; everything in this process uses them from then on. */
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startBed, type RunningBed } from "./bed.ts";

export async function startOwnBed(): Promise<RunningBed> {
  const directory = await mkdtemp(join(tmpdir(), "forgeline-own-bed-"));
  // PostgreSQL runs as another user when we are root and has to pass through.
  await chmod(directory, 0o755);
  const bed = await startBed(directory, () => undefined);
  const before = process.env["FORGELINE_TEST_BED"];
  process.env["FORGELINE_TEST_BED"] = bed.file;
  return {
    ...bed,
    async stop() {
      if (before === undefined) delete process.env["FORGELINE_TEST_BED"];
      else process.env["FORGELINE_TEST_BED"] = before;
      await bed.stop();
      await rm(directory, { recursive: true, force: true });
    },
  };
}
