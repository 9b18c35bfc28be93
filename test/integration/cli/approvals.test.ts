/** `forgeline pipeline approvals|approve|reject` against a real instance: runs that wait for people, and who waits for such a run. */
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
  ship: { image: forgeline/base:1, approval: { count: 2, expires: 1h }, steps: ["true"] }
  tell: { image: forgeline/base:1, approval: { approvers: [admin, nobody] }, steps: ["true"] }
`;

beforeAll(async () => {
  instance = await sharedInstance();
  project = await createProject(instance, "gates");
  await project.push({ ".forgeline.yml": file }, { branch: "main" });
  cli = await commandLine({
    FORGELINE_URL: instance.url,
    FORGELINE_TOKEN: instance.adminToken,
    FORGELINE_CA_FILE: instance.certificates.caFile,
  });
});
afterAll(async () => {
  await cli.remove();
  await project.remove();
});

const pipeline = (...args: string[]) => ["pipeline", ...args, "-R", project.fullName];
const numberIn = (text: string) => /#(\d+)/.exec(text)?.[1] ?? "";

it("shows what waits, and takes decisions", async () => {
  const pipeline = (...args: string[]) => cli.call(["pipeline", ...args, "-R", project.fullName]);
  const run = /#(\d+)/.exec((await pipeline("run")).stdout)?.[1] ?? "";
  const listed = await eventually(async () => {
    const { stdout } = await pipeline("approvals", run);
    return stdout.split("\n").filter(Boolean).length === 2 && stdout;
  });
  const watching = cli.start(["pipeline", "watch", run, "-R", project.fullName]);
  await eventually(() => watching.stdout().includes("--job tell -R") || undefined);
  expect(listed).toMatch(/^job ship\topen\t0\/2\tanyone with Write\t\S+Z\t[0-9a-f]{8}\t$/m);
  expect(listed).toMatch(/^job tell\topen\t0\/1\tadmin,nobody\t\S+Z\t[0-9a-f]{8}\t$/m);
  expect((await pipeline("view", run)).stdout).toContain("Waits for approval by admin or nobody.");

  const awaited = async () => {
    const { stdout } = await cli.call(["pipeline", "approvals"]);
    const rows = stdout.split("\n").map((line) => line.split("\t").map((cell) => cell.trim()));
    return rows
      .filter(([name]) => name === `${project.fullName}#${run}`)
      .map((cells) => cells.slice(1, 4).join(", "));
  };
  expect((await awaited()).toSorted()).toEqual([
    "job ship, 0/2, anyone with Write",
    "job tell, 0/1, admin,nobody",
  ]);
  const unclear = await pipeline("approve", run);
  expect(unclear.stderr).toContain("several things wait for approval; choose one: --job");
  expect(unclear.code).toBe(2);
  expect((await pipeline("approve", run, "--job", "ship", "--stage", "main")).code).toBe(2);
  expect((await pipeline("approve", run, "--job", "ship", "-m", "go")).stdout).toBe(
    "job ship needs 1 more approval\n",
  );
  expect((await pipeline("approve", run, "--job", "ship")).stdout).toBe(
    "You have approved it already; job ship needs 1 more approval\n",
  );
  expect((await pipeline("reject", run, "--job", "tell", "-m", "not now")).stdout).toBe(
    "job tell is rejected\n",
  );
  expect(await awaited()).toEqual([]);
  expect((await pipeline("approvals", run)).stdout).toMatch(/^job ship\topen\t1\/2\t.*\tadmin: go$/m);
  const late = await pipeline("approve", run, "--job", "tell");
  expect(late.stderr).toContain(
    "There is nothing to approve at job tell: its approval is decided: rejected.",
  );
  expect(late.code).toBe(1);
  expect((await pipeline("reject", run)).stdout).toBe("job ship is rejected\n");
  expect((await pipeline("approve", run)).stderr).toContain("waits for approval");
  const { code, stdout } = await watching.finished;
  expect(code).toBe(1);
  const told = stdout.split("\n").filter((line) => line.includes("waits for"));
  expect(told.toSorted()).toEqual([
    expect.stringMatching(/waits for 2 approvals of job ship by anyone with Write, until \S+Z:$/),
    expect.stringMatching(/waits for approval of job tell by admin, nobody, until \S+Z:$/),
  ]);
  expect(stdout).toContain(`forgeline pipeline approve ${run} --job ship -R ${project.fullName}\n`);
});

it("waits for a combination that the run has yet to make, and says when it ends without it", async () => {
  const listed = `
defaults: { image: forgeline/base:1, clone: false }
jobs:
  list:
    approval: { level: write }
    outputs: { v: "\${{ steps.s.outputs.v }}" }
    steps: [{ id: s, run: 'echo "v=[\\"a\\"]" >> "$CI_OUTPUT"' }]
  unit: { needs: [list], matrix: { v: "\${{ fromJson(needs.list.outputs.v) }}" }, steps: ["echo made of it"] }
`;
  const { sha } = await project.push({ ".forgeline.yml": listed });
  const number = numberIn((await cli.call(pipeline("run", "--ref", sha))).stdout);
  const [made, never] = ["unit (a)", "unit (b)"].map((job) =>
    cli.start(pipeline("logs", number, "-f", "--job", job)),
  );
  for (const waiting of [made, never])
    await eventually(() => waiting?.stderr().includes("waiting for it, or for the end of the run"));
  expect((await cli.call(pipeline("logs", number, "--job", "unit (a)"))).code).toBe(2);
  expect((await cli.call(pipeline("approve", number, "--job", "list"))).code).toBe(0);
  expect(await made?.finished).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("made of it\n") as string,
    stderr: expect.not.stringContaining("has ended") as string,
  });
  expect(await never?.finished).toMatchObject({
    code: 2,
    stdout: "",
    stderr: expect.stringContaining(
      'the run has ended: the run has no job "unit (b)"; its jobs: list, ',
    ) as string,
  });
});
