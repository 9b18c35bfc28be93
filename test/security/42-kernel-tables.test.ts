/** Row 42: a job cannot fill the tables that the kernel keeps for all containers of one user. */
import { access, readFile } from "node:fs/promises";
import { totalmem } from "node:os";
import { afterAll, beforeAll, expect, test } from "vitest";
import { kernelTables } from "@forgeline/runner/kernel-tables.ts";
import {
  docker,
  engineBed,
  never,
  runToEnd,
  step,
  type EngineBed,
} from "../integration/runner/docker-job.ts";
import { sharedInstance, type SharedInstance } from "../support/shared-instance.ts";
import { importTestImage } from "../support/test-image.ts";

/** Of nobody else: what a job fills is full for all processes of its user, on the machine too. */
const image = { name: "forgeline-test/watching:1", user: "54321" };
let instance: SharedInstance;
let bed: EngineBed;
beforeAll(async () => {
  await importTestImage(docker, {
    name: image.name,
    programs: [{ path: "/usr/bin/tail", as: ["follow"] }],
  });
  instance = await sharedInstance();
  bed = await engineBed();
});
afterAll(() => bed.close());

const instances = "/proc/sys/fs/inotify/max_user_instances";
const canRaise = await access(instances, 2).then(
  () => true,
  () => false,
);

test("a runner has raised what was too small, or has said what to set", async () => {
  const log = await readFile(instance.runners[0]?.program.logFile ?? "", "utf8");
  const small: string[] = [];
  for (const { name, least } of kernelTables(totalmem())) {
    const text = await readFile(`/proc/sys/${name.replaceAll(".", "/")}`, "utf8").catch(() => "");
    if (text !== "" && Number(text) < least) small.push(name);
  }
  expect(small.filter((name) => canRaise || !log.includes(`"${name} = `))).toEqual([]);
});

test.runIf(canRaise)("a job that opens many of them leaves others of its user what they need", async () => {
  const [greedy, other] = await Promise.all([0, 1].map(() => bed.prepare({ image, services: [] })));
  if (greedy === undefined || other === undefined) throw new Error("no job");
  await Promise.all([greedy.ready(never), other.ready(never)]);
  // Each has one instance of inotify; a kernel has 128 by default. Without one `tail` goes on, and says so; by its name it would be busybox's.
  const open = `: >/dev/shm/f; for i in $(seq 180); do follow -f /dev/shm/f 2>>/dev/shm/said & done
    until [ "$(ls -l /proc/[0-9]*/fd 2>/dev/null | grep -c inotify)" -ge 180 ] || [ -s /dev/shm/said ]; do sleep 0.1; done
    cat /dev/shm/said`;
  expect((await runToEnd(greedy, step(0, open))).output).toBe("");
  const watch = ": >/dev/shm/f; sleep 0.1 & follow -f --pid=$! /dev/shm/f 2>&1; id -u";
  expect((await runToEnd(other, step(0, watch))).output).toBe("54321\n");
  await Promise.all([greedy.destroy(), other.destroy()]);
});
