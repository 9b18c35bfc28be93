import { convert } from "@forgeline/compiler/convert/convert.ts";
import { expect, test } from "vitest";

const workflow = (permissions: string) =>
  `on: push\npermissions: ${permissions}\njobs: { unit: { runs-on: ubuntu-latest, steps: [{ run: make }] } }\n`;

test.each([
  ["read-all", "  permissions: [repo:read, pipeline:read]"],
  ["{ contents: write }", "  permissions: [repo:write]"],
  // A word that every object knows is none of ours.
  ["constructor", "  permissions: []"],
])("%s of a workflow becomes the default of our jobs", (given, wanted) => {
  const source = ".github/workflows/ci.yml";
  expect(convert({ source, text: workflow(given), system: "github", path: source }).text).toContain(wanted);
});
