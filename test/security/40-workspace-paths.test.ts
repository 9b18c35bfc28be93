/** The workspace lies at one place; paths of authors stay below it, and links that a job leaves lead nowhere outside. */
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createProject, jobOf, oneJob, type Project } from "../support/project.ts";
import { sharedInstance, type SharedInstance } from "../support/shared-instance.ts";

let instance: SharedInstance;
let project: Project;
beforeAll(async () => {
  instance = await sharedInstance();
  project = await createProject(instance, "paths");
});
afterAll(() => project.remove());

interface Lint {
  valid: boolean;
  diagnostics: { code: string; message: string }[];
}
const lint = (content: unknown) =>
  instance.api<Lint>("POST", `${project.path}/pipelines/lint`, { content: JSON.stringify(content) });

const outside = [
  "/bin",
  "/",
  "..",
  "../..",
  "a/../../b",
  "./../x",
  "/proc/self/fd/8",
  "/workspace/../etc",
  "a\0b",
];

test.each(outside)("a step's directory %j is refused", async (workdir) => {
  const result = await lint({ image: "forgeline/base:1", steps: [{ run: "true", workdir }] });
  expect(result.valid).toBe(false);
  expect(result.diagnostics).toMatchObject([
    { code: "P103", message: expect.stringMatching(/workspace|workdir.*NUL/) as string },
  ]);
});

test("nobody chooses where the workspace lies", async () => {
  for (const path of ["/bin", "/", "../..", "/proc/self/fd/8", "stage", { path: "/usr" }]) {
    const job = { image: "forgeline/base:1", steps: ["true"], workspace: path };
    expect((await lint({ jobs: { a: job } })).valid, JSON.stringify(path)).toBe(false);
    expect((await lint({ image: "x", steps: ["true"], workspace: path })).valid).toBe(false);
    expect((await lint({ jobs: { a: { ...job, workspace: "own", clone: { path } } } })).valid).toBe(false);
  }
});

test("directories below the workspace work, and the job's own tools are the image's", async () => {
  const run = await project.runFile(
    oneJob("mkdir -p a/b", { run: "pwd", workdir: "a/./b/../b" }, "pwd; ls -ld /bin/sh | cut -c1"),
  );
  expect(run.status, JSON.stringify(run.stages)).toBe("success");
  expect((await project.log(run, "job=main&step=1")).toString()).toBe("/workspace/a/b\n");
  expect((await project.log(run, "job=main&step=2")).toString()).toBe("/workspace\nl\n");
});

test("links that a job leaves show and change nothing of the host", async () => {
  const directory = await mkdtemp(join(tmpdir(), "forgeline-canary-"));
  const canary = join(directory, "canary");
  await writeFile(canary, "leak=canary-of-the-host\n");
  const file = {
    jobs: {
      main: {
        image: "forgeline/base:1",
        steps: [
          {
            id: "link",
            run: `ln -sf ${canary} "$CI_OUTPUT"; ln -s ${directory} /workspace/out`,
          },
          { id: "pipe", run: 'rm -f "$CI_OUTPUT"; mkfifo "$CI_OUTPUT"' },
          `rm -rf /workspace/.git; ln -s ${directory} /workspace/.git`,
        ],
        outputs: { leak: "${{ steps.link.outputs.leak }}" },
      },
    },
  };
  const run = await project.runFile(JSON.stringify(file));
  expect(JSON.stringify(run)).not.toContain("canary-of-the-host");
  expect((await project.log(run)).toString()).not.toContain("canary-of-the-host");
  expect(jobOf(run).attempts[0]?.status, JSON.stringify(run.stages)).not.toBe("error");
  expect(await readFile(canary, "utf8")).toBe("leak=canary-of-the-host\n");
  await rm(directory, { recursive: true });
});
