/** Templates over REST: pinned to commits, from repositories that the reader may read, and told the same where there are none. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Pipeline, PipelineSummary } from "@forgeline/schemas/pipelines/resource.ts";
import type { TestPerson } from "../../../support/api-server.ts";
import { eventually } from "../../../support/eventually.ts";
import { startScheduleBed, type ScheduleBed } from "../../../support/schedule-bed.ts";

let bed: ScheduleBed;
let bob: TestPerson;
let at: string;
/** With templates. */
let library: string;
beforeAll(async () => {
  bed = await startScheduleBed();
  bob = await bed.server.person("bob");
});
afterAll(() => bed?.close());

const nameOf = (path: string) => path.replace("/repos/", "");
const using = (uses: string) => `on: [push, api]\nimage: busybox\nsteps:\n  - uses: ${uses}\n`;
const greet = (text: string) => `steps: [{ name: "${text}", run: "true" }]\n`;
async function run(path = at, person?: TestPerson): Promise<Pipeline> {
  const answer = await bed.send("POST", `${path}/pipelines`, {}, person);
  expect(answer.status, answer.text).toBe(201);
  return answer.json;
}
const problems = ({ error }: Pipeline) => error?.diagnostics.map(({ code, message }) => `${code} ${message}`);
const tip = async (path: string) => (await bed.send("GET", `${path}/commits/main`)).json.sha as string;
const setVisibility = async (path: string, visibility: string) => {
  const answer = await bed.send("PATCH", path, { visibility });
  expect(answer.status, answer.text).toBe(200);
};
const planOf = async (id: string) => {
  const row = await bed.database.one<{ plan: { jobs: { steps: { name: string }[] }[] } }>(
    "select plan from pipelines where id = $1",
    [id],
  );
  return row?.plan.jobs[0]?.steps.map(({ name }) => name);
};

beforeEach(async () => {
  ({ at } = await bed.repository(using("./t.yml")));
  ({ at: library } = await bed.repository());
});

describe("a template of the same repository", () => {
  test("is that of the commit, and the run shows it", async () => {
    await bed.write(at, "t.yml", greet("one"));
    const first = await run();
    const sha = await tip(at);
    expect(first.templates).toEqual([{ uses: "./t.yml", repository: null, path: "t.yml", ref: null, sha }]);
    expect(await planOf(first.id)).toEqual(["one"]);
    await bed.write(at, "t.yml", greet("two"));
    const again = (await bed.send("GET", `${at}/pipelines/${first.number}`)).json as Pipeline;
    expect(again.templates).toEqual(first.templates);
    expect(await planOf((await run()).id)).toEqual(["two"]);
  });

  test("with a mistake makes a run that shows its place and how it came there", async () => {
    await bed.write(at, "t.yml", "steps: [{ run: x, idd: y }]\n");
    const broken = await run();
    expect(broken).toMatchObject({ status: "error", reason: "config" });
    expect(broken.error?.diagnostics).toMatchObject([
      { code: "P101", file: "t.yml", line: 1, used_by: [{ file: ".forgeline.yml", line: 4, column: 11 }] },
    ]);
  });

  test("is read by lint, at the default branch or another ref, and by plan", async () => {
    const lint = () => bed.send("POST", `${at}/pipelines/lint`, { content: using("./t.yml") });
    expect((await lint()).json).toMatchObject({ valid: false, diagnostics: [{ code: "P502" }] });
    await bed.send("POST", `${at}/branches`, { name: "other", ref: "main" });
    await bed.write(at, "t.yml", greet("x"), { branch: "other" });
    const elsewhere = (ref: string) =>
      bed.send("POST", `${at}/pipelines/lint`, { content: using("./t.yml"), ref });
    expect((await elsewhere("other")).json.valid).toBe(true);
    expect((await elsewhere("nowhere")).json.errors).toMatchObject([{ field: "ref", code: "unknown" }]);
    await bed.write(at, "t.yml", greet("x"));
    expect((await lint()).json).toEqual({ valid: true, diagnostics: [] });
    const planned = await bed.send("POST", `${at}/pipelines/plan`, { event: "api" });
    expect(planned.json).toMatchObject({ valid: true, templates: [{ uses: "./t.yml", sha: await tip(at) }] });
  });
});

describe("a template of another repository", () => {
  const uses = (ref: string) => `${nameOf(library)}//dir/t.yml@${ref}`;

  test("is pinned to the commit that its ref names now, with what it uses itself", async () => {
    await bed.write(library, "dir/t.yml", "steps: [{ uses: ./u.yml }]\n");
    await bed.write(library, "u.yml", greet("inner"));
    await bed.write(at, ".forgeline.yml", using(uses("main")));
    const sha = await tip(library);
    const made = await run();
    expect(made.templates).toEqual([
      { uses: uses("main"), repository: nameOf(library), path: "dir/t.yml", ref: "main", sha },
      {
        uses: `${nameOf(library)}//u.yml@main`,
        repository: nameOf(library),
        path: "u.yml",
        ref: "main",
        sha,
      },
    ]);
    expect(await planOf(made.id)).toEqual(["inner"]);
    const { json } = await bed.send("POST", `${at}/pipelines/lint`, { content: using(uses("main")) });
    expect(json.diagnostics.map(({ code }: { code: string }) => code)).toEqual(["W906"]);
    const pinned = await bed.send("POST", `${at}/pipelines/lint`, { content: using(uses(sha)) });
    expect(pinned.json).toEqual({ valid: true, diagnostics: [] });
  });

  test("that is private is as one that does not exist for whoever may not read it", async () => {
    await bed.write(library, "dir/t.yml", greet("private"));
    await bed.write(at, ".forgeline.yml", using(uses("main")));
    await setVisibility(library, "private");
    await bed.send("PUT", `${at}/collaborators/bob`, { permission: "write" });
    expect((await run()).error).toBeNull();
    const hidden = problems(await run(at, bob));
    await bed.write(at, ".forgeline.yml", using("ada/nowhere//dir/t.yml@main"));
    const absent = problems(await run(at, bob));
    expect(hidden).toHaveLength(1);
    expect(hidden?.[0]?.replace(nameOf(library), "ada/nowhere")).toBe(absent?.[0]);
    // The same for a push of his.
    await bed.write(at, ".forgeline.yml", using(uses("main")), { person: bob });
    const pushed = await newest((one) => one.triggered_by.username === "bob" && one.source === "push");
    expect(problems((await bed.send("GET", `${at}/pipelines/${pushed.number}`)).json)).toEqual(hidden);
  });

  test("is not read with a token that is limited to other repositories", async () => {
    await bed.write(library, "dir/t.yml", greet("private"));
    await setVisibility(library, "private");
    await bed.write(at, ".forgeline.yml", using(uses("main")));
    const scopes = ["pipeline:write", "repo:write"];
    const token = async (repositories: string[] | undefined) => {
      const body = { name: `t${Math.random()}`, scopes, ...(repositories ? { repositories } : {}) };
      const answer = await bed.send("POST", "/user/tokens", body);
      expect(answer.status, answer.text).toBe(201);
      return { ...bed.ada, token: answer.json.token as string };
    };
    expect((await run(at, await token(undefined))).error).toBeNull();
    const limited = await token([nameOf(at)]);
    expect(problems(await run(at, limited))?.[0]).toContain("there is no repository");
    await bed.write(at, "a.txt", "pushed", { person: limited });
    const sha = await tip(at);
    const pushed = await newest((one) => one.source === "push" && one.sha === sha);
    expect(pushed).toMatchObject({ status: "error", reason: "config" });
  });

  test("is read for a schedule on behalf of its owner", async () => {
    await bed.write(library, "dir/t.yml", greet("private"));
    await setVisibility(library, "private");
    await bed.write(
      at,
      ".forgeline.yml",
      using(uses("main")).replace(
        "on: [push, api]",
        "on: { schedule: [{ cron: '0 3 * * *', name: nightly }] }",
      ),
    );
    const [schedule] = await bed.listed(at, ["nightly"]);
    await bed.makeDue(schedule?.id ?? "");
    const came = await bed.came(at, schedule?.id ?? "");
    expect(came).toMatchObject({ status: "started" });
    const [made] = await bed.runs(at);
    expect(made).toMatchObject({ source: "schedule", status: "created" });
  });

  test.each([
    ["no file", "no/t.yml@main", "no/t.yml does not exist at main"],
    ["no ref", "t.yml@v9", 'has no branch, tag or commit "v9"'],
  ])("%s is told", async (_what, rest, message) => {
    await bed.write(at, ".forgeline.yml", using(`${nameOf(library)}//${rest}`));
    expect(problems(await run())?.[0]).toContain(message);
  });
});

function newest(is: (one: PipelineSummary) => boolean): Promise<PipelineSummary> {
  return eventually(async () => (await bed.runs(at)).find(is), { timeoutMs: 20_000 });
}
