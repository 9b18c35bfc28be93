/** `forgeline pipeline plan`: by the server and without one; the same answer for the same file. */
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { TestPerson } from "../../support/api-server.ts";
import { peopleAtTerminals, type PeopleAtTerminals } from "../../support/people-at-terminals.ts";

const file = `on:
  push: { branches: [main] }
  manual: { inputs: { target: { type: choice, options: [a, b], required: true }, urgency: { type: number, default: 20 } } }
stages: [build, { name: deploy, when: "branch == 'main' && event == 'push'" }]
defaults: { image: busybox, priority: "\${{ inputs.target == 'b' && inputs.urgency || null }}" }
jobs:
  compile: { stage: build, steps: ["true"], env: { X: "\${{ vars.REGION }}" } }
  unit: { stage: build, steps: ["true"], matrix: { node: ["20", "22"] }, when: { matrix: { node: "22" } } }
  docs: { stage: build, steps: ["true"], when: { paths: ["docs/**"] } }
  ship: { stage: deploy, steps: ["true"], needs: [docs] }
`;

let people: PeopleAtTerminals;
let ada: TestPerson;
let local: string;
beforeAll(async () => {
  people = await peopleAtTerminals({ env: { FORGELINE_MAX_PRIORITY: "20" } });
  ada = await people.server.person("ada");
  await people.told(ada, "repo", "create", "code", "--readme");
  const body = { message: "x", content: Buffer.from(file).toString("base64"), branch: "main" };
  await people.server.api("PUT", "/repos/ada/code/contents/.forgeline.yml", { token: ada.token, body });
  await people.told(ada, "variable", "set", "REGION", "eu", "-R", "ada/code");
  const folder = join(people.cli.home, "checkout");
  await mkdir(folder);
  local = join(folder, ".forgeline.yml");
  await writeFile(local, file);
});
afterAll(() => people?.stop());

const misplacedBranch = {
  code: 2,
  stderr: expect.stringContaining("--branch belongs to --file") as string,
};
const onServer = (...args: string[]) => people.as(ada, "pipeline", "plan", "-R", "ada/code", ...args);
/** It knows no server. */
const here = (...args: string[]) =>
  people.cli.call(["pipeline", "plan", "--file", local, "--branch", "main", ...args], {});

describe("on the server", () => {
  test("shows what runs, what keeps out the rest, and the variables with their levels", async () => {
    const { code, stdout } = await onServer("-v", "EXTRA=1", "-v", "X=2");
    expect(stdout.split("\n")).toEqual([
      "✓ build",
      "  ✓ compile",
      "  – unit (20)  skipped: Its condition is not met: matrix: { node: 22 }.",
      "  ✓ unit (22)",
      "  ✓ docs",
      "✓ deploy",
      "  ✓ ship",
      "",
      "EXTRA\trun\t1",
      "REGION\trepository\teu",
      'X\trun (not in compile: "env" of the file wins)\t2',
      "",
    ]);
    expect(code).toBe(0);
  });

  test("tells which secret a job would lack for this event, branch, stage, image or environment", async () => {
    const { token } = ada;
    const send = (method: string, path: string, body: object) =>
      people.server.api(method, `/repos/ada/code${path}`, { token, body });
    const limited = {
      EVENTS: { events: ["push"] },
      BRANCHES: { branches: ["release/*"] },
      STAGES: { stages: ["deploy"] },
      IMAGES: { images: ["alpine:3*"] },
      OF_PLACE: { environments: ["production"] },
      GLOB: { environments: ["prod*"] },
    };
    for (const [name, limits] of Object.entries(limited))
      expect((await send("PUT", `/secrets/${name}`, { value: "v".repeat(8), ...limits })).status).toBe(201);
    expect((await send("PUT", "/environments/production", {})).status).toBe(201);
    await send("PUT", "/environments/production/secrets/OWN", { value: "v".repeat(8) });
    const content = `on: { push: {}, schedule: [{ cron: "0 3 * * *" }] }
defaults: { image: busybox }
jobs:
  events: { secrets: [EVENTS], steps: [{ id: s, run: "true" }], outputs: { v: "\${{ steps.s.outputs.v }}" } }
  optional: { secrets: [{ name: EVENTS, optional: true }], steps: ["true"] }
  branches: { steps: [{ run: "true", secrets: [BRANCHES] }] }
  stages: { secrets: [STAGES], steps: ["true"] }
  images: { matrix: { v: ["3.20", "2"] }, image: "alpine:\${{ matrix.v }}", secrets: [IMAGES], steps: ["true"] }
  late: { needs: [events], image: "alpine:\${{ needs.events.outputs.v }}", secrets: [IMAGES], steps: ["true"] }
  live: { environment: Production, secrets: [OF_PLACE], steps: ["true"] }
  staged: { environment: staging, secrets: [OF_PLACE], steps: ["true"] }
  evil: { environment: prod-evil, secrets: [GLOB], steps: ["true"] }
  elsewhere: { secrets: [OWN], steps: ["true"] }
  nowhere: { secrets: [NOWHERE], steps: ["true"] }
  misplaced: { environment: "review/\${{ branch }}", steps: ["true"] }
  away: { trigger: { repository: ada/nowhere } }
  near: { trigger: { repository: ada/code } }
`;
    const planned = async (event: string) => {
      const { json, text } = await send("POST", "/pipelines/plan", { content, event });
      expect(json.valid, text).toBe(true);
      const jobs = (json.nodes as { node: string; name: string; ends?: string; message: string }[]).filter(
        ({ node }) => node === "job",
      );
      return Object.fromEntries(jobs.map(({ name, ends, message }) => [name, ends ? message : "runs"]));
    };
    const always = {
      optional: "runs",
      branches: "The secret BRANCHES is limited to branch release/*; this run is of branch main.",
      stages: "The secret STAGES is limited to other stages than main.",
      "images (3.20)": "runs",
      "images (2)": "The secret IMAGES is limited to other images than alpine:2.",
      late: "runs",
      live: "runs",
      evil: "The secret GLOB is limited to environments, and prod-evil counts only once somebody with Maintain has created or confirmed it: forgeline environment create prod-evil",
      staged: "The secret OF_PLACE is limited to environment production; this job deploys to staging.",
      elsewhere: "The secret OWN belongs to environment production, and this job deploys to none.",
      nowhere: "The secret NOWHERE does not exist.",
      misplaced: expect.stringContaining('"review/main" cannot be the name of an environment') as string,
      away: "There is no repository ada/nowhere in which ada may start pipelines.",
      near: "runs",
    };
    expect(await planned("push")).toEqual({ events: "runs", ...always });
    const other = "The secret EVENTS is limited to other events than schedule.";
    expect(await planned("schedule")).toEqual({ events: other, ...always });
  });

  test("takes event and inputs, and refuses what does not fit them", async () => {
    const { stdout } = await onServer("--event", "manual", "--ref", "main");
    expect(stdout).toContain(
      "– deploy  skipped: Its condition is not met: branch == 'main' && event == 'push'.",
    );
    expect(stdout).toContain("A run also needs -i target=…");
    const urgent = ["--event", "manual", "-i", "target=b"];
    expect((await onServer(...urgent)).stdout).toContain("✓ compile  (priority 20)");
    expect((await onServer(...urgent, "-i", "urgency=101")).stdout).toContain(
      '✗ compile  error: the priority must be a whole number from -100 to 100, but is "101"',
    );
    const wrong = await onServer("--event", "manual", "-i", "target=c");
    expect([wrong.code, wrong.stderr]).toEqual([1, expect.stringContaining("must be one of: a, b")]);
    expect(await onServer("--branch", "main")).toMatchObject(misplacedBranch);
  });
});

describe("what only the server knows", () => {
  const deploys = `on: { push: { paths: ["src/**", "docs/**"] } }
stages: [build, { name: live, approval: { count: 2 } }]
defaults: { image: busybox }
jobs:
  compile:
    stage: build
    priority: 80
    when: { paths: ["src/**"] }
    steps:
      - { id: s, run: "true" }
      - { name: upload, run: "true", when: { branch: release } }
      - { name: tidy, run: "true", when: { status: always } }
      - { name: tell, run: "true", when: { status: failure } }
      - { name: later, run: "true", when: "steps.s.result == 'success' && branch != 'release'" }
      - { name: never, run: "true", when: { status: failure, branch: release } }
  mine: { stage: build, when: { actor: ben }, steps: ["true"] }
  ship: { stage: live, environment: production, approval: { count: 1 }, steps: ["true"] }
`;
  const at = "/repos/ada/deploys";
  const send = (method: string, path: string, body: object) =>
    people.server.api(method, `${at}${path}`, { token: ada.token, body });
  const write = async (path: string, text: string, branch: string) => {
    const body = { message: path, content: Buffer.from(text).toString("base64"), branch };
    expect((await send("PUT", `/contents/${path}`, body)).status).toBe(200);
  };
  const linesOf = async (...args: string[]) => {
    const { stdout, stderr } = await people.as(ada, "pipeline", "plan", "-R", "ada/deploys", ...args);
    expect(stderr).toBe("");
    return stdout.trimEnd().split("\n");
  };
  beforeAll(async () => {
    await people.server.person("ben");
    await people.told(ada, "repo", "create", "deploys", "--readme");
    await write(".forgeline.yml", deploys, "main");
    await send("POST", "/branches", { name: "feature", ref: "main" });
    await write("docs/a.md", "a", "feature");
    const protection = { branches: ["main"], count: 1, wait_minutes: 5 };
    await send("PUT", "/environments/Production", { protection });
  });

  test("is shown: gates, the highest priority, and which steps are decided before the run", async () => {
    expect(await linesOf("--path", "src/a.ts", "--actor", "ben")).toEqual([
      "✓ build",
      "  ✓ compile  (asks for priority 80, capped to 20 by the operator)",
      "    – upload  skipped: Its condition is not met: branch: release.",
      "    ✓ tidy",
      "    ? tell  Decided during the run: status: failure.",
      "    ? later  Decided during the run: steps.s.result == 'success' && branch != 'release'.",
      "    – never  skipped: Its condition is not met: status: failure, branch: release.",
      "  ✓ mine",
      "✓ live  (waits for 2 approvals)",
      "  ✓ ship → production  (waits for 1 approval)  (waits for 1 approval and 5 minutes of its environment)",
      "",
      "1 file changes.",
    ]);
  });

  test("compares with the commit before, as a push does, and refuses an environment of other branches", async () => {
    const lines = await linesOf("--ref", "feature", "--before", "main");
    expect(lines).toContain("  – compile  skipped: Its condition is not met: paths: [src/**].");
    expect(lines).toContain("  – mine  skipped: Its condition is not met: actor: ben.");
    expect(lines).toContain(
      "  ✗ ship → production  failed: The environment Production is limited to branch main; this run is of branch feature.",
    );
    expect(lines).toContain("1 file changes.");
    const { json } = await send("POST", "/pipelines/plan", { ref: "feature", before: "main" });
    expect(json.nodes.at(-1)).toMatchObject({
      name: "ship",
      ends: "failed",
      reason: "environment_refused:Production",
    });
    expect(json.changed_files).toBe(1);
    expect(await linesOf("--path", "other")).toEqual([
      expect.stringContaining("nothing runs"),
      "",
      "1 file changes.",
    ]);
  });

  test("takes what changes from pushes and syncs only, and from one place", async () => {
    for (const [body, field] of [
      [{ event: "manual", paths: ["a"] }, "paths"],
      [{ event: "tag", before: "main" }, "before"],
      [{ paths: ["a"], before: "main" }, "before"],
      [{ before: "nowhere" }, "before"],
    ] as const) {
      const { status, json } = await send("POST", "/pipelines/plan", body);
      expect([body, status, json.errors?.[0]?.field]).toEqual([body, 422, field]);
    }
    const by = (...args: string[]) => people.as(ada, "pipeline", "plan", "-R", "ada/deploys", ...args);
    const refused = await by("--event", "manual", "--path", "a");
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining("only a push or a sync")]);
    expect((await by("--path", "a", "--before", "main")).code).not.toBe(0);
    expect((await by("--ask-server")).stderr).toContain("--ask-server belongs to --file");
  });

  test("is said of a file that nobody has committed", async () => {
    const asked = (...args: string[]) => onServer("--file", local, "--ask-server", ...args);
    const { code, stdout } = await asked("--ref", "main", "-v", "EXTRA=1");
    expect(code).toBe(0);
    expect(stdout).toContain("REGION\trepository\teu");
    await writeFile(join(people.cli.home, "mine.yml"), "image: busybox\nsteps: [{ run: a, step: b }]\n");
    const bad = await onServer("--file", join(people.cli.home, "mine.yml"), "--ask-server");
    expect(bad.code).toBe(1);
    expect(bad.stdout).toContain("mine.yml:2:");
    expect(await asked("--branch", "main")).toMatchObject(misplacedBranch);
  });
});

describe("without a server", () => {
  test("gives what the server gives for the same", async () => {
    for (const args of [
      [],
      ["--event", "manual", "-i", "target=a"],
      ["--event", "manual", "-i", "target=b"],
      ["--event", "manual", "-i", "target=b", "-i", "urgency=101"],
      ["--event", "api"],
      ["--event", "schedule"],
    ]) {
      const [ours, theirs] = await Promise.all([
        here("--json", "-v", "REGION=eu", ...args),
        onServer("--json", "-v", "REGION=eu", ...args),
      ]);
      expect([args, ours.code, ours.stderr]).toEqual([args, 0, ""]);
      const [mine, others] = [JSON.parse(ours.stdout), JSON.parse(theirs.stdout)];
      // The name of the file stands for a pipeline without a name of its own.
      mine.nodes[0].name = others.nodes[0].name;
      expect(mine).toEqual(others);
    }
  });

  test("takes branch, tag and changed files", async () => {
    const given = ["-v", "REGION=eu"];
    expect((await here(...given, "--path", "src/a.ts")).stdout).toContain(
      "– docs  skipped: Its condition is not met: paths: [docs/**].",
    );
    expect((await here(...given, "--path", "src/a.ts")).stdout).toContain("– ship  skipped: It needs docs");
    const other = await people.cli.call(["pipeline", "plan", "--file", local, "--branch", "x", ...given], {});
    expect(other.stdout).toContain("nothing runs: The file lists other branches");
    expect((await here("--event", "tag", "--tag", "v1", ...given)).stdout).toContain(
      'nothing runs: The file does not list this event under "on".',
    );
    expect((await here("--event", "tag", ...given)).stderr).toContain("needs a tag");
    expect((await here("-v", "CI_A=1")).stderr).toContain("CI_A is no name of a variable");
    expect((await here("--ref", "main")).code).toBe(2);
    expect((await here("--event", "push", "-i", "target=a", ...given)).stderr).toContain("takes no inputs");
  });

  test("shows errors, and exits 1", async () => {
    const { code, stdout } = await here();
    expect(code).toBe(1);
    expect(stdout).toMatch(/\.forgeline\.yml:7:\d+: error\[P202\]: vars of this run has no "REGION"/);
  });
});
