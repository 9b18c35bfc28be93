/** A bed that stays up for developers who run single test files: `node test/support/standing-bed.ts`, then `npx vitest run FILE`. */
import { copyFile, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startBed } from "./bed.ts";

const directory = await mkdtemp(join(tmpdir(), "forgeline-bed-"));
const { chmod } = await import("node:fs/promises");
await chmod(directory, 0o755);
const running = await startBed(directory, (line) => console.log(line));
await copyFile(running.file, "/tmp/forgeline-bed.json");
console.log("standing test bed: /tmp/forgeline-bed.json; Ctrl-C ends it");
for (const signal of ["SIGINT", "SIGTERM"] as const)
  process.once(signal, () => {
    void running.stop().then(async () => {
      await rm("/tmp/forgeline-bed.json", { force: true });
      await rm(directory, { recursive: true, force: true });
      process.exit(0);
    });
  });
