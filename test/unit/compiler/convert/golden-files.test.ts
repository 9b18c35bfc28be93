/** Whole files of each system, with what they become beside them. `vitest -u` writes the results anew. */
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { convert } from "@forgeline/compiler/convert/convert.ts";
import { sourceSystems } from "@forgeline/compiler/convert/systems.ts";

const fixtures = join(import.meta.dirname, "../../../fixtures/convert");

describe.each(sourceSystems)("%s", (system) => {
  const names = globSync("*.yml", { cwd: join(fixtures, system) }).filter(
    (name) => !name.endsWith(".forgeline.yml"),
  );

  test("there is a file", () => expect(names).not.toEqual([]));

  test.each(names)("%s", async (name) => {
    const text = readFileSync(join(fixtures, system, name), "utf8");
    const result = convert({ source: name, text, system, path: ".forgeline.yml" });
    expect(result.problems).toEqual([]);
    expect(result.diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
    await expect(result.text).toMatchFileSnapshot(
      join(fixtures, system, name.replace(/\.yml$/, ".forgeline.yml")),
    );
    for (const { line, column, message } of result.notes) {
      expect(text.split("\n")[line - 1]?.length).toBeGreaterThanOrEqual(column - 1);
      expect(message).not.toBe("");
    }
  });
});
