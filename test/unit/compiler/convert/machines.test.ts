/** Jobs of machines without containers: what needs one is left out, so that our compiler takes the file. */
import { expect, test } from "vitest";
import { convert } from "@forgeline/compiler/convert/convert.ts";
import type { SourceSystem } from "@forgeline/compiler/convert/systems.ts";

const github = `on: push
jobs:
  app:
    runs-on: macos-14
    container: node:22
    services: { db: { image: "postgres:17" } }
    steps:
      - uses: docker://alpine:3
        with: { args: ls }
      - run: make
`;
const gitlab = `app:
  image: node:22
  services: [postgres:17]
  tags: [macos]
  script: [make]
  artifacts:
    reports: { junit: a.xml, coverage_report: { coverage_format: cobertura, path: b.xml } }
`;

test.each<[SourceSystem, string]>([
  ["github", github],
  ["gitlab", gitlab],
])("macOS at %s", (system, text) => {
  const made = convert({ source: "x.yml", text, system, path: ".forgeline.yml" });
  expect(made.diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
  expect(made.text).toContain("runner: [executor=process, os=darwin]");
  expect(made.text).not.toMatch(/^\s*(?:- )?(?:image|services):/m);
  expect(made.notes.some(({ message }) => message.includes("without a container"))).toBe(true);
});

test("several kinds of reports are kept", () => {
  const made = convert({ source: "x.yml", text: gitlab, system: "gitlab", path: ".forgeline.yml" });
  expect(made.text).toContain("junit");
  expect(made.text).toContain("coverage: [b.xml]");
});
