/** Whole runs on a runner without containers, as their authors see them: from the push to artifacts, caches and the end. */
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { findMarked } from "@forgeline/runner/engine/process/marked-processes.ts";
import type { Pipeline } from "@forgeline/schemas/pipelines/resource.ts";
import type { Runner } from "@forgeline/schemas/runners/resource.ts";
import { eventually } from "../../support/eventually.ts";
import type { TestRunner } from "../../support/instance.ts";
import { runnerId } from "../../support/instance-run.ts";
import { createProject, jobOf, type Project } from "../../support/project.ts";
import { sharedInstance, type SharedInstance } from "../../support/shared-instance.ts";

let instance: SharedInstance;
let project: Project;
let runner: TestRunner;
let id: string;
beforeAll(async () => {
  instance = await sharedInstance();
  project = await createProject(instance, "processes");
  const env = { FORGELINE_RUNNER_EXECUTOR: "process", FORGELINE_RUNNER_PROCESS_AS_ROOT: "true" };
  runner = await instance.addRunner("bare", { labels: ["os=linux"], env });
  id = await runnerId(runner);
});
afterAll(async () => {
  if (id) await instance.api("DELETE", `/runners/${id}`);
  await project?.remove();
});

/** But the workspace of a stage, which goes when the server says so with a heartbeat. */
async function nothingIsLeft(): Promise<void> {
  await eventually(async () => {
    const names = await readdir(join(runner.directory, "jobs"));
    return names.every((name) => name.startsWith("stage-")) && (await findMarked(`${id}:`)).length === 0;
  });
}

/** With the addresses that every job is given, and nothing else. */
const askServer = `
echo "$CI_API_URL $CI_REPO_URL $CI_PIPELINE_URL"
curl -sS -o /dev/null -w '%{http_code}\\n' -H "Authorization: Bearer $CI_JOB_TOKEN" "$CI_API_URL/repos/$CI_PROJECT"
`;

const place = { runner: ["executor=process"] };
const file = (jobs: Record<string, unknown>, stages?: unknown) =>
  `${JSON.stringify({ ...(stages ? { stages } : {}), defaults: { image: "no/such:1" }, jobs })}\n`;

it("says what it is, and gives jobs checkout, cache, artifacts and a shared workspace", async () => {
  const shown = await instance.api<Runner>("GET", `/runners/${id}`);
  expect(shown).toMatchObject({
    executor: "process",
    labels: ["os=linux", "!executor=process"],
    egress: { state: "unfiltered" },
  });
  const cache = [
    { key: "deps", paths: ["deps"] },
    { key: "home", paths: ["~/.forgeline-no-such"] },
  ];
  const jobs = {
    make: {
      ...place,
      stage: "build",
      workspace: "stage",
      cache,
      artifacts: [{ name: "out", paths: ["out/**"] }],
      steps: ["cat README.md; ls deps || true; mkdir -p deps out; echo made >deps/a; echo result >out/b"],
    },
    look: {
      ...place,
      stage: "build",
      workspace: "stage",
      needs: ["make"],
      steps: ["ls -d deps out README.md"],
    },
    use: {
      ...place,
      stage: "use",
      needs: [{ job: "make", artifacts: true }],
      steps: ["cat out/b; pwd", askServer],
    },
  };
  const stages = [{ name: "build", placement: "together" }, "use"];
  const first = await project.runFile(file(jobs, stages), { branch: "main" });
  expect(first.status, JSON.stringify(first.stages)).toBe("success");
  const log = async (run: Pipeline, job: string) => (await project.log(run, `job=${job}&step=0`)).toString();
  expect(await log(first, "make")).toContain("processes\n");
  expect(await log(first, "look")).toBe("README.md\ndeps\nout\n");
  expect(await log(first, "use")).toMatch(/^result\n.*\/bare\/jobs\/job-\S+\/workspace\n$/);
  const { number } = first;
  const address = `${instance.url}/${project.fullName}`;
  expect((await project.log(first, "job=use&step=1")).toString()).toBe(
    `${instance.url}/api/v1 ${address}.git ${address}/pipelines/${number}\n200\n`,
  );
  expect(jobOf(first, "make").attempts.at(-1)?.warnings.join("\n")).toContain(
    "Cache home could not be saved: This runner executes jobs as processes, and has caches of paths in the workspace only.",
  );
  const { sha } = await project.push({ ".forgeline.yml": file(jobs, stages), x: "2" });
  const second = await project.finished(sha);
  expect(await log(second, "make")).toContain("processes\na\n");
  await nothingIsLeft();
});

it("ends a cancelled job with all that it has started", async () => {
  const steps = ["setsid sh -c \"trap '' TERM; sleep 300\" >/dev/null 2>&1 & sleep 300"];
  const { sha } = await project.push({ ".forgeline.yml": file({ main: { ...place, steps } }) });
  const running = await eventually(
    async () => {
      const run = await project.runOf(sha);
      return jobOf(run).attempts.at(-1)?.steps[0]?.status === "running" ? run : undefined;
    },
    { timeoutMs: 30_000 },
  );
  expect((await findMarked(`${id}:`)).length).toBeGreaterThan(1);
  await instance.api("POST", `${project.path}/pipelines/${running.id}/cancel`);
  expect((await project.finished(sha)).status).toBe("cancelled");
  await nothingIsLeft();
});
