/** Groups of runners: who makes them, whom they can be kept for, which jobs their runners are offered, and what ends an entry. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { maxRunnerGroups, type RunnerGroup } from "@forgeline/schemas/runner-groups/resource.ts";
import { startApiServer, type ApiServer, type TestPerson } from "../../../support/api-server.ts";
import { ProtocolRunner } from "../../../support/protocol-runner.ts";
import { withTexts } from "../../../support/text-database.ts";
import { insertAttempt } from "../../runner-hub/queued-attempt.ts";

let server: ApiServer;
let root: TestPerson;
let olga: TestPerson;
let max: TestPerson;
let eve: TestPerson;
const ids: Record<string, string> = {};
const runners: ProtocolRunner[] = [];

const send = (person: TestPerson, method: string, path: string, body?: object) =>
  server.api(method, path, { token: person.token, ...(body && { body }) });

beforeAll(async () => {
  server = await startApiServer();
  [olga, max, eve] = [await server.person("olga"), await server.person("max"), await server.person("eve")];
  root = await server.person("root", { isAdmin: true });
  for (const org of ["acme", "other"]) await send(olga, "POST", "/orgs", { name: org });
  await send(root, "PUT", "/orgs/acme/members/max", { role: "member" });
  for (const [owner, name] of [
    ["acme", "app"],
    ["acme", "site"],
    ["other", "app"],
  ])
    ids[`${owner}/${name}`] = (await send(olga, "POST", "/repos", { owner, name })).json.id;
});
afterAll(async () => {
  for (const runner of runners) runner.vanish();
  await server.stop();
});

const read = async (id: string) => (await send(root, "GET", `/runner-groups/${id}`)).json as RunnerGroup;

/** Connected, with what it was offered last. */
async function connect(
  place: string,
  labels: string[],
  { group, capacity = 9 }: { group?: string; capacity?: number },
) {
  const made = await send(root, "POST", `${place}/registration-tokens`, group === undefined ? {} : { group });
  expect([made.status, made.json.group]).toEqual([201, group ?? null]);
  const body = { token: made.json.token, name: "r", labels };
  const { json } = await server.api("POST", "/runners/register", { body });
  const { credential, connect_url: url } = json as { credential: string; connect_url: string };
  const runner = new ProtocolRunner({ url, ca: server.ca, credential, labels, capacity });
  runners.push(runner);
  await runner.hello();
  return { id: json.id as string, runner };
}

let number = 0;
async function queue(repository: string, labels: string[]): Promise<string> {
  number += 1;
  const { db } = server.container.platform;
  const repositoryId = ids[repository] ?? "";
  const given = { repositoryId, userId: olga.id, number, labels, job: {} };
  const { attemptId } = await insertAttempt(withTexts(db), given);
  await db.transaction((tx) => tx.notify("queue", repositoryId));
  return attemptId;
}

test("administrators make groups of the instance, owners those of their organization; others see neither", async () => {
  const body = {
    name: "gpu",
    description: "For training",
    access: "selected",
    owners: ["ACME"],
    repositories: ["other/app"],
  };
  const made = await send(root, "POST", "/runner-groups", body);
  expect([made.status, made.headers["location"]]).toEqual([201, made.json.url]);
  expect(made.json).toMatchObject({ ...body, owners: ["acme"], organization: null, runners: 0 });
  const own = await send(olga, "POST", "/orgs/acme/runner-groups", { name: "gpu" });
  expect(own.json).toMatchObject({ organization: "acme", access: "all", owners: [], repositories: [] });
  expect((await send(root, "GET", "/runner-groups")).json).toEqual([made.json]);
  expect((await send(olga, "GET", "/orgs/acme/runner-groups")).json).toEqual([own.json]);
  for (const [person, instance, organization] of [
    [olga, 404, 200],
    [max, 404, 403],
    [eve, 404, 404],
  ] as const) {
    expect((await send(person, "GET", `/runner-groups/${made.json.id}`)).status).toBe(instance);
    expect((await send(person, "GET", `/runner-groups/${own.json.id}`)).status).toBe(organization);
    expect((await send(person, "POST", "/runner-groups", { name: "x" })).status).toBe(403);
  }
  expect((await send(max, "DELETE", `/runner-groups/${own.json.id}`)).status).toBe(403);
  const taken = await send(root, "POST", "/runner-groups", { name: "GPU" });
  expect([taken.status, taken.json.message]).toEqual([
    409,
    "There is already a group of runners with the name GPU.",
  ]);
  const renamed = await send(olga, "PATCH", `/runner-groups/${own.json.id}`, {
    name: "Gpu",
    description: "Ours",
  });
  expect(renamed.json).toMatchObject({ name: "Gpu", description: "Ours" });
  for (const { id } of [made.json, own.json])
    expect((await send(root, "DELETE", `/runner-groups/${id}`)).status).toBe(204);
  const log = await send(olga, "GET", "/orgs/acme/audit-log?action=runner_group.*");
  expect(log.json.map((entry: { action: string }) => entry.action)).toEqual([
    "runner_group.delete",
    "runner_group.update",
    "runner_group.create",
  ]);
});

test("names that nobody has, lists beside `all`, and owners in a group of an organization are refused by name", async () => {
  const { id } = (await send(olga, "POST", "/orgs/acme/runner-groups", { name: "strict" })).json;
  const put = (body: object) => send(olga, "PUT", `/runner-groups/${id}/access`, body);
  for (const [body, field, message] of [
    [{ access: "all", repositories: ["acme/app"] }, "access", "name nobody, or choose `selected`"],
    [{ access: "selected", owners: ["acme"] }, "owners", "only serve its own repositories"],
    [
      { access: "selected", repositories: ["other/app"] },
      "repositories",
      "no repository here with the name other/app",
    ],
    [{ access: "selected", repositories: ["app"] }, "repositories", "no repository here with the name app"],
  ] as const) {
    const { status, json } = await put(body);
    expect([status, json.errors?.[0]?.field]).toEqual([422, field]);
    expect(json.errors[0].message).toContain(message);
  }
  const unknown = await send(root, "POST", "/runner-groups", {
    name: "x",
    access: "selected",
    owners: ["nobody-here"],
  });
  expect(unknown.json.errors[0]).toMatchObject({ field: "owners", code: "unknown" });
  expect(
    (await put({ access: "selected", repositories: ["acme/APP", "acme/app"] })).json.repositories,
  ).toEqual(["acme/app"]);
  expect((await send(root, "POST", "/runner-groups", { name: "a b" })).json.errors[0].field).toBe("name");
});

test("runners of a group are offered jobs of those it is for, from registration on and after a move", async () => {
  const only = { access: "selected", repositories: ["acme/app"] };
  const { id: group } = (await send(root, "POST", "/runner-groups", { name: "closed", ...only })).json;
  const closed = await connect("/runners", ["docker"], { group });
  // With fewer slots, so the one of the group is asked first.
  const open = await connect("/runners", ["docker"], { capacity: 1 });
  expect(await read(group)).toMatchObject({ runners: 1 });
  const theirs = await queue("other/app", ["docker"]);
  expect((await open.runner.take("offer")).attemptId).toBe(theirs);
  const ours = await queue("acme/app", ["docker", "group=closed"]);
  expect((await closed.runner.take("offer")).attemptId).toBe(ours);
  const waits = await queue("acme/site", ["group=closed"]);
  const demand = await send(root, "GET", "/runners/demand");
  const idle = demand.json.label_sets.find(
    ({ labels }: { labels: string[] }) => labels.join() === "group=closed",
  );
  expect(idle).toMatchObject({ queued: 1, idle: 0 });
  const ofGroup = await send(root, "GET", `/runners/demand?group=${group}`);
  expect(ofGroup.json.label_sets).toMatchObject([
    { labels: ["docker", "group=closed"], queued: 0, running: 1 },
  ]);
  expect(await send(olga, "GET", `/orgs/acme/runners/demand?group=${group}`)).toMatchObject({
    status: 404,
    json: { message: "This organization has no such group of runners." },
  });
  const refused = await send(root, "DELETE", `/runner-groups/${group}`);
  expect([refused.status, refused.json.message]).toEqual([
    409,
    expect.stringContaining("The group has runners."),
  ]);
  await send(root, "PUT", `/runner-groups/${group}/access`, { access: "selected", owners: ["acme"] });
  expect((await closed.runner.take("offer")).attemptId).toBe(waits);
  // With the name, the label of its runners changes.
  await send(root, "PATCH", `/runner-groups/${group}`, { name: "reserved" });
  const renamed = await queue("acme/site", ["group=reserved"]);
  expect((await closed.runner.take("offer")).attemptId).toBe(renamed);
  const later = await queue("other/app", ["docker", "os=any"]);
  const moved = await send(root, "PATCH", `/runners/${closed.id}`, {
    group: null,
    labels: ["docker", "os=any"],
  });
  expect(moved.json.group).toBeNull();
  expect((await closed.runner.take("offer")).attemptId).toBe(later);
  expect((await send(root, "DELETE", `/runner-groups/${group}`)).status).toBe(204);
});

test("a group is for runners of its own owner", async () => {
  const { id: group } = (await send(olga, "POST", "/orgs/acme/runner-groups", { name: "ours" })).json;
  const { id } = await connect("/orgs/acme/runners", ["x"], { group });
  expect((await send(olga, "GET", `/runners/${id}`)).json.group).toEqual({ id: group, name: "ours" });
  const foreign = await connect("/runners", ["x"], {});
  const answer = await send(root, "PATCH", `/runners/${foreign.id}`, { group });
  expect([answer.status, answer.json.errors[0]]).toEqual([
    422,
    { field: "group", code: "unknown", message: "The instance has no such group of runners." },
  ]);
  const single = await send(olga, "POST", "/repos/acme/app/runners/registration-tokens", { group });
  expect(single.json.errors[0]).toMatchObject({ field: "group", code: "not_allowed" });
});

test("a token for a group that is gone registers nothing", async () => {
  const { id: group } = (await send(root, "POST", "/runner-groups", { name: "gone" })).json;
  const { token } = (await send(root, "POST", "/runners/registration-tokens", { group })).json;
  await send(root, "DELETE", `/runner-groups/${group}`);
  const answer = await server.api("POST", "/runners/register", { body: { token, name: "late" } });
  expect(answer.status).toBe(401);
});

test("a repository that gets another owner is in no list any more; a deleted one is not shown", async () => {
  const names = ["acme/app", "acme/site", "other/app"];
  const body = { name: "listed", access: "selected", repositories: names };
  const { id, repositories } = (await send(root, "POST", "/runner-groups", body)).json;
  expect(repositories).toEqual(names);
  expect((await send(olga, "POST", "/repos/acme/site/transfer", { new_owner: "other" })).status).toBeLessThan(
    300,
  );
  expect((await read(id)).repositories).toEqual(["acme/app", "other/app"]);
  await send(olga, "DELETE", "/repos/other/app");
  expect((await read(id)).repositories).toEqual(["acme/app"]);
});

test("an owner has a hundred groups at most", async () => {
  const { db } = server.container.platform;
  await db.query(
    "insert into runner_groups (id, organization_id, name) select 'rgrp_' || n, o.id, 'n' || n from owners o, generate_series(1, $1::int) n where o.name = 'other'",
    [maxRunnerGroups],
  );
  const answer = await send(olga, "POST", "/orgs/other/runner-groups", { name: "more" });
  expect([answer.status, answer.json.message]).toEqual([409, expect.stringContaining("at most 100 groups")]);
});
