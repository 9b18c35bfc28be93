import { expect, it } from "vitest";
import { compile } from "@forgeline/compiler/compile.ts";
import type { PlanJob } from "@forgeline/schemas/pipeline-file/plan.ts";
import { neededSecrets } from "@forgeline/server/domains/pipelines/secrets/needed-secrets.ts";

function jobOf(content: object): PlanJob {
  const { plan, diagnostics } = compile({ file: "f", text: JSON.stringify({ jobs: { a: content } }) });
  const job = plan?.jobs[0];
  if (!job) throw new Error(JSON.stringify(diagnostics));
  return job;
}

it("are those of the job, its steps, its services, and its images, each with the images that see it", () => {
  const job = jobOf({
    image: { name: "one", auth: "REGISTRY" },
    secrets: ["ALL", { name: "BOTH", optional: true }],
    services: {
      db: {
        image: { name: "two", auth: { username: "me", password: "REGISTRY" } },
        secrets: [{ name: "DB", file: "F" }],
      },
    },
    steps: [
      { run: "a", secrets: ["BOTH"] },
      { run: "b", image: "three", secrets: { X: "OWN" } },
    ],
  });
  expect(neededSecrets(job)).toEqual([
    { name: "REGISTRY", optional: false, images: ["one", "two"] },
    { name: "ALL", optional: false, images: ["one", "three"] },
    { name: "BOTH", optional: false, images: ["one", "three"] },
    { name: "OWN", optional: false, images: ["three"] },
    { name: "DB", optional: false, images: ["two"] },
  ]);
});

it("are optional where no place requires them", () => {
  const job = jobOf({ image: "one", secrets: [{ name: "A", optional: true }], steps: ["a"] });
  expect(neededSecrets(job)).toEqual([{ name: "A", optional: true, images: ["one"] }]);
  expect(neededSecrets(jobOf({ image: "one", steps: ["a"] }))).toEqual([]);
});
