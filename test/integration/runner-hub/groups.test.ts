/** Groups of runners: whose jobs their runners get, as the claim statement decides it, and what those that wait are told. */
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { claimNext } from "@forgeline/server/domains/pipelines/leases/claims.ts";
import { matchLabels } from "@forgeline/server/domains/pipelines/runners/labels.ts";
import { queueReasons } from "@forgeline/server/domains/pipelines/runs/queue-reasons.ts";
import { readRun } from "@forgeline/server/domains/pipelines/runs/runs.store.ts";
import { newId } from "@forgeline/server/platform/ids.ts";
import { seededRandom } from "../../support/seeded-random.ts";
import { isFull } from "../../support/size.ts";
import { hubFixture, type HubFixture } from "./fixture.ts";

let hub: HubFixture;
beforeAll(async () => {
  hub = await hubFixture();
});
afterAll(() => hub.close());
afterEach(async () => {
  await hub.db.query("delete from job_attempts");
  await hub.db.query("update runners set instance_id = null");
});

interface GroupOptions {
  organizationId?: string | null;
  access?: "all" | "selected";
  owners?: readonly string[];
  repositories?: readonly string[];
}

/** Named by its id. */
async function group(options: GroupOptions = {}): Promise<string> {
  const { organizationId = null, access = "selected", owners = [], repositories = [] } = options;
  const id = newId("rgrp");
  await hub.db.query(
    "insert into runner_groups (id, organization_id, name, access) values ($1, $2, $1, $3)",
    [id, organizationId, access],
  );
  for (const owner of owners) await allow(id, { owner });
  for (const repository of repositories) await allow(id, { repository });
  return id;
}

async function allow(groupId: string, { owner = null, repository = null }: Record<string, string | null>) {
  const values = [groupId, owner, repository];
  await hub.db.query("insert into runner_group_access values ($1, $2, $3)", values);
}

interface Place {
  groupId?: string | null;
  organizationId?: string | null;
}

async function claimant({ groupId = null, organizationId = null }: Place, labels = ["docker"]) {
  const { id } = await hub.runner();
  await hub.db.query(
    `update runners set match_labels = $2, group_id = $3, organization_id = $4, capacity = 1000, instance_id = 'one'
     where id = $1`,
    [id, matchLabels(labels), groupId, organizationId],
  );
  return { runnerId: id, instanceId: "one", deadlineMs: 10_000 };
}

async function claimAll(runner: Awaited<ReturnType<typeof claimant>>): Promise<string[]> {
  const claimed: string[] = [];
  for (let offer = await claimNext(hub.db, runner); offer; offer = await claimNext(hub.db, runner))
    claimed.push(offer.attemptId);
  return claimed.sort();
}

test("a runner gets jobs of all that it serves and its group allows, and of nothing else", async () => {
  const random = seededRandom(20261128);
  const { organizations, repositories } = await hub.scopes();
  const queued: { id: string; repositoryId: string }[] = [];
  for (const { id: repositoryId } of repositories)
    for (const labels of [["docker"], ["docker", "os=linux"], ["!gpu"]]) {
      const { attemptId } = await hub.queue({ repositoryId, labels });
      queued.push({ id: attemptId, repositoryId });
    }
  const some = <T>(from: readonly T[]) => from.filter(() => random() < 0.4);
  for (let round = 0; round < (isFull ? 60 : 20); round++) {
    const organizationId = [null, ...organizations][Math.floor(random() * 3)] ?? null;
    const served = repositories.filter(({ ownerId }) => !organizationId || ownerId === organizationId);
    const access = random() < 0.2 ? "all" : "selected";
    const owners = organizationId || random() < 0.5 ? [] : some(organizations);
    const named = some(served).map(({ id }) => id);
    const groupId = await group({ organizationId, access, owners, repositories: named });
    const allowed = served.filter(
      ({ id, ownerId }) => access === "all" || owners.includes(ownerId) || named.includes(id),
    );
    const ids = new Set(allowed.map(({ id }) => id));
    const expected = queued.filter(({ repositoryId }) => ids.has(repositoryId)).map(({ id }) => id);
    const claimed = await claimAll(await claimant({ groupId, organizationId }, ["docker", "os=linux"]));
    expect({ round, claimed }).toEqual({ round, claimed: expected.sort() });
    await hub.db.query("update job_attempts set state = 'queued', runner_id = null");
  }
});

test("access that is given, taken away or lost by a move counts from the next claim on", async () => {
  const repositoryId = await hub.repository();
  const [first, second] = [await hub.queue({ repositoryId }), await hub.queue({ repositoryId })];
  const groupId = await group();
  const runner = await claimant({ groupId });
  expect(await claimNext(hub.db, runner)).toBeUndefined();
  await allow(groupId, { repository: repositoryId });
  expect((await claimNext(hub.db, runner))?.attemptId).toBe(first.attemptId);
  await hub.db.query("delete from runner_group_access where group_id = $1", [groupId]);
  expect(await claimNext(hub.db, runner)).toBeUndefined();
  // What it was offered stays its own.
  expect(await hub.attempt(first.attemptId)).toMatchObject({ state: "offered", runner_id: runner.runnerId });
  await hub.db.query("update runners set group_id = null where id = $1", [runner.runnerId]);
  expect((await claimNext(hub.db, runner))?.attemptId).toBe(second.attemptId);
});

test("runners of a group answer to its name as a label, and jobs can rule it out", async () => {
  const groupId = await group({ access: "all" });
  const named = await hub.queue({ labels: ["docker", `group=${groupId}`] });
  const any = await hub.queue({ labels: ["group=*"] });
  const other = await hub.queue({ labels: [`!group=${groupId}`] });
  expect(await claimAll(await claimant({ groupId }))).toEqual([named.attemptId, any.attemptId].sort());
  expect(await claimAll(await claimant({}))).toEqual([other.attemptId]);
});

test("a job that only runners of closed groups could take says so, and not which", async () => {
  const { attemptId, pipelineId, repositoryId } = await hub.queue({ labels: ["docker"] });
  const why = async () =>
    queueReasons((await readRun(hub.db, pipelineId))?.queue ?? []).get(attemptId)?.message;
  const groupId = await group();
  const { runnerId } = await claimant({ groupId });
  expect(await why()).toBe(
    "Runners that fit are connected, but they are in groups that this repository may not use. Ask whoever looks after the runners.",
  );
  await hub.db.query("update runners set match_labels = '{else}' where id = $1", [runnerId]);
  expect(await why()).toBe("No runner that can take this job is connected.");
  await allow(groupId, { repository: repositoryId });
  expect(await why()).toMatch(/^No runner has all the labels; the nearest, .*, lacks docker\.$/);
});
