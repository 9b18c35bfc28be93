/**
 * What a job reaches: the Internet, its own services, the server and what the operator opened; nothing else, by IPv4, IPv6 or a
 * name; and only by addresses of its own. Every target is in a network namespace that the test makes; without the filter each of them
 * answers.
 */
import { afterAll, beforeAll, expect, test } from "vitest";
import { openEgress, type EgressSettings } from "@forgeline/runner/egress/settings.ts";
import type { JobEnvironment } from "@forgeline/runner/engine/engine.ts";
import { type EngineBed, engineBed, never, runToEnd, step } from "../integration/runner/docker-job.ts";
import { dockerOfBothFamilies } from "./support/both-families.ts";
import { askFrom, listen, whatWasHeard } from "./support/forged-source.ts";
import { docker, isRoot, onEachRunner, runHostile, type KindOfRunner } from "./support/hostile-bed.ts";
import {
  askNames,
  asLine,
  openStrangeNetworks,
  tryAll,
  untilThere,
  type StrangeNetworks,
} from "./support/strange-networks.ts";
import { isFull } from "../support/size.ts";
import { importTestImage } from "../support/test-image.ts";

const image = "forgeline-test/egress:1";
const port = 7176;
const ipv6Of = (kind: KindOfRunner): string =>
  `fd76:76:${(process.pid % 65_536).toString(16)}:${String(kind.length)}::/64`;
const hidden = {
  v4: "10.1.2.3 10.200.0.9 172.16.9.9 172.31.250.3 192.168.1.1 192.168.77.5 169.254.169.254 169.254.170.2 100.64.0.10 100.100.100.200 168.63.129.16 192.0.0.192 198.18.0.7 198.51.100.7 203.0.113.7 192.88.99.1 192.31.196.7 192.52.193.7 192.175.48.7 240.0.0.7".split(
    " ",
  ),
  v6: "fd00:ec2::254 fd12:3456::1 fc00::7 fec0::7 2001:db8::7 2002:7f00:1::7 64:ff9b::7f00:1 64:ff9b::a9fe:a9fe 100::7 2001::7 2001:10::7 3fff::7 5f00::7 2620:4f:8000::7".split(
    " ",
  ),
};
/** Addresses that count as public, and lead into the namespace all the same. */
const internet = ["25.176.76.7", "2a0e:7600:76::7"];
/** Answers whoever asks it, as an accomplice on the Internet could. */
const accomplice = "2a0e:7600:76::53";
const opened = "10.1.2.3";
/** A name is the same to the filter as what it stands for: a few of each family tell. */
const names = [...hidden.v4, ...hidden.v6]
  .map((address, index) => `hidden-${String(index)}.example:${address}`)
  .filter((_, index) => isFull || [0, 1, 6, 20, 21].includes(index));
const targets = [...hidden.v4, ...hidden.v6, ...names.map((entry) => entry.slice(0, entry.indexOf(":")))].map(
  (host) => ({ host, port }),
);
const nameServers = ["10.200.0.9", "fd00:ec2::254"];
const filtered: EgressSettings = { ...openEgress, mode: "filter" };

let networks: StrangeNetworks;
beforeAll(async () => {
  if (!isRoot) return;
  const addresses = [...hidden.v4, ...hidden.v6, ...internet, accomplice];
  networks = await openStrangeNetworks(addresses, port, [...nameServers, accomplice]);
  await importTestImage(docker, { name: image, programs: [{ path: "/usr/bin/perl", as: ["perl"] }] });
});
afterAll(async () => {
  if (!isRoot) return;
  await networks.close();
  await docker.getImage(image).remove({ force: true });
});

/** Both at once, since each waits for what does not answer. */
function tryAllAndNames(hosts: readonly { host: string; port: number }[]): string {
  return `(\n${tryAll(hosts)}\n) &\n(\n${askNames(nameServers)}\n) &\nwait`;
}

/** Lines that the script printed in a job, in order. */
async function reachedBy(
  kind: KindOfRunner,
  hosts: readonly { host: string; port: number }[],
  more: Partial<Parameters<typeof runHostile>[1]> = {},
): Promise<string[]> {
  const { steps } = await runHostile(kind, {
    image: { name: image, user: null },
    steps: [tryAllAndNames(hosts)],
    extraHosts: names,
    ipv6: ipv6Of(kind),
    // So that what fails is removed before the test is over.
    stepTimeoutMs: 25_000,
    egress: filtered,
    ...more,
  });
  return (steps[0]?.output ?? "")
    .split("\n")
    .filter((line) => line !== "")
    .toSorted();
}

const lines = (hosts: readonly { host: string; port: number }[]): string[] => hosts.map(asLine).toSorted();
const publicTargets = internet.map((host) => ({ host, port }));

// Only root can make the networks that are tried.
onEachRunner((kind) => {
  // In the group it is the same daemon as for root.
  test.skipIf(kind === "docker group")(
    "without the filter a job reaches every hidden address, also by its name",
    async () => {
      const all = [...targets, ...publicTargets];
      const servers = nameServers.map((server) => `names ${server}`);
      expect(await reachedBy(kind, all, { egress: null })).toEqual([...lines(all), ...servers].toSorted());
    },
  );

  test("a job reaches the Internet, its own services, what the operator opened, and nothing else", async () => {
    const own = { host: "web", port: 8080 };
    const service = ["sh", "-c", `nc -ll -p ${String(own.port)} -e echo reached`];
    const allow = [`${opened}:${String(port)}`, "fd12:3456::/32"];
    const open = [opened, "fd12:3456::1", "hidden-0.example", "hidden-21.example"].map((host) => ({
      host,
      port,
    }));
    expect(
      await reachedBy(kind, [...targets, ...publicTargets, own], {
        service,
        steps: [`${untilThere(own)}\n${tryAllAndNames([...targets, ...publicTargets, own])}`],
        egress: { ...filtered, allow },
      }),
    ).toEqual(lines([...open, ...publicTargets, own]));
  });
}, isRoot);

async function openJob(bed: EngineBed): Promise<{ environment: JobEnvironment; address: string }> {
  const environment = await bed.prepare({ image: { name: image, user: null } });
  await environment.ready(never);
  const network = await docker.getNetwork(environment.handle.networkId ?? "").inspect();
  const [container] = Object.values(network.Containers ?? {}) as { IPv6Address: string }[];
  return { environment, address: container?.IPv6Address.split("/")[0] ?? "" };
}

/**
 * What two jobs print: one that asks the accomplice in its own name, in the other's, and again in its own, when all answers before have
 * been sent; and what the other got of them.
 */
async function forge(egress: EgressSettings): Promise<{ forger: string; victim: string }> {
  const bed = await engineBed({ docker: dockerOfBothFamilies(), egress });
  const jobs = await Promise.all([openJob(bed), openJob(bed)]);
  const [forger, victim] = jobs;
  try {
    await runToEnd(victim.environment, step(0, listen));
    const forged = askFrom(victim.address, accomplice, 5);
    const own = askFrom(forger.address, accomplice, 100);
    const asked = await runToEnd(forger.environment, step(0, [own, forged, own].join("\n")));
    const heard = await runToEnd(victim.environment, step(1, whatWasHeard));
    return { forger: asked.output, victim: heard.output };
  } finally {
    await Promise.all(jobs.map(({ environment }) => environment.destroy()));
    await bed.close();
  }
}

test.runIf(isRoot)("without the filter a job opens the way to another, in whose name it asks", async () => {
  expect(await forge(openEgress)).toEqual({ forger: "answered\nno answer\nanswered\n", victim: "heard\n" });
});

test.runIf(isRoot)("with it a job asks in no name but its own", async () => {
  expect(await forge(filtered)).toEqual({ forger: "answered\nno answer\nanswered\n", victim: "" });
});
