/** `forgeline pipeline shell|keep-open` and `rerun --keep-open` against a real instance with a runner. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { commandLine, type CommandLine } from "../../support/command-line.ts";
import { eventually } from "../../support/eventually.ts";
import { createProject, type Project } from "../../support/project.ts";
import { sharedInstance, type SharedInstance } from "../../support/shared-instance.ts";

let instance: SharedInstance;
let project: Project;
let cli: CommandLine;

const file = `
jobs:
  build:
    image: forgeline/base:1
    clone: false
    steps: ["touch here; while [ ! -e done ]; do sleep 0.1; done; exit 3"]
`;

beforeAll(async () => {
  instance = await sharedInstance();
  project = await createProject(instance, "shells");
  cli = await commandLine({
    FORGELINE_URL: instance.url,
    FORGELINE_TOKEN: instance.adminToken,
    FORGELINE_CA_FILE: instance.certificates.caFile,
  });
  await project.push({ ".forgeline.yml": file }, { branch: "main" });
});
afterAll(async () => {
  await cli.remove();
  await project.remove();
});

const pipeline = (...args: string[]) => cli.call(["pipeline", ...args, "-R", project.fullName]);
const viewed = async (what: RegExp) => {
  const { stdout } = await pipeline("view", "1");
  if (!what.test(stdout)) throw new Error(stdout);
  return stdout;
};

/** Ends the job's only step, with 3. */
const letFail = () =>
  cli.run(["pipeline", "shell", "1", "build", "-R", project.fullName], {
    terminal: true,
    typed: { after: "# ", text: "\u001B[1;1Rtouch done; exit\r" },
  });

it("gives the terminal to a shell in a job, and its exit status back", { timeout: 180_000 }, async () => {
  await eventually(() => viewed(/build\s+running/), { timeoutMs: 60_000 });
  const unknown = await pipeline("shell", "1", "nothing");
  expect(unknown).toMatchObject({ code: 2, stderr: expect.stringContaining('the run has no job "nothing"') });
  const shell = await cli.run(["pipeline", "shell", "1", "build", "-R", project.fullName], {
    terminal: true,
    typed: { after: "# ", text: "\u001B[1;1Recho $CI_JOB-$((20+22)); stty size; exit 5\r" },
  });
  expect(shell.code, shell.stdout + shell.stderr).toBe(5);
  expect(shell.stdout).toContain("Opening a shell in build. What it shows is recorded as shell-1.");
  expect(shell.stdout).toContain("build-42");
  expect(shell.stdout).toMatch(/\d+ 100\r+\n/);

  const kept = await pipeline("keep-open", "1", "--job", "build");
  expect(kept.stderr).toContain("keeps a slot of its runner");
  expect(kept.stdout).toBe("build: kept open if it fails\n");
  expect(await letFail()).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("is recorded as shell-2."),
  });
  await eventually(() => viewed(/kept open for a shell until/), { timeoutMs: 30_000 });
  expect((await pipeline("keep-open", "1", "--end")).stdout).toBe("No longer kept open\n");
  await eventually(() => viewed(/#1 failed/), { timeoutMs: 30_000 });
  const again = await pipeline("rerun", "1", "--keep-open");
  expect(again.stdout).toContain("build: over; kept open if it runs again and fails");
  await eventually(() => viewed(/build\s+running/), { timeoutMs: 60_000 });
  await letFail();
  await eventually(() => viewed(/kept open for a shell until/), { timeoutMs: 30_000 });
  await pipeline("cancel", "1");
  // It had failed before the run was cancelled.
  const over = await eventually(() => viewed(/#1 (failed|cancelled)/), { timeoutMs: 30_000 });
  expect(over).toMatch(/build\s+failed.*ended with exit code 3/);
});
