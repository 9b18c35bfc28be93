/**
 * The filter where somebody else decides of networks: a runner whose own network is not the daemon's, as in a container, and a daemon
 * that changes no packet filter. And where it is written but holds nobody back: then the runner says so.
 */
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import Dockerode from "dockerode";
import { afterAll, beforeAll, expect, test } from "vitest";
import { namesFor } from "@forgeline/runner/egress/policy.ts";
import { openEgress, type EgressSettings } from "@forgeline/runner/egress/settings.ts";
import { ensureBaseImage } from "@forgeline/launcher/base-image.ts";
import { engineBed, never, runToEnd, step } from "../integration/runner/docker-job.ts";
import { startOwnDocker, type OwnDocker } from "../support/own-docker.ts";
import { docker, endRunner, isRoot, runHostile } from "./support/hostile-bed.ts";
import { listenHere } from "./support/strange-networks.ts";

const run = promisify(execFile);
const filtered: EgressSettings = { ...openEgress, mode: "filter" };
let here: Awaited<ReturnType<typeof listenHere>>;
beforeAll(async () => {
  here = await listenHere();
  await ensureBaseImage(docker);
});
afterAll(async () => {
  here.close();
  await endRunner("in a network of its own");
});

/** Asks the machine, where the job's own wire ends. */
const askMachine = () =>
  `gateway=$(ip route | sed -n 's/^default via \\([^ ]*\\).*/\\1/p'); nc -w 3 $gateway ${String(here.port)} </dev/null 2>/dev/null; true`;

test.runIf(isRoot).each([
  ["without the filter a job of it reaches the machine", null, "reached\n"],
  ["with it not", filtered, ""],
])("a runner in a network of its own: %s", async (_what, egress, output) => {
  const image = { name: "forgeline/base:1", user: null };
  const report = await runHostile("in a network of its own", { image, egress, steps: [askMachine()] });
  expect(report.steps[0]?.output).toBe(output);
  expect(report.egress?.state).toBe(egress === null ? undefined : "filtered");
});

/** Says its address, and answers there. */
const answer = `ip addr show eth0 | sed -n 's/.*inet \\([^/]*\\).*/\\1/p'
nc -ll -p 8080 -e echo reached >/dev/null 2>&1 &
until nc 127.0.0.1 8080 </dev/null 2>/dev/null | grep -q reached; do sleep 0.1; done`;

/** What a job reaches of the machine, and of another job of its runner. */
async function reachedIn(own: OwnDocker, egress: EgressSettings): Promise<string[]> {
  const bed = await engineBed({ docker: own.docker, egress });
  // What the machine's own daemon set up would keep them apart.
  const forward = ["FORWARD", "-i", `${namesFor(bed.runnerId).bridgePrefix}+`, "-j", "ACCEPT"];
  await run("iptables", ["-w", "-I", ...forward]);
  const jobs = await Promise.all([bed.prepare(), bed.prepare()]);
  try {
    await Promise.all(jobs.map((job) => job.ready(never)));
    const [one, other] = jobs;
    const { output } = await runToEnd(other, step(0, answer));
    const askOther = `nc -w 3 ${output.trim()} 8080 </dev/null 2>/dev/null; true`;
    const said = [await runToEnd(one, step(0, askMachine())), await runToEnd(one, step(1, askOther))];
    return said.map((each) => each.output.trim());
  } finally {
    await run("iptables", ["-w", "-D", ...forward]);
    await Promise.all(jobs.map((job) => job.destroy()));
    await bed.close();
  }
}

test.runIf(isRoot)(
  "a daemon without iptables keeps nobody apart, and the filter does all the same",
  async () => {
    const own = await startOwnDocker();
    try {
      await ensureBaseImage(own.docker);
      const both = [openEgress, filtered].map((egress) => reachedIn(own, egress));
      expect(await Promise.all(both)).toEqual([
        ["reached", "reached"],
        ["", ""],
      ]);
    } finally {
      await own.close();
    }
  },
);

/** Names bridges as it likes, and says nothing of them. */
function dockerWithOwnNames(): Dockerode {
  const other = new Dockerode();
  const create = other.createNetwork.bind(other);
  other.createNetwork = ((options: Dockerode.NetworkCreateOptions) =>
    create({ ...options, Options: {} })) as typeof other.createNetwork;
  const get = other.getNetwork.bind(other);
  other.getNetwork = (name) => get(name === "bridge" ? "host" : name);
  return other;
}

test("a filter that a job's packets do not meet counts as none", async () => {
  const bed = await engineBed({ docker: dockerWithOwnNames(), egress: filtered });
  const strict = bed.another({ egress: { ...filtered, mode: "required" } });
  try {
    const told = await bed.engine.filterEgress();
    expect(told).toMatchObject({
      state: "unfiltered",
      reason: expect.stringContaining("does not hold jobs back"),
    });
    await expect(strict.filterEgress()).rejects.toThrow("does not hold jobs back");
  } finally {
    await strict.close();
    await bed.close();
  }
});
