/**
 * A job that has the machine's kernel keep track of as many connections as it can: it fills its own share of that table, its open
 * connections and everybody else's go on.
 */
import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openEgress, type EgressSettings } from "@forgeline/runner/egress/settings.ts";
import type { JobEnvironment } from "@forgeline/runner/engine/engine.ts";
import { engineBed, never, runToEnd, step, type EngineBed } from "../integration/runner/docker-job.ts";
import { importTestImage } from "../support/test-image.ts";
import { docker, isRoot } from "./support/hostile-bed.ts";

const image = { name: "forgeline-test/connections:1", user: null };
/** A quarter of them may be open. */
const filtered: EgressSettings = { ...openEgress, mode: "filter", connections: 1_200 };
const ports = 10_000;
/** What may begin in the seconds that it takes. */
const beside = 100;

beforeAll(async () => {
  if (!isRoot) return;
  // Bash sends by itself; busybox would need a process for each packet.
  await importTestImage(docker, { name: image.name, programs: [{ path: "/bin/bash", as: ["bash"] }] });
});
afterAll(async () => {
  if (isRoot) await docker.getImage(image.name).remove({ force: true });
});

/** They stay until the end: a network that comes after them could have their addresses. */
const opened: JobEnvironment[] = [];
const resources = { cpu: null, memoryBytes: null, shmBytes: null };
const echo = {
  key: "web",
  image,
  command: ["sh", "-c", "nc -ll -p 8081 -e echo & exec nc -ll -p 8080 -e cat"],
  env: {},
  resources,
  ready: false,
};

interface OpenedJob {
  environment: JobEnvironment;
  /** Address of its service. */
  web: string;
  subnet: string;
}

async function openJob(bed: EngineBed): Promise<OpenedJob> {
  const environment = await bed.prepare({ image });
  opened.push(environment);
  await environment.ready(never);
  await environment.startServices([echo as never], () => undefined, never);
  const network = await docker.getNetwork(environment.handle.networkId ?? "").inspect();
  const containers = Object.values(network.Containers ?? {}) as { Name: string; IPv4Address: string }[];
  const web = containers.find(({ Name }) => Name.endsWith("web"))?.IPv4Address.split("/")[0] ?? "";
  return { environment, web, subnet: network.IPAM?.Config?.[0]?.Subnet ?? "" };
}

/** Connections of the kernel's table that the network's addresses began. */
async function trackedOf(subnet: string): Promise<number> {
  const [, from = 0, size = 0] = /^(\S+)\/(\d+)$/
    .exec(subnet)
    ?.map((part, index) => (index === 2 ? 2 ** (32 - Number(part)) : addressNumber(part))) ?? [0];
  const lines = (await readFile("/proc/net/nf_conntrack", "utf8")).split("\n");
  return lines.filter((line) => {
    const source = addressNumber(/ src=(\S+)/.exec(line)?.[1] ?? "");
    return source >= from && source < from + size;
  }).length;
}

function addressNumber(text: string): number {
  return text.split(".").reduce((sum, part) => sum * 256 + Number(part), 0);
}

/** Opens a connection, and says something by it after the rest. */
function besides(attack: string): string {
  return `exec bash -c '
for try in $(seq 50); do { exec 3<>/dev/tcp/web/8080; } 2>/dev/null && break; sleep 0.1; done
${attack}
echo reached >&3; read -t 3 -u 3 said && echo "$said"
:' 2>/dev/null`;
}

const toEachPort = (address: string): string =>
  `for port in $(seq 20000 ${String(20_000 + ports)}); do echo >/dev/udp/${address}/$port; done`;
/** One after the other. Each is over as soon as it was answered, and the kernel remembers it for minutes. */
const openAndClose = (address: string): string =>
  `for try in $(seq 500); do exec 4<>/dev/tcp/${address}/8081 && read -t 1 -u 4; exec 4>&-; done`;

/** What the job printed, and what is tracked of it then. `attack` is given the address of its service. */
async function flood(
  bed: EngineBed,
  attack: (address: string) => string,
): Promise<{ output: string; tracked: number }> {
  const { environment, web, subnet } = await openJob(bed);
  const { output } = await runToEnd(environment, step(0, besides(attack(web))));
  return { output, tracked: await trackedOf(subnet) };
}

async function inBed(egress: EgressSettings, run: (bed: EngineBed) => Promise<void>): Promise<void> {
  const bed = await engineBed({ egress });
  try {
    await run(bed);
  } finally {
    await Promise.all(opened.splice(0).map((environment) => environment.destroy()));
    await bed.close();
  }
}

/** Else packets between containers are in nobody's table. */
const tracksBridged = await readFile("/proc/sys/net/bridge/bridge-nf-call-iptables", "utf8").then(
  (text) => text.trim() === "1",
  () => false,
);

// Only root sees the kernel's table.
test.runIf(isRoot)("a job has so many connections tracked as it may; open ones go on, and neighbours", () =>
  inBed(filtered, async (bed) => {
    const least = tracksBridged ? 250 : 0;
    for (const attack of [toEachPort, openAndClose]) {
      const { output, tracked } = await flood(bed, attack);
      expect(output).toBe("reached\n");
      expect(tracked).toBeGreaterThan(least);
      expect(tracked).toBeLessThan(300 + beside);
    }
    const { output, tracked } = await flood(bed, () => toEachPort("239.176.76.7"));
    expect([output, tracked < beside]).toEqual(["reached\n", true]);
  }),
);
