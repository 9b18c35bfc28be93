import { readdirSync, readFileSync } from "node:fs";
import { Diagnostic } from "@forgeline/schemas/pipeline-file/diagnostic.ts";
import { compile } from "@forgeline/compiler/compile.ts";
import { codes } from "@forgeline/compiler/codes.ts";
import { renderDiagnostics } from "@forgeline/compiler/render-diagnostic.ts";
import { describe, expect, test } from "vitest";

const directory = new URL("../../fixtures/pipelines/broken/", import.meta.url);
const names = readdirSync(directory)
  .filter((name) => name.endsWith(".yml"))
  .map((name) => name.slice(0, -4));
const read = (name: string): string => readFileSync(new URL(name, directory), "utf8");

describe("every broken file says what is wrong with it", () => {
  test.each(names)("%s", (name) => {
    const text = read(`${name}.yml`);
    const result = compile({ file: `${name}.yml`, text });
    const rendered = renderDiagnostics(result.diagnostics, { text, docsUrl: "{docs_url}" });
    expect(`${rendered}\n`).toBe(read(`${name}.txt`));
    for (const diagnostic of result.diagnostics) {
      expect(Diagnostic.parse(diagnostic)).toEqual(diagnostic);
      expect(Object.keys(codes)).toContain(diagnostic.code);
    }
    const broken = result.diagnostics.some((one) => one.severity === "error");
    expect(result.plan === null).toBe(broken);
    expect(broken || result.on !== null).toBe(true);
  });

  test("the corpus shows every code that compile can give", () => {
    const shown = new Set(names.flatMap((name) => read(`${name}.txt`).match(/[PW]\d{3}(?=\])/g) ?? []));
    // In templates.test.ts, which has more than one file.
    const ofTemplates = ["P309", "P501", "P502", "P503", "P504", "P505", "P506", "W906", "W907"];
    // P42x depend on the repository. Others are shown in limits.test.ts, which makes large files, and choose-files.test.ts.
    const elsewhere = ["P114", "P420", "P421", "P422", "P301", "P302", "P304", "P305", "P306"].concat(
      ofTemplates,
    );
    const missing = Object.keys(codes).filter((code) => !shown.has(code) && !elsewhere.includes(code));
    expect(missing).toEqual([]);
  });

  test("the example of the contract, to the column", () => {
    const text = read("need-unknown.yml");
    const [diagnostic] = compile({ file: ".forgeline.yml", text }).diagnostics;
    expect(diagnostic && renderDiagnostics([diagnostic], { text, docsUrl: "https://h/docs" })).toBe(
      [
        '.forgeline.yml:14:13: error[P104]: job "unit" needs "compil", which does not exist',
        "   14 |     needs: [compil]",
        '      |             ^^^^^^ did you mean "compile"? Jobs here: compile, unit, ship',
        "      = help: https://h/docs/pipelines/errors#P104",
        "",
        "1 error",
      ].join("\n"),
    );
  });
});
