/** Text of branches, commits and files reaches a step as environment only; none of it is ever run. */
import { writeFile } from "node:fs/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createProject, oneJob, type Project } from "../support/project.ts";
import { sharedInstance, type SharedInstance } from "../support/shared-instance.ts";

let instance: SharedInstance;
let project: Project;
beforeAll(async () => {
  instance = await sharedInstance();
  project = await createProject(instance, "weird");
});
afterAll(() => project.remove());

const show = oneJob(
  'printf "%s\\n" "$CI_BRANCH" "$CI_REF" "$CI_COMMIT_AUTHOR"; printf "%s" "$CI_COMMIT_MESSAGE"',
  "test ! -e /workspace/canary && test ! -e /tmp/canary",
);

const branches = [
  "a/$(touch${IFS}canary)",
  "b/`touch${IFS}/tmp/canary`",
  "c/;touch${IFS}canary;#",
  "d/'\"&&touch${IFS}canary||\"'",
  "e/|tee${IFS}canary",
  "f/\u202egnp.ünïcødé-日本",
  "g/${{event.sha}}",
  `h/${"x".repeat(180)}`,
];

test("branch names that are programs are printed, never run", async () => {
  const shas: string[] = [];
  for (const [i, branch] of branches.entries())
    shas.push((await project.push({ ".forgeline.yml": show }, { branch, message: `m${i}` })).sha);
  for (const [i, sha] of shas.entries()) {
    const run = await project.finished(sha);
    expect(run.status, JSON.stringify(run.stages)).toBe("success");
    expect((await project.log(run, "job=main&step=0")).toString()).toBe(
      `${branches[i]}\nrefs/heads/${branches[i]}\nAda <ada@example.org>\nm${i}\n`,
    );
  }
});

test("commit messages that are programs are printed, never run", async () => {
  const message = [
    "$(touch canary) `touch /tmp/canary` ; touch canary",
    "",
    "EOF",
    "'; touch canary; '",
    '"; touch canary; "',
    "${{ event.sha }} \\n %s %n \u001b]0;title\u0007 \u001b[2J",
    "CI_BRANCH=other",
    "::set-output name=x::y",
  ].join("\n");
  const run = await project.runFile(show, { branch: "message", message });
  expect(run.status, JSON.stringify(run.stages)).toBe("success");
  const log = (await project.log(run, "job=main&step=0")).toString();
  expect(log.split("\n").slice(3).join("\n")).toBe(`${message}\n`);
  expect(run.commit.message).toContain("$(touch canary)");
});

test("bytes that are no UTF-8, in the commit's message, do not stop its run", async () => {
  const tree = await project.git.workTree({ ".forgeline.yml": show });
  const address = new URL(instance.url);
  address.username = "x";
  address.password = instance.adminToken;
  address.pathname = `${project.fullName}.git`;
  const bytes = Buffer.from("latin \xe9\xff\xfe and after", "latin1");
  await writeFile(`${tree}/.git/message`, bytes);
  await project.git.ok(["commit", "-q", "--allow-empty", "-F", ".git/message"], { cwd: tree });
  const sha = await project.git.ok(["rev-parse", "HEAD"], { cwd: tree });
  await project.git.ok(["push", "-q", address.href, "HEAD:refs/heads/bytes"], { cwd: tree });
  const run = await project.finished(sha);
  expect(run.status, JSON.stringify(run.stages)).toBe("success");
  const log = (await project.log(run, "job=main&step=0")).toString();
  expect(log).toContain("and after");
});

test("expressions inside a script are refused, with the way to do it", async () => {
  const run = await project.runFile(oneJob("echo ${{ event.sha }}"));
  expect(run).toMatchObject({ status: "error", reason: "config", stages: [] });
  expect(run.error?.diagnostics).toMatchObject([
    { code: expect.stringMatching(/^P2/) as string, hint: expect.stringContaining("env") as string },
  ]);
});
