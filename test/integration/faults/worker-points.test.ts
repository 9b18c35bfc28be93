/**
 * Rows R7, R10 and R19 of reliability.md, small: the worker dies at one point of each of its works, while those that died before it
 * are made up for, and all come to their end once. At each of the other points: the files of these works, with `npm run hostile`.
 */
import { afterAll, beforeAll, expect, it } from "vitest";
import type { AuditExport } from "@forgeline/schemas/audit-exports/resource.ts";
import type { InstanceKeys, KeyRotation } from "@forgeline/schemas/keys/resource.ts";
import type { Mail } from "@forgeline/schemas/mails/resource.ts";
import type { CrashPoint } from "@forgeline/server/platform/crash-point.ts";
import { eventually } from "../../support/eventually.ts";
import { fillLongLog } from "../../support/instance-audit-export.ts";
import { streamInstance, type InstanceStream } from "../../support/instance-audit-stream.ts";
import { forkOnInstance } from "../../support/instance-fork.ts";
import { mirrorOnInstance } from "../../support/instance-mirror.ts";
import { pushMirrorOnInstance } from "../../support/instance-push-mirror.ts";
import { scheduleOnInstance } from "../../support/instance-schedule.ts";
import { hookInstance } from "../../support/instance-webhook.ts";
import { restoreWorker, sharedWorkerBed, type SharedWorkerBed } from "../../support/shared-worker-bed.ts";

/** Work of which the worker dies. */
interface Deadly {
  /** The worker comes to the point. */
  begin(): Promise<unknown>;
  /** Once it is dead, and no other runs. */
  whileDead?(): Promise<unknown>;
  /** Rejects unless all came right in the end. */
  expectWhole(): Promise<void>;
}

let bed: SharedWorkerBed;
const deadly = new Map<CrashPoint, Deadly>();
beforeAll(async () => {
  bed = await sharedWorkerBed();
  for (const [point, prepare] of points) deadly.set(point, await prepare());
  await bed.worker.kill();
}, 240_000);
afterAll(() => restoreWorker(bed));

async function auditExport(): Promise<Deadly> {
  const log = await fillLongLog(bed.instance, "long", 20_000);
  let asked: AuditExport;
  return {
    begin: async () => (asked = await log.begin()),
    expectWhole: () => log.expectWhole(asked),
  };
}

async function webhook(): Promise<Deadly> {
  const hook = await hookInstance(bed.instance, bed.receiver);
  const numbers = () => hook.received().map(({ json }) => Number(json["sequence"]));
  return {
    async begin() {
      for (const number of [1, 2, 3]) await hook.change(`${number}`);
    },
    async expectWhole() {
      await eventually(async () => new Set(numbers()).size === 3 && (await hook.waiting()) === 0, {
        timeoutMs: 90_000,
      });
      expect(new Set(numbers())).toEqual(new Set([1, 2, 3]));
      expect(new Set(hook.received().map(({ headers }) => headers["x-svc-delivery"])).size).toBe(3);
    },
  };
}

/** How often each value of each ref of a repository was told. */
async function told({ id }: { id: string }): Promise<number[]> {
  const { rows } = await bed.database.query<{ count: number }>(
    `select count(*)::int as count from events where repository_id = $1 and kind = 'push'
     group by subject ->> 'ref', subject ->> 'after'`,
    [id],
  );
  return rows.map(({ count }) => count);
}

async function mirror(): Promise<Deadly> {
  const made = await mirrorOnInstance(bed.instance, bed.source);
  return {
    async begin() {
      await made.source.commit("main", { "a.txt": "b" });
      await made.source.commit("topic", { "t.txt": "t" });
      await made.requestSync();
    },
    async expectWhole() {
      await made.caughtUp();
      expect(await made.problems()).toEqual([]);
      expect(await told(made)).toEqual([1, 1, 1]);
      const [last] = await made.history();
      expect(last).toMatchObject({ status: "succeeded" });
    },
  };
}

async function pushMirror(): Promise<Deadly> {
  const made = await pushMirrorOnInstance(bed.instance, bed.source);
  await made.createBranch("topic");
  await made.caughtUp();
  return {
    begin: () => made.commit("topic"),
    async whileDead() {
      await made.reset("topic", "main");
      await made.commit("main");
    },
    async expectWhole() {
      await made.caughtUp();
      expect(await made.problems()).toEqual([]);
      expect((await made.history()).filter(({ status }) => status === "failed")).toEqual([]);
    },
  };
}

async function schedule(): Promise<Deadly> {
  const [made, late] = [await scheduleOnInstance(bed.instance), await scheduleOnInstance(bed.instance)];
  return {
    begin: () => made.makeDue(),
    async whileDead() {
      expect(await made.history()).toEqual([]);
      expect(await made.runs()).toEqual([]);
      await late.makeDue();
    },
    async expectWhole() {
      for (const each of [made, late]) {
        const came = await each.came(1);
        expect(came).toMatchObject([{ cause: "schedule", status: "started", missed: 0 }]);
        expect((await each.runs()).map(({ id }) => id)).toEqual([came[0]?.pipeline?.id]);
      }
    },
  };
}

async function auditStream(): Promise<Deadly> {
  let stream: InstanceStream;
  let sent = 0;
  return {
    begin: async () => (stream = await streamInstance(bed.instance, bed.receiver)),
    async whileDead() {
      sent = stream.received().length;
      expect(sent).toBeGreaterThan(0);
    },
    async expectWhole() {
      await stream.expectWhole();
      expect(stream.received().length).toBeGreaterThan(sent);
    },
  };
}

async function fork(): Promise<Deadly> {
  const made = await forkOnInstance(bed.instance);
  await made.commitThere();
  await made.commitThere("topic");
  await made.commitHere();
  return {
    begin: () => made.requestSync(),
    async expectWhole() {
      await made.caughtUp();
      expect(await made.problems()).toEqual([]);
      expect(new Set(await told(made))).toEqual(new Set([1]));
      const [last, ...before] = await made.history();
      expect([last?.status, before]).toEqual(["merged", []]);
      expect(last?.branches.map(({ name, behind }) => [name, behind])).toEqual([
        ["main", 1],
        ["topic", 1],
      ]);
      expect((await made.standing()).ahead).toBe(2);
    },
  };
}

async function keyRotation(): Promise<Deadly> {
  const { instance, database } = bed;
  const secretMails = 3;
  for (let n = 0; n < secretMails; n += 1)
    await instance.api("POST", "/users", {
      username: `user${n}`,
      password: "a long enough password",
      email: `user${n}@example.com`,
    });
  const mails = async () =>
    (await instance.api<Mail[]>("GET", "/admin/mails"))
      .filter(({ to }) => /^user\d@/.test(to))
      .map(({ to, text }) => [to, text]);
  await eventually(async () => (await mails()).length === secretMails, { timeoutMs: 60_000 });
  const before = await mails();
  const { keys: earlier } = await instance.api<InstanceKeys>("GET", "/admin/keys");
  const { rows } = await database.query<{ hooks: number }>("select count(*)::int as hooks from webhooks");
  const encrypted = { mails: secretMails, webhooks: rows[0]?.hooks };
  let rotation: KeyRotation;
  return {
    begin: async () => (rotation = await instance.api<KeyRotation>("POST", "/admin/key-rotations")),
    whileDead: async () => expect(await mails()).toEqual(before),
    async expectWhole() {
      const done = await eventually(
        async () => {
          const now = await instance.api<KeyRotation>("GET", `/admin/key-rotations/${rotation.id}`);
          return now.state === "done" && now;
        },
        { timeoutMs: 60_000 },
      );
      const { keys } = await instance.api<InstanceKeys>("GET", "/admin/keys");
      expect(keys).toHaveLength(earlier.length + 1);
      expect(keys[0]).toMatchObject({ id: done.key_id, state: "current", encrypted });
      for (const { encrypted: left } of keys.slice(1))
        expect(Object.values(left).every((count) => count === 0)).toBe(true);
      expect(done).toMatchObject({ encrypted, unreadable: 0 });
      expect(await mails()).toEqual(before);
    },
  };
}

/** In the order in which the worker dies: what is made up for meanwhile does not come to the next point. */
const points: readonly [CrashPoint, () => Promise<Deadly>][] = [
  ["export.part-before-noted", auditExport],
  ["webhook.sent-before-recorded", webhook],
  ["mirror.refs-moved-before-record", mirror],
  ["push_mirror.sent-before-recorded", pushMirror],
  ["schedule.run-before-committed", schedule],
  ["stream.sent-before-noted", auditStream],
  ["fork.moved-before-finished", fork],
  ["key.batch-encrypted-before-next", keyRotation],
];

it.each(points)("a worker dies at %s", { timeout: 150_000 }, async (point) => {
  const { worker } = bed;
  if (worker.isRunning()) await worker.kill();
  worker.start({ FORGELINE_CRASH_AT: point });
  const work = deadly.get(point);
  await work?.begin();
  await eventually(() => !worker.isRunning(), { timeoutMs: 120_000 });
  expect(await worker.exited(), "void: it did not die at the point").toBeNull();
  await work?.whileDead?.();
});

it.each(points)("what was cut off at %s comes to its end, once", { timeout: 180_000 }, async (point) => {
  restoreWorker(bed);
  await deadly.get(point)?.expectWhole();
});
