import { choosePipelineFiles } from "@forgeline/compiler/choose-files.ts";
import { expect, test } from "vitest";

test("one file, several, or none", () => {
  expect(choosePipelineFiles([".forgeline.yml", "src/.forgeline.yml"]).files).toEqual([".forgeline.yml"]);
  expect(
    choosePipelineFiles([".forgeline/b.yml", ".forgeline/a.yaml", ".forgeline/x/c.yml", ".forgeline/n.md"]),
  ).toEqual({
    files: [".forgeline/a.yaml", ".forgeline/b.yml"],
    diagnostics: [],
  });
  expect(choosePipelineFiles(["README.md"])).toEqual({ files: [], diagnostics: [] });
});

test("both at once and too many are errors", () => {
  expect(choosePipelineFiles([".forgeline.yml", ".forgeline/a.yml"])).toMatchObject({
    files: [],
    diagnostics: [{ code: "P114", file: ".forgeline.yml", line: 1 }],
  });
  const longest = `.forgeline/${"x".repeat(251)}.yml`;
  expect(choosePipelineFiles([longest])).toEqual({ files: [longest], diagnostics: [] });
  expect(choosePipelineFiles([longest.replace("x", "xx")])).toMatchObject({
    files: [],
    diagnostics: [{ code: "P308", file: ".forgeline", line: 1 }],
  });
  const many = Array.from({ length: 21 }, (_, i) => `.forgeline/p${i}.yml`);
  expect(choosePipelineFiles(many).diagnostics.map((one) => one.code)).toEqual(["P305"]);
});
