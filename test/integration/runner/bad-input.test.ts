/**
 * What a job leaves behind for the runner to take, in amounts that nobody meant: it is told in words, in bounded memory, and the runner
 * goes on.
 */
import { readFile, writeFile } from "node:fs/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Pipeline } from "@forgeline/schemas/pipelines/resource.ts";
import type { JobReports } from "@forgeline/schemas/reports/resource.ts";
import { eventually } from "../../support/eventually.ts";
import { createProject, jobOf, type Project } from "../../support/project.ts";
import { sharedInstance, type SharedInstance } from "../../support/shared-instance.ts";
import { size } from "../../support/size.ts";

let instance: SharedInstance;
let project: Project;
beforeAll(async () => {
  instance = await sharedInstance();
  project = await createProject(instance, "amounts");
});
afterAll(() => project?.remove());

const job = (content: object) =>
  `${JSON.stringify({ jobs: { main: { image: "forgeline/base:1", clone: false, ...content } } })}\n`;

async function play(content: object): Promise<Pipeline> {
  const { sha } = await project.push({ ".forgeline.yml": job(content) });
  return project.finished(sha, size(60_000, 600_000));
}

async function warningsOf(run: Pipeline): Promise<string[]> {
  const path = `${project.path}/pipelines/${run.id}/jobs/${jobOf(run).id}`;
  const { attempts } = await instance.api<{ attempts: { warnings: string[] }[] }>("GET", path);
  return attempts.at(-1)?.warnings ?? [];
}

/** Of the runner: what it has read so far, and the most memory that it has had since the last look. */
async function runnerFigures(): Promise<{ readBytes: number; peakBytes: number }> {
  const directory = `/proc/${instance.runners[0]!.program.pid()}`;
  const figure = async (file: string, name: string) =>
    Number(new RegExp(`^${name}:\\s*(\\d+)`, "m").exec(await readFile(`${directory}/${file}`, "utf8"))?.[1]);
  const figures = {
    readBytes: await figure("io", "rchar"),
    peakBytes: (await figure("status", "VmHWM")) * 1024,
  };
  await writeFile(`${directory}/clear_refs`, "5");
  return figures;
}

const patience = { timeout: size(120_000, 1_800_000) };

test(
  "an artifact of more files than it can have ends its job and names the pattern; the next job runs",
  patience,
  async () => {
    const files = size(50_001, 1_000_000);
    await runnerFigures();
    const { peakBytes: before } = await runnerFigures();
    const run = await play({
      steps: [`mkdir out && cd out && seq 1 ${files} | xargs touch`],
      artifacts: [{ name: "dist", paths: "out/**" }],
      reports: { junit: "out/*" },
    });
    expect(jobOf(run)).toMatchObject({
      status: "error",
      reason: "artifact_upload",
      message:
        'Artifact dist could not be uploaded: More than 50000 files match out/**, which is the limit. Pack them into an archive, or leave some out with "exclude".',
    });
    expect(await warningsOf(run)).toContain(
      "Reports, junit: More than 50000 files match out/*, which is the limit. Name fewer files, or merge the reports.",
    );
    const { peakBytes } = await runnerFigures();
    expect(peakBytes - before).toBeLessThan(200_000_000);
    expect((await play({ steps: ["true"] })).status).toBe("success");
  },
);

test("reports of half a gigabyte are told by their sizes, and none of their bytes is read", async () => {
  const { readBytes: before } = await runnerFigures();
  const kinds = ["junit", "sarif", "coverage"];
  const run = await play({
    reports: Object.fromEntries(kinds.map((kind) => [kind, `${kind}.*`])),
    steps: [kinds.map((kind) => `truncate -s 500000000 ${kind}.x`).join("; ") + "; echo '{}' > sarif.json"],
  });
  expect(run.status).toBe("success");
  const warnings = await warningsOf(run);
  for (const kind of kinds)
    expect(warnings).toContain(
      `Reports, ${kind}: ${kind}.x has 500000000 bytes, and a report can have 20971520.`,
    );
  const { readBytes } = await runnerFigures();
  expect(readBytes - before).toBeLessThan(100_000_000);
  // What can be read is.
  const reports = await eventually(async () => {
    const found = await instance.api<JobReports[]>("GET", `${project.path}/pipelines/${run.id}/reports`);
    return found[0]?.state === "read" ? found[0] : undefined;
  });
  expect(reports.problems).toMatchObject([{ path: "sarif.json" }]);
});
