/**
 * Whether the choice can be trusted: each mistake of `test/mutants/`, made in one file, must lead to a test that notices it. How
 * long tests take is told roughly here, as on a machine where none has run.
 */
import { join } from "node:path";
import { expect, test } from "vitest";
import { mutants } from "../../../../mutants/all.ts";
import { chooseTests } from "../../../../support/changed/choose.ts";
import { expectedSeconds } from "../../../../support/changed/expected-seconds.ts";
import { readTree } from "../../../../support/changed/tree.ts";

const root = join(import.meta.dirname, "../../../../..");
/** Of all; the rest is what the whole run is for. */
const enough = 0.95;

test("a change leads to a test that would notice its mistake, for nearly all mistakes that are listed", async () => {
  const tree = await readTree(root);
  const files = new Set(mutants.map(({ file }) => file));
  const seconds = expectedSeconds({});
  const chosen = new Map([...files].map((file) => [file, chooseTests(tree, [file], seconds).tests]));
  const missed = mutants.filter(({ file, tests }) => !tests.some((one) => chosen.get(file)?.has(one)));
  const names = missed.map(({ name }) => name);
  expect(missed.length, `missed: ${names.join(", ")}`).toBeLessThan((1 - enough) * mutants.length);
});
