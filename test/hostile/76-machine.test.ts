/**
 * What a job reaches of its machine and of its neighbours: the server's port, and nothing else, by IPv4 and IPv6, also where Docker
 * does not keep networks apart by itself; and what becomes of the filter when somebody removes it.
 */
import { execFile } from "node:child_process";
import { networkInterfaces } from "node:os";
import { promisify } from "node:util";
import type Dockerode from "dockerode";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { createOwnProcess } from "@forgeline/runner/egress/own-process.ts";
import { namesFor } from "@forgeline/runner/egress/policy.ts";
import { machineAddresses } from "@forgeline/runner/egress/server-addresses.ts";
import { openEgress, type EgressSettings } from "@forgeline/runner/egress/settings.ts";
import { removeFrame } from "@forgeline/runner/egress/table.ts";
import type { JobEnvironment } from "@forgeline/runner/engine/engine.ts";
import { installInit } from "@forgeline/runner/init/program.ts";
import { engineBed, never, runToEnd, step, type EngineBed } from "../integration/runner/docker-job.ts";
import { importTestImage } from "../support/test-image.ts";
import { dockerOfBothFamilies, type OwnAddresses, openOwnAddresses } from "./support/both-families.ts";
import { docker, isRoot } from "./support/hostile-bed.ts";
import { asLine, listenHere, type Target, tryAll, untilThere } from "./support/strange-networks.ts";

const run = promisify(execFile);
const image = { name: "forgeline-test/machine:1", user: null };
const answers = (port: number) => ["sh", "-c", `nc -ll -p ${String(port)} -e echo reached`];
const filtered: EgressSettings = { ...openEgress, mode: "filter" };

let here: Awaited<ReturnType<typeof listenHere>>;
let server: Awaited<ReturnType<typeof listenHere>>;
let own: OwnAddresses;
let published: { port: number; portV6: number; address: string; remove(): Promise<void> };
const opened: (() => Promise<unknown>)[] = [];
/** They go before what they are in, all at once: their removal mostly waits for the daemon. */
const jobs: JobEnvironment[] = [];
beforeAll(async () => {
  if (!isRoot) return;
  [here, server, own] = await Promise.all([listenHere(), listenHere(), openOwnAddresses()]);
  await importTestImage(docker, { name: image.name });
  published = await publishPort();
});
afterEach(async () => {
  await Promise.all(jobs.splice(0).map((job) => job.destroy()));
  for (const close of opened.splice(0).toReversed()) await close();
});
afterAll(async () => {
  if (!isRoot) return;
  await published.remove();
  for (const { close } of [here, server]) close();
  await own.close();
  await docker.getImage(image.name).remove({ force: true });
});

/** Docker's own bridge on this machine. */
async function bridge(): Promise<{ gateway: string }> {
  const { IPAM } = await docker.getNetwork("bridge").inspect();
  return { gateway: IPAM?.Config?.[0]?.Gateway ?? "" };
}

/** A container that is none of ours, with a port on every address of the machine. */
async function publishPort(): Promise<typeof published> {
  const container = await docker.createContainer({
    Image: image.name,
    Cmd: answers(8080),
    ExposedPorts: { "8080/tcp": {} },
    HostConfig: { PortBindings: { "8080/tcp": [{ HostPort: "0" }] } },
  });
  await container.start();
  const { NetworkSettings } = await container.inspect();
  const places = NetworkSettings.Ports["8080/tcp"] ?? [];
  // For IPv6 Docker may have drawn another port.
  const [port = 0, portV6 = 0] = ["0.0.0.0", "::"].map((all) =>
    Number(places.find(({ HostIp }) => HostIp === all)?.HostPort),
  );
  const address = NetworkSettings.Networks["bridge"]?.IPAddress ?? "";
  return { port, portV6, address, remove: () => container.remove({ force: true }) };
}

async function openBed(egress: EgressSettings, warnings: string[] = []): Promise<EngineBed> {
  const bed = await engineBed({
    docker: dockerOfBothFamilies(),
    egress,
    onWarning: (line) => warnings.push(line),
  });
  opened.push(() => bed.close());
  const { bridgePrefix } = namesFor(bed.runnerId);
  // Docker alone keeps networks apart; here only the filter does. Not every Docker has a chain of IPv6.
  for (const side of ["-i", "-o"]) {
    const all = [side, `${bridgePrefix}+`, "-j", "ACCEPT"];
    await addRule("filter", ["DOCKER-USER", ...all]);
    await addRule("filter", ["FORWARD", ...all], ip6tables);
  }
  return bed;
}

const iptables = (args: readonly string[]) => run("iptables", ["-w", ...args]);
const ip6tables = (args: readonly string[]) => run("ip6tables", ["-w", ...args]);

async function addRule(table: string, rule: readonly string[], change = iptables): Promise<void> {
  await change(["-t", table, "-I", ...rule]);
  opened.push(() => change(["-t", table, "-D", ...rule]));
}

/** As Docker does without a proxy of its own: what jobs ask of the machine at the port goes to the container. */
async function passOn(bed: EngineBed, port: number): Promise<void> {
  const from = ["-i", `${namesFor(bed.runnerId).bridgePrefix}+`, "-p", "tcp", "--dport", String(port)];
  await addRule("nat", [
    "PREROUTING",
    ...from,
    "-j",
    "DNAT",
    "--to-destination",
    `${published.address}:8080`,
  ]);
}

async function openJob(bed: EngineBed): Promise<JobEnvironment> {
  const environment = await bed.prepare({
    image,
    extraHosts: ["host.docker.internal:host-gateway"],
  });
  jobs.push(environment);
  await environment.ready(never);
  return environment;
}

async function networkOf({ handle }: JobEnvironment): Promise<Dockerode.NetworkInspectInfo> {
  return docker.getNetwork(handle.networkId ?? "").inspect();
}

/** A job with a service: the addresses of that, and of the machine in its network. */
async function openNeighbour(bed: EngineBed): Promise<Target[]> {
  const environment = await openJob(bed);
  const resources = { cpu: null, memoryBytes: null, shmBytes: null };
  const service = { key: "web", image, command: answers(8080), env: {}, resources, ready: false };
  await environment.startServices([service as never], () => undefined, never);
  await runToEnd(environment, step(0, untilThere({ host: "web", port: 8080 })));
  const containers = Object.values((await networkOf(environment)).Containers ?? {});
  const web = containers.find(({ Name }) => Name.endsWith("web"));
  const addresses = [web?.IPv4Address, web?.IPv6Address].map((address) => address?.split("/")[0] ?? "");
  const gateways = (await gatewaysOf(environment)).filter((host) => !isOfOneLink(host));
  return [
    ...addresses.map((host) => ({ host, port: 8080 })),
    ...gateways.map((host) => ({ host, port: here.port })),
  ];
}

/** The machine where the job's own wire ends: its addresses there by IPv4, by IPv6, and by IPv6 of that wire alone. */
async function gatewaysOf(environment: JobEnvironment): Promise<string[]> {
  const name = (await networkOf(environment)).Options?.["com.docker.network.bridge.name"] ?? "";
  const addresses = (networkInterfaces()[name] ?? []).map(({ address }) => address);
  const hosts = addresses.map((address) => (isOfOneLink(address) ? `${address}%eth0` : address));
  const kinds = [isOfOneLink, (host: string) => host.startsWith("fd76:"), (host: string) => /^\d/.test(host)];
  if (!kinds.every((isOne) => hosts.some(isOne))) throw new Error(`${name} has only ${hosts.join(" ")}`);
  return hosts;
}

function isOfOneLink(address: string): boolean {
  return /^fe[89ab]/.test(address);
}

async function reached(
  environment: JobEnvironment,
  targets: readonly Target[],
  position = 0,
): Promise<string[]> {
  const { output } = await runToEnd(environment, step(position, tryAll(targets)));
  return output.split("\n").filter((line) => line !== "");
}

/**
 * This machine as jobs could see it; each with what listens on all of its addresses. Without those of networks of other tests:
 * these go meanwhile, and what was sent to their addresses would leave the machine.
 */
function machineTargets(): Target[] {
  const lasting = machineAddresses((name) => !/^(lo$|fl|veth|br-)/.test(name));
  const hosts = [...lasting.filter((address) => !isOfOneLink(address)), own.v4, own.v6];
  return ["host.docker.internal", ...hosts].flatMap((host) =>
    [here.port, host.includes(":") ? published.portV6 : published.port].map((port) => ({ host, port })),
  );
}

test.runIf(isRoot)(
  "without the filter a job reaches its machine, what others published, and its neighbour",
  async () => {
    const bed = await openBed({ ...filtered, mode: "open" });
    const [neighbour, job] = await Promise.all([openNeighbour(bed), openJob(bed)]);
    const gateways = (await gatewaysOf(job)).map((host) => ({ host, port: here.port }));
    const targets = [...machineTargets(), ...gateways, ...neighbour];
    expect((await reached(job, targets)).toSorted()).toEqual(targets.map(asLine).toSorted());
  },
);

test.runIf(isRoot)("with it a job reaches none of them, but the server", async () => {
  const bed = await openBed({
    ...filtered,
    // A network of the list opens neither the machine nor neighbours.
    allow: ["0.0.0.0/0", "::/0"],
    serverUrl: `wss://localhost:${String(server.port)}`,
    extraHosts: ["host.docker.internal:host-gateway"],
  });
  const [neighbour, job] = await Promise.all([openNeighbour(bed), openJob(bed)]);
  const gateways = await gatewaysOf(job);
  const hosts = ["host.docker.internal", own.v4, own.v6, ...gateways];
  const open = hosts.map((host) => ({ host, port: server.port }));
  const closed = gateways.map((host) => ({ host, port: here.port }));
  const targets = [...machineTargets().filter(({ port }) => port === here.port), ...closed, ...neighbour];
  expect((await reached(job, [...targets, ...open])).toSorted()).toEqual(open.map(asLine).toSorted());
});

test.runIf(isRoot)("a server in a container is reached where the machine passes its port on", async () => {
  const { gateway } = await bridge();
  const bed = await openBed({ ...filtered, serverUrl: `wss://${gateway}:${String(published.port)}` });
  const open = { host: gateway, port: published.port };
  for (const port of [open.port, here.port]) await passOn(bed, port);
  expect(await reached(await openJob(bed), [open, { ...open, port: here.port }])).toEqual([asLine(open)]);
});

test.runIf(isRoot)("one address of the operator's list opens the machine, at its port", async () => {
  const { gateway } = await bridge();
  const open = [
    ...[here.port, published.port].map((port) => ({ host: gateway, port })),
    { host: own.v6, port: here.port },
  ];
  const allow = open.map(({ host, port }) => `${host.includes(":") ? `[${host}]` : host}:${String(port)}`);
  const bed = await openBed({ ...filtered, allow });
  const closed = [gateway, own.v6].map((host) => ({ host, port: server.port }));
  expect((await reached(await openJob(bed), [...open, ...closed])).toSorted()).toEqual(
    open.map(asLine).toSorted(),
  );
});

test.runIf(isRoot)("nor what other containers published on the machine", async () => {
  const [bed, other] = await Promise.all([openBed(filtered), openBed(filtered)]);
  const [neighbour, job] = await Promise.all([openNeighbour(other), openJob(bed)]);
  const gateways = (await gatewaysOf(job)).map((host) => ({ host, port: here.port }));
  expect(await reached(job, [...machineTargets(), ...gateways, ...neighbour])).toEqual([]);
});

test.runIf(isRoot)(
  "a filter that somebody removed is there again before the next job, and that is told",
  async () => {
    const warnings: string[] = [];
    const bed = await openBed(filtered, warnings);
    await openJob(bed);
    const kernel = createOwnProcess(() => installInit(`${bed.workDir}/.init`));
    await kernel.ask([removeFrame(namesFor(bed.runnerId).table)]);
    kernel.close();
    expect(warnings).toEqual([]);
    expect(await reached(await openJob(bed), machineTargets())).toEqual([]);
    expect(warnings).toEqual([expect.stringContaining("installing it again")]);
  },
);
