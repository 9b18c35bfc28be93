/** An answer reads at most 200 files and about 16 MiB, whatever comments are about. */
import { expect, it } from "vitest";
import {
  createReviewedFiles,
  maxFileBytes,
} from "@forgeline/server/domains/collaboration/suggestions/reviewed-files.ts";

function reading(sizeBytes: number) {
  let count = 0;
  const readFile = () => {
    count += 1;
    return Promise.resolve({ oid: "0".repeat(40), size: sizeBytes, bytes: Buffer.alloc(sizeBytes, "a") });
  };
  return { files: createReviewedFiles({ readFile: readFile as never }, "repo_1"), count: () => count };
}

it("reads each file once, and 200 of them", async () => {
  const { files, count } = reading(2);
  for (let n = 0; n < 200; n += 1) expect(await files.read("a", `${n}.txt`)).not.toBe("too_much");
  expect(await files.read("a", "200.txt")).toBe("too_much");
  expect(await files.read("a", "0.txt")).not.toBe("too_much");
  expect(count()).toBe(200);
});

it("stops at 16 MiB", async () => {
  const { files, count } = reading(maxFileBytes);
  for (let n = 0; n < 17; n += 1) await files.read("a", `${n}.txt`);
  expect(await files.read("b", "0.txt")).toBe("too_much");
  expect(count()).toBe(16);
});
