/** A bed that stays up for developers who run single test files: `node test/support/standing-bed.ts`, then `npx vitest run FILE`. */
import { copyFile, rm } from "node:fs/promises";
import { standingBedFile } from "./bed.ts";
import { onBed, printLine } from "./on-bed.ts";

await onBed({
  async work(stop) {
    await copyFile(process.env["FORGELINE_TEST_BED"] ?? "", standingBedFile);
    printLine(`standing test bed: ${standingBedFile}; Ctrl-C ends it`);
    await stop.asked;
    await rm(standingBedFile, { force: true });
  },
});
process.exit(0);
