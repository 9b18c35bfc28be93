/** `forgeline runner`: what runners say of themselves, who may use them, and jobs of those that went silent. */
import { afterAll, beforeAll, expect, it } from "vitest";
import type { EgressReport } from "@forgeline/schemas/runner-protocol/egress.ts";
import type { RunnerExecutor } from "@forgeline/schemas/runners/executor.ts";
import type { TestPerson } from "../../support/api-server.ts";
import { peopleAtTerminals, type PeopleAtTerminals } from "../../support/people-at-terminals.ts";
import { planJob, planOf } from "../../support/runs.ts";
import { runInRows } from "../../support/web/run-in-rows.ts";
import { ProtocolRunner, type ProtocolRunnerOptions } from "../../support/protocol-runner.ts";

let people: PeopleAtTerminals;
let root: TestPerson;
const runners: ProtocolRunner[] = [];

beforeAll(async () => {
  people = await peopleAtTerminals();
  root = await people.server.person("root", { isAdmin: true });
});
afterAll(async () => {
  for (const runner of runners) runner.vanish();
  await people.stop();
});

async function connect(
  name: string,
  egress?: EgressReport,
  executor?: RunnerExecutor,
  more: Partial<ProtocolRunnerOptions> = {},
): Promise<ProtocolRunner> {
  const { api, ca } = people.server;
  const made = await api("POST", "/runners/registration-tokens", { token: root.token, body: {} });
  const { json } = await api("POST", "/runners/register", { body: { token: made.json.token, name } });
  return greet({
    url: json.connect_url,
    ca,
    credential: json.credential,
    ...(egress && { egress }),
    ...(executor && { executor }),
    ...more,
  });
}

async function greet(options: ProtocolRunnerOptions): Promise<ProtocolRunner> {
  const runner = new ProtocolRunner(options);
  runners.push(runner);
  await runner.hello();
  return runner;
}

it("tells which runners hold their jobs back, which cannot, and why", async () => {
  await connect("old");
  await connect("able", { state: "filtered", reason: null, allow: ["10.1.2.0/24"] });
  await connect("unable", { state: "unfiltered", reason: "no \u001b[31mtable", allow: [] });
  const list = await people.told(root, "runner", "list");
  const states = list
    .trim()
    .split("\n")
    .map((line) => [line.split("\t")[1], line.split("\t").at(-1)]);
  expect(states).toEqual([
    ["unable", "unfiltered"],
    ["able", "filtered"],
    ["old", "unknown"],
  ]);
  const [old, able, unable] = await Promise.all(
    ["old", "able", "unable"].map((name) => people.told(root, "runner", "view", name)),
  );
  expect(old).toContain("jobs reach\tunknown: an older runner that does not say\n");
  expect(able).toContain(
    "jobs reach\tthe Internet, the server and their own services\nopened beside\t10.1.2.0/24\n",
  );
  expect(unable).toContain("jobs reach\tevery network of the machine: it cannot filter\n");
  expect(unable).toMatch(/^why\tno .*table$/m);
  expect(unable).not.toContain("\u001b");
});

it("tells whether a runner takes privileged jobs, and how many images it keeps", async () => {
  await connect("builder", undefined, undefined, {
    features: ["privileged"],
    imageCacheBytes: 40 * 1024 ** 3,
  });
  await connect("plain");
  expect(await people.told(root, "runner", "view", "builder")).toContain(
    "privileged jobs\ttaken: they are root on its machine\nimages of jobs\tremoved beyond 40.0 GiB\n",
  );
  expect(await people.told(root, "runner", "view", "plain")).toContain(
    "privileged jobs\trefused\nimages of jobs\tnone is removed\n",
  );
});

it("shows what a runner says later, when its filter was lost", async () => {
  const runner = await connect("losing", { state: "filtered", reason: null, allow: [] });
  runner.say({
    t: "heartbeat",
    load: 0.5,
    freeDiskBytes: 1e9,
    freeSlots: 1,
    leases: [],
    egress: { state: "unfiltered", reason: "no job starts", allow: [] },
  });
  await runner.take("heartbeat_ack");
  expect(await people.told(root, "runner", "view", "losing")).toMatch(/^why\tno job starts$/m);
});

it("says how a runner executes jobs, and shows the label that it cannot be without", async () => {
  await connect("contained");
  const bare = await connect("bare", undefined, "process");
  expect(await people.told(root, "runner", "view", "contained")).toContain("jobs run\tin containers\n");
  const { id } = await people.json(root, "runner", "view", "bare");
  await people.server.api("PATCH", `/runners/${String(id)}`, {
    token: root.token,
    body: { labels: ["gpu"] },
  });
  const view = await people.told(root, "runner", "view", "bare");
  expect(view).toContain("labels\tgpu, !executor=process\n");
  expect(view).toContain("jobs run\tas processes of its user, without isolation;");
  bare.vanish();
});

it("keeps what the runner said when it is gone", async () => {
  const runner = await connect("changing", { state: "open", reason: null, allow: [] });
  const { id } = await people.json(root, "runner", "view", "changing");
  runner.vanish();
  expect((await people.json(root, "runner", "view", String(id))).egress).toMatchObject({ state: "open" });
});

it("means an organization's runners with --org: adds, lists, drains and removes them", async () => {
  const owner = await people.server.person("olga");
  const { api } = people.server;
  await api("POST", "/orgs", { token: owner.token, body: { name: "acme" } });
  const { token } = await people.json(owner, "runner", "add", "--org", "acme");
  await api("POST", "/runners/register", {
    body: { token, name: "shared", labels: ["!gpu"], one_job: true },
  });
  const list = await people.told(owner, "runner", "list", "--org", "acme");
  expect(list.trim().split("\t").slice(1, 5)).toEqual(["shared", "offline", "0/1", "!gpu"]);
  const view = await people.told(owner, "runner", "view", "shared", "--org", "acme");
  expect(view).toContain("serves\trepositories of acme\n");
  expect(view).toContain("ends\tafter one job\n");
  const drain = ["runner", "drain", "shared", "--org", "acme", "--within", "30"];
  expect((await people.json(owner, ...drain))["drain_deadline"]).toMatch(/^\d{4}-/);
  await people.told(owner, "runner", "remove", "shared", "--org", "acme");
  expect(await people.json(owner, "runner", "list", "--org", "acme")).toEqual([]);
});

it("pauses a runner, changes what counts of it, and lets it take jobs again", async () => {
  const runner = await connect("edited", undefined, undefined, { labels: ["linux"], capacity: 4 });
  expect(await people.told(root, "runner", "pause", "edited")).toContain("edited is paused;");
  expect(await people.json(root, "runner", "view", "edited")).toMatchObject({ status: "paused" });
  await people.told(root, "runner", "resume", "edited");
  const edit = ["runner", "edit", "edited", "--name", "renamed", "--labels", "gpu,vip", "--capacity", "2"];
  expect(await people.told(root, ...edit)).toBe("renamed takes 2 jobs at once, with gpu,vip\n");
  await people.told(root, "runner", "edit", "renamed", "--own-labels", "--own-capacity");
  runner.vanish();
  await greet(runner.options);
  expect(await people.json(root, "runner", "view", "renamed")).toMatchObject({
    labels: ["linux"],
    capacity: 4,
  });
  const nothing = await people.as(root, "runner", "edit", "renamed");
  expect(nothing).toMatchObject({ code: 2, stderr: expect.stringContaining("name what to change") });
});

it("finds a repository's runner by name, and says which of several is meant and who may ask", async () => {
  const owner = await people.server.person("rosa");
  const { api } = people.server;
  await api("POST", "/repos", { token: owner.token, body: { name: "code" } });
  const made = await people.json(owner, "-R", "rosa/code", "runner", "add", "--for-repo");
  const register = (token: unknown) => api("POST", "/runners/register", { body: { token, name: "own" } });
  const first = await register(made["token"]);
  const { id } = first.json as { id: string };
  expect(await people.json(owner, "-R", "rosa/code", "runner", "view", "own")).toMatchObject({ id });
  expect(await people.json(owner, "runner", "view", "own", "--for-repo", "rosa/code")).toMatchObject({ id });
  const view = await people.told(owner, "runner", "view", id);
  expect(view).toContain("a job may take\tunknown; the runner has never connected\n");
  const absent = await people.as(owner, "runner", "drain", "other", "--for-repo", "rosa/code");
  expect(absent.stderr).toContain("see forgeline runner list --for-repo rosa/code");
  const refused = await people.as(owner, "runner", "remove", "own");
  expect(refused.stderr).toContain("Administrators of the instance may. Name whose runner it is with --org");
  const again = await people.json(owner, "runner", "add", "--for-repo", "rosa/code");
  await register(again["token"]);
  const unclear = await people.as(owner, "-R", "rosa/code", "runner", "remove", "own");
  expect(unclear.stderr).toContain(`${id} (offline)`);
  await people.told(owner, "runner", "remove", id);
  expect(await people.told(owner, "-R", "rosa/code", "runner", "remove", "own")).toBe("removed own\n");
});

it("says which runners are older than the server, and how to update them", async () => {
  await connect("aged");
  const list = await people.told(root, "runner", "list");
  expect(list.split("\n").find((line) => line.includes("\taged\t"))).toContain("0.0.0-test (old)");
  const view = await people.told(root, "runner", "view", "aged");
  expect(view).toContain("version\t0.0.0-test, older than the server\n");
  expect(view).toMatch(/^to update\tcurl .*install-runner\.sh .* --update$/m);
});

it("makes groups, says who may use them, and puts runners into them", async () => {
  const { api } = people.server;
  const group = (...args: string[]) => people.told(root, "runner", "group", ...args);
  await api("POST", "/orgs", { token: root.token, body: { name: "acme" } });
  await api("POST", "/repos", { token: root.token, body: { name: "app", owner: "acme" } });
  expect(await group("list")).toBe("");
  const created = await group("create", "gpu", "--description", "For training", "--only", "acme/app");
  expect(created).toBe("created gpu, for acme/app\n");
  expect(await group("access", "GPU", "--only", "acme", "acme/app")).toBe("gpu is for acme, acme/app\n");
  expect(await group("view", "gpu")).toContain("label\tgroup=gpu\n");
  await connect("mover");
  expect(await group("move", "mover", "gpu")).toBe("mover is in gpu\n");
  expect(await people.told(root, "runner", "view", "mover")).toContain("group\tgpu\n");
  expect(await group("list")).toContain("gpu\t1\tacme, acme/app\tFor training");
  expect(await group("edit", "gpu", "--name", "big")).toBe("changed big\n");
  expect(await people.told(root, "runner", "demand", "--group", "big")).toBe("");
  const unknown = await people.as(root, "runner", "demand", "--group", "small");
  expect(unknown.stderr).toContain('there is no group of runners "small"');
  expect(await group("leave", "mover")).toBe("mover is in no group\n");
  expect(await group("access", "big", "--all")).toBe("big is for all\n");
  const added = await people.told(root, "runner", "add", "--group", "big", "--json");
  expect(JSON.parse(added).group).toMatch(/^rgrp_/);
  expect(await group("delete", "big")).toBe("deleted big\n");
  expect(await group("create", "own", "--org", "acme")).toBe("created own, for all\n");
  expect(await group("list", "--org", "acme")).toContain("own");
});

it("shows which jobs a runner has, with their runs", async () => {
  await connect("working");
  const { id } = await people.json(root, "runner", "view", "working");
  const run = await runInRows(people.server, root, {
    name: "busy",
    plan: planOf([planJob({ key: "ship" })]),
  });
  await run.begin("ship", ["deploy"]);
  await people.server.container.platform.db.query(
    "update job_attempts set runner_id = $2 where pipeline_id = $1",
    [run.id, id],
  );
  const view = await people.told(root, "runner", "view", "working");
  expect(view).toMatch(/^runs now\tship of root\/busy run 1, since 20/m);
  const token = await people.server.tokenFor(root, ["org:admin"]);
  const { json } = await people.server.api("GET", `/runners/${String(id)}`, { token });
  expect([json.running, json.jobs]).toEqual([1, []]);
});

it("lets go of a job whose runner will not come back, and of no other", async () => {
  const plan = planOf([planJob({ key: "ship" }), planJob({ key: "idle" })]);
  const run = await runInRows(people.server, root, { name: "silent", plan });
  await run.begin("ship", ["deploy"]);
  const lost = (...args: string[]) =>
    people.as(root, "pipeline", "declare-lost", ...args, "-R", "root/silent");
  expect(await lost("1", "ship")).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("The runner of the job answers") as string,
  });
  expect(await lost("1", "nothing")).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('the run has no job "nothing"') as string,
  });
  await people.server.container.platform.db.query(
    "update job_attempts set unreachable = true where pipeline_id = $1",
    [run.id],
  );
  expect(await lost("1", "ship")).toMatchObject({ code: 0, stdout: "ship was declared lost\n" });
  const jobs = await people.server.api("GET", "/repos/root/silent/pipelines/1/jobs", { token: root.token });
  expect(jobs.text).toContain("root declared the job lost");
  expect((await lost("1", "ship")).code).toBe(1);
});

it("lists for a repository what may take its jobs, and says what the caller may not see", async () => {
  const { server } = people;
  const grace = await server.person("grace");
  await people.told(grace, "org", "create", "apps-co");
  for (const name of ["app", "other"]) await people.told(grace, "repo", "create", name, "--owner", "apps-co");
  const group = async (name: string, repositories: string[]): Promise<string> => {
    const body = { name, access: "selected", repositories };
    return (await server.api("POST", "/runner-groups", { token: root.token, body })).json.id as string;
  };
  const register = async (name: string, place: string, { token }: TestPerson, body: object = {}) => {
    const made = await server.api("POST", `${place}/runners/registration-tokens`, { token, body });
    expect(made.status, made.text).toBe(201);
    await server.api("POST", "/runners/register", { body: { token: made.json.token, name } });
  };
  await register("of-app", "/repos/apps-co/app", grace);
  await register("of-other", "/repos/apps-co/other", grace);
  await register("of-org", "/orgs/apps-co", grace);
  await register("of-all", "", root);
  await register("for-app", "", root, { group: await group("for-one", ["apps-co/app"]) });
  await register("for-other", "", root, { group: await group("for-two", ["apps-co/other"]) });
  const listed = async (person: TestPerson) => {
    const { code, stdout, stderr } = await people.as(person, "runner", "list", "--for-repo", "apps-co/app");
    const names = stdout.split("\n").flatMap((line) => line.split("\t")[1] ?? []);
    return { code, stderr, names: names.filter((name) => /^(of|for)-/.test(name)).toSorted() };
  };
  expect(await listed(root)).toMatchObject({ code: 0, names: expect.arrayContaining(["for-app", "of-all"]) });
  expect((await listed(root)).names).not.toContain("for-other");
  expect(await listed(grace)).toEqual({
    code: 0,
    stderr: "not shown, because you may not see them: those of the instance\n",
    names: ["of-app", "of-org"],
  });
  expect((await listed(await server.person("eve"))).code).toBe(1);
});
