/** What steps report, from their files to what people see. */
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Annotation, JobReports } from "@forgeline/schemas/reports/resource.ts";
import type { RunTest } from "@forgeline/schemas/tests/resource.ts";
import { eventually } from "../../../support/eventually.ts";
import { createProject, jobOf, type Project } from "../../../support/project.ts";
import { sharedInstance, type SharedInstance } from "../../../support/shared-instance.ts";

let instance: SharedInstance;
let project: Project;
beforeAll(async () => {
  instance = await sharedInstance();
  project = await createProject(instance, "reporting");
});
afterAll(() => project?.remove());

const job = (content: object) =>
  `${JSON.stringify({ jobs: { main: { image: "forgeline/base:1", clone: false, ...content } } })}\n`;

async function reportsOf(id: string): Promise<JobReports> {
  let found: JobReports[] = [];
  await eventually(async () => {
    found = await instance.api<JobReports[]>("GET", `${project.path}/pipelines/${id}/reports`);
    return found[0]?.state === "read";
  });
  return found[0] as JobReports;
}

it("shows summaries and annotations of all steps, without secrets, also of a job that fails", async () => {
  await instance.api("PUT", `${project.path}/secrets/KEY`, { value: "a value nobody should see" });
  const run = await project.runFile(
    job({
      secrets: ["KEY"],
      steps: [
        { name: "build", run: 'echo "# Built with $KEY" >> "$CI_SUMMARY"' },
        {
          name: "lint",
          run: 'echo "error file=src/a.ts line=3::The key is $KEY" >> "$CI_ANNOTATIONS"; echo "and linted" >> "$CI_SUMMARY"; exit 3',
        },
        { name: "never", run: 'echo no >> "$CI_SUMMARY"' },
      ],
    }),
  );
  expect([run.status, jobOf(run).reason]).toEqual(["failed", "exit:3"]);
  const reports = await reportsOf(run.id);
  expect(reports).toMatchObject({
    job: { key: "main" },
    summary: "# Built with ***\nand linted\n",
    annotations_count: 1,
    problems: [],
  });
  const annotations = await instance.api<Annotation[]>(
    "GET",
    `${project.path}/pipelines/${run.id}/annotations`,
  );
  expect(annotations).toMatchObject([
    { step: "lint", level: "error", path: "src/a.ts", line: 3, message: "The key is ***" },
  ]);
});

it("takes no link, pipe or directory in place of the files, and not more than a mebibyte", async () => {
  const run = await project.runFile(
    job({
      steps: [
        'rm "$CI_SUMMARY"; ln -s /etc/hostname "$CI_SUMMARY"',
        'rm "$CI_ANNOTATIONS"; mkfifo "$CI_ANNOTATIONS"',
        'yes "a line of some length" | head -c 1500000 > "$CI_SUMMARY"',
      ],
    }),
  );
  expect(run.status).toBe("success");
  const done = await instance.api<{ attempts: { warnings: string[] }[] }>(
    "GET",
    `${project.path}/pipelines/${run.id}/jobs/${jobOf(run).id}`,
  );
  const told = JSON.stringify(done);
  expect(told).toContain(
    "Step 1, $CI_SUMMARY: what the step left there is no file that the runner may read.",
  );
  expect(told).toContain("Step 2, $CI_ANNOTATIONS: what the step left there");
  expect(told).toContain(
    "Step 3, $CI_SUMMARY: the summary of a job can have 1048576 bytes; the rest was left out.",
  );
  const { summary } = await reportsOf(run.id);
  expect(summary?.length).toBeGreaterThan(1_048_000);
  expect(summary?.length).toBeLessThanOrEqual(1_048_576);
});

it("reads reports of tests without secrets; those that are missing, too large or links are warnings", async () => {
  const xml =
    '<testsuite name=\\"s\\"><testcase name=\\"fails\\"><failure message=\\"$KEY\\"/></testcase></testsuite>';
  const run = await project.runFile(
    job({
      secrets: ["KEY"],
      reports: { junit: ["reports/*.xml", "!reports/not.xml"] },
      steps: [
        `mkdir reports; echo "${xml}" | tee reports/a.xml > reports/not.xml; ln -s /etc/passwd reports/link.xml`,
        "truncate -s 500000000 reports/large.xml",
        "exit 1",
      ],
    }),
  );
  expect(run.status).toBe("failed");
  const reports = await reportsOf(run.id);
  expect(reports.tests).toMatchObject({ passed: 0, failed: 1 });
  const tests = await instance.api<RunTest[]>("GET", `${project.path}/pipelines/${run.id}/tests`);
  expect(tests).toMatchObject([{ test: { suite: "s", name: "fails" }, message: "***" }]);
  const told = JSON.stringify(
    await instance.api("GET", `${project.path}/pipelines/${run.id}/jobs/${jobOf(run).id}`),
  );
  expect(told).toContain(
    "Reports, junit: left out reports/link.xml (a link that leads out of the workspace)",
  );
  expect(told).toContain("reports/large.xml has 500000000 bytes, and a report can have 20971520.");
  const none = await project.runFile(job({ reports: { junit: "no.xml" }, steps: ["true"] }));
  expect(none.status).toBe("success");
  const warned = await instance.api("GET", `${project.path}/pipelines/${none.id}/jobs/${jobOf(none).id}`);
  expect(JSON.stringify(warned)).toContain("Reports, junit: no file matches no.xml.");
});
