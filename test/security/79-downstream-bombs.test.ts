/** Pipelines that start pipelines: without an end, too many, where nobody may know of them, and with more trust than they have. */
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import type { Pipeline } from "@forgeline/schemas/pipelines/resource.ts";
import type { TestPerson } from "../support/api-server.ts";
import { startChildBed, type ChildBed } from "../support/child-bed.ts";

vi.setConfig({ testTimeout: 120_000 });
let bed: ChildBed;
let bob: TestPerson;
beforeAll(async () => {
  bed = await startChildBed();
  bob = await bed.server.person("bob");
});
afterAll(() => bed?.close());

const nameOf = (at: string) => at.replace("/repos/", "");
const starting = (trigger: string, more = "") =>
  `on: [api, pipeline]\njobs:\n  again: { ${more} trigger: ${trigger} }\n`;
const jobs = (run: Pipeline) => run.stages.flatMap((stage) => stage.jobs);
const target = "on: [api, pipeline]\nimage: busybox\nsteps: ['true']\n";
/** The newest run below this one, and how deep it is. */
async function deepest(rootId: string) {
  const rows = await bed.database.query<{ id: string; depth: number }>(
    "select id, depth from pipelines where root_id = $1 order by depth desc, number desc",
    [rootId],
  );
  return { count: rows.length, ...rows[0] };
}

test("a pipeline that starts itself with the same inputs is a loop, at the first turn", async () => {
  const { at } = await bed.repository(starting("{ ref: main }"));
  const run = await bed.start(at);
  const over = await bed.ends(at, run.id, "error");
  expect(jobs(over)).toMatchObject([
    { reason: "trigger_refused", message: expect.stringMatching(/^A loop: .* as in #1/) },
  ]);
  expect(await deepest(run.id)).toEqual({ count: 0 });
});

test("two that start each other are a loop too", async () => {
  const { at } = await bed.repository();
  await bed.write(at, ".forgeline.yml", null);
  await bed.write(at, ".forgeline/a.yml", starting("{ pipeline: b }"));
  await bed.write(at, ".forgeline/b.yml", starting("{ pipeline: a }"));
  const run = await bed.start(at, { pipeline: "a" });
  const over = await bed.ends(at, run.id, "failed");
  expect(jobs(over)).toMatchObject([{ reason: "child:error" }]);
  expect(await deepest(run.id)).toMatchObject({ count: 1, depth: 1 });
});

test("with other inputs each time it ends four levels deep", async () => {
  const file = `
on: { api: , pipeline: , manual: { inputs: { n: { type: number, default: 0 } } } }
jobs:
  again: { trigger: { inputs: { n: "\${{ inputs.n + 1 }}" } } }
`;
  const { at } = await bed.repository(file);
  const run = await bed.start(at);
  await bed.ends(at, run.id, "failed");
  const last = await deepest(run.id);
  expect(last).toMatchObject({ count: 4, depth: 4 });
  expect(jobs(await bed.read(at, last.id ?? ""))).toMatchObject([
    { reason: "trigger_refused", message: expect.stringMatching(/4 levels deep at most/) },
  ]);
});

test("the 51st pipeline of a run is refused, and a rerun can start as many again, up to 500 in all", async () => {
  const numbers = Array.from({ length: 51 }, (_, i) => `"${i}"`).join(", ");
  const file = `
on: { api: , pipeline: , manual: { inputs: { n: { type: string, default: "" } } } }
jobs:
  many: { when: "event == 'api'", matrix: { n: [${numbers}] }, trigger: { inputs: { n: "\${{ matrix.n }}" }, wait: false } }
`;
  const { at } = await bed.repository(file);
  const run = await bed.start(at);
  const over = await bed.ends(at, run.id, "error");
  const refused = jobs(over).filter(({ status }) => status === "error");
  expect(refused).toMatchObject([
    { reason: "trigger_refused", message: "A run can start at most 50 pipelines." },
  ]);
  expect(over.children).toHaveLength(50);
  await bed.database.query(
    `insert into pipelines (id, repository_id, number, file, source, ref, sha, event, root_id, finished_at)
     select 'pipe_' || n, repository_id, 1000 + n, file, source, ref, sha, event, id, now()
     from pipelines, generate_series(1, 450) n where id = $1`,
    [run.id],
  );
  await bed.send("POST", `${at}/pipelines/${run.id}/rerun`, { from: "failed" });
  const again = await bed.ends(at, run.id, "error");
  expect(jobs(again).find(({ status }) => status === "error")?.message).toMatch(/at most 500 pipelines/);
});

test("a private repository is not told from one that does not exist, and writes are needed", async () => {
  const { at: hidden } = await bed.repository(target);
  const { at: open } = await bed.repository(target);
  await bed.send("PATCH", open, { visibility: "public" });
  await bed.send("PATCH", hidden, { visibility: "private" });
  const made = await bed.send("POST", "/repos", { name: "mine", readme: true }, bob);
  expect(made.status).toBe(201);
  const at = "/repos/bob/mine";
  const told = async (repository: string) => {
    await bed.write(at, ".forgeline.yml", starting(`{ repository: "${repository}" }`), { person: bob });
    const run = await bed.start(at, {}, bob);
    const over = await bed.ends(at, run.id, "error");
    expect(over.children).toEqual([]);
    return jobs(over)[0]?.message?.replace(repository, "REPOSITORY");
  };
  const absent = await told("ada/nothing");
  expect(absent).toBe("There is no repository REPOSITORY in which bob may start pipelines.");
  expect(await told(nameOf(hidden))).toBe(absent);
  expect(await told(nameOf(open))).toBe(absent);
  await bed.send("PUT", `${hidden}/collaborators/bob`, { permission: "write" });
  await bed.write(at, ".forgeline.yml", starting(`{ repository: "${nameOf(hidden)}" }`), { person: bob });
  const allowed = await bed.start(at, {}, bob);
  await bed.children(at, allowed.id, 1);
});

test("rights count when the job starts the pipeline, not when the run began", async () => {
  const { at: other } = await bed.repository(target);
  await bed.send("PUT", `${other}/collaborators/bob`, { permission: "write" });
  const file = `on: [api]
defaults: { image: busybox }
jobs:
  first: { steps: ["true"] }
  then: { needs: [first], trigger: { repository: "${nameOf(other)}" } }
`;
  await bed.write("/repos/bob/mine", ".forgeline.yml", file, { person: bob });
  const run = await bed.start("/repos/bob/mine", {}, bob);
  const held = await bed.runner(run.id).take("first");
  await bed.send("DELETE", `${other}/collaborators/bob`);
  await bed.runner(run.id).start(held);
  await bed.runner(run.id).done(held);
  const over = await bed.ends("/repos/bob/mine", run.id, "error");
  expect(jobs(over)[1]?.message).toMatch(/in which bob may start pipelines/);
});

test("a token that is limited to one repository starts nothing elsewhere, by whatever way its run came", async () => {
  const { at: other } = await bed.repository(target);
  const { at, id } = await bed.repository();
  await bed.write(
    at,
    ".forgeline.yml",
    `on: [api, push]\njobs:\n  t: { trigger: { repository: "${nameOf(other)}" } }\n`,
  );
  const token = await bed.send("POST", "/user/tokens", {
    name: "limited",
    scopes: ["repo:write", "pipeline:write"],
    repositories: [nameOf(at)],
  });
  expect(token.status, token.text).toBe(201);
  const limited = { ...bed.ada, token: token.json.token as string };
  const run = await bed.start(at, {}, limited);
  const over = await bed.ends(at, run.id, "error");
  expect(jobs(over)[0]?.message).toMatch(/good for pipelines of this repository only/);
  await bed.write(at, "pushed.txt", "x", { person: limited });
  const rows = async () =>
    bed.database.query<{ starts_elsewhere: boolean }>(
      "select starts_elsewhere from pipelines where repository_id = $1 and source = 'push' order by number desc limit 1",
      [id],
    );
  expect(await rows()).toEqual([{ starts_elsewhere: false }]);
  // Whoever runs it again answers for what it starts.
  await bed.send("POST", `${at}/pipelines/${run.id}/rerun`, { from: "all" });
  await bed.children(at, run.id, 1);
});

test("what a run with foreign commits starts is trusted no more than it, and stays in its repository", async () => {
  const { at: other } = await bed.repository(target);
  const { at } = await bed.repository();
  await bed.write(at, ".forgeline.yml", null);
  await bed.write(at, ".forgeline/child.yml", target);
  await bed.write(
    at,
    ".forgeline/main.yml",
    `on: [api]
defaults: { image: busybox }
jobs:
  first: { steps: ["true"] }
  here: { needs: [first], trigger: { pipeline: child } }
  there: { needs: [first], trigger: { repository: "${nameOf(other)}" } }
`,
  );
  for (const trust of ["fork", "unknown_author"]) {
    const run = await bed.start(at, { pipeline: "main" });
    await bed.database.query("update pipelines set trust = $2 where id = $1", [run.id, trust]);
    await bed.runner(run.id).run("first");
    const [below] = await bed.children(at, run.id, 1);
    const row = await bed.database.one<{ trust: string }>("select trust from pipelines where id = $1", [
      below?.id,
    ]);
    expect(row?.trust).toBe(trust);
    await bed.runner(below?.id ?? "").run("main");
    const over = await bed.ends(at, run.id, "error");
    expect(jobs(over).find(({ key }) => key === "there")?.message).toMatch(/only in their own/);
  }
});
