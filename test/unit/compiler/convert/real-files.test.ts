/** Files of public projects. They are not ours to copy, so they lie beside the checkout; without them only their absence is seen. */
import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { convert } from "@forgeline/compiler/convert/convert.ts";
import { sourceSystems } from "@forgeline/compiler/convert/systems.ts";
import { countConstructs, realPipelines, tableIn } from "../../../../scripts/convert-report.ts";

const isThere = existsSync(realPipelines);

test.runIf(isThere)("all of them become files without errors", () => {
  let count = 0;
  for (const system of sourceSystems)
    for (const name of globSync("*.{yml,yaml}", { cwd: join(realPipelines, system) })) {
      const text = readFileSync(join(realPipelines, system, name), "utf8");
      const { problems, diagnostics } = convert({ source: name, text, system, path: ".forgeline.yml" });
      expect([name, ...problems, ...diagnostics.filter(({ severity }) => severity === "error")]).toEqual([
        name,
      ]);
      count += 1;
    }
  expect(count).toBeGreaterThan(10);
});

test.runIf(isThere)("the table of docs/pipelines/convert.md counts them as they are", () => {
  const page = readFileSync(join(import.meta.dirname, "../../../../docs/pipelines/convert.md"), "utf8");
  expect(tableIn(page), "run node scripts/convert-report.ts").toBe(countConstructs());
});
