import { expect, it } from "vitest";
import { requestedFiles } from "../../../../support/changed/requested-files.ts";

const silent = () => undefined;

it("without --changed, what is named is what runs", async () => {
  expect(await requestedFiles([], silent)).toEqual([]);
  expect(await requestedFiles(["test/unit", "words"], silent)).toEqual(["test/unit", "words"]);
});

it("refuses files beside --changed, and a commit that is not there", async () => {
  await expect(requestedFiles(["--changed", "test/unit"], silent)).rejects.toThrow("name none beside it");
  await expect(requestedFiles(["--changed=no-such-commit"], silent)).rejects.toThrow("no-such-commit");
});
