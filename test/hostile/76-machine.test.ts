/**
 * What a job reaches of its machine and of its neighbours: the server's port, and nothing else, also where Docker does not keep
 * networks apart by itself; and what becomes of the filter when somebody removes it.
 */
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { createOwnProcess } from "@forgeline/runner/egress/own-process.ts";
import { namesFor } from "@forgeline/runner/egress/policy.ts";
import { machineAddresses } from "@forgeline/runner/egress/server-places.ts";
import { openEgress, type EgressSettings } from "@forgeline/runner/egress/settings.ts";
import { removeFrame } from "@forgeline/runner/egress/table.ts";
import type { JobEnvironment } from "@forgeline/runner/engine/engine.ts";
import { placeInit } from "@forgeline/runner/init/program.ts";
import { engineBed, never, runToEnd, step, type EngineBed } from "../integration/runner/docker-job.ts";
import { importTestImage } from "../support/test-image.ts";
import { docker, isRoot } from "./support/hostile-bed.ts";
import { asLine, listenHere, type Target, tryAll, untilThere } from "./support/strange-networks.ts";

const run = promisify(execFile);
const image = { name: "forgeline-test/machine:1", user: null };
const answers = (port: number) => ["sh", "-c", `nc -ll -p ${String(port)} -e echo reached`];
const filtered: EgressSettings = { ...openEgress, mode: "filter" };

let here: Awaited<ReturnType<typeof listenHere>>;
let server: Awaited<ReturnType<typeof listenHere>>;
let published: { port: number; address: string; remove(): Promise<void> };
const opened: (() => Promise<unknown>)[] = [];
beforeAll(async () => {
  if (!isRoot) return;
  [here, server] = await Promise.all([listenHere(), listenHere()]);
  await importTestImage(docker, { name: image.name });
  published = await publishPort();
});
afterEach(async () => {
  for (const close of opened.splice(0).toReversed()) await close();
});
afterAll(async () => {
  if (!isRoot) return;
  await published.remove();
  for (const { close } of [here, server]) close();
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
  const port = Number(NetworkSettings.Ports["8080/tcp"]?.[0]?.HostPort);
  const address = NetworkSettings.Networks["bridge"]?.IPAddress ?? "";
  return { port, address, remove: () => container.remove({ force: true }) };
}

async function openBed(egress: EgressSettings, warnings: string[] = []): Promise<EngineBed> {
  const bed = await engineBed({ egress, onWarning: (line) => warnings.push(line) });
  opened.push(() => bed.close());
  const { bridgePrefix } = namesFor(bed.runnerId);
  // Docker alone keeps networks apart; here only the filter does.
  for (const side of ["-i", "-o"])
    await addRule("filter", ["DOCKER-USER", side, `${bridgePrefix}+`, "-j", "ACCEPT"]);
  return bed;
}

async function addRule(table: string, rule: readonly string[]): Promise<void> {
  await run("iptables", ["-w", "-t", table, "-I", ...rule]);
  opened.push(() => run("iptables", ["-w", "-t", table, "-D", ...rule]));
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
  opened.push(() => environment.destroy());
  await environment.ready(never);
  return environment;
}

/** A job with a service, and the address of that. */
async function openNeighbour(bed: EngineBed): Promise<Target> {
  const environment = await openJob(bed);
  const resources = { cpu: null, memoryBytes: null, shmBytes: null };
  const service = { key: "web", image, command: answers(8080), env: {}, resources, ready: false };
  await environment.startServices([service as never], () => undefined, never);
  await runToEnd(environment, step(0, untilThere({ host: "web", port: 8080 })));
  const { handle } = environment;
  const network = await docker.getNetwork(handle.networkId ?? "").inspect();
  const containers = Object.values(network.Containers ?? {}) as { Name: string; IPv4Address: string }[];
  const web = containers.find(({ Name }) => Name.endsWith("web"));
  return { host: web?.IPv4Address.split("/")[0] ?? "", port: 8080 };
}

async function reached(
  environment: JobEnvironment,
  targets: readonly Target[],
  position = 0,
): Promise<string[]> {
  const { output } = await runToEnd(environment, step(position, tryAll(targets)));
  return output.split("\n").filter((line) => line !== "");
}

/** This machine as jobs could see it; each with what listens on all of its addresses. */
function machineTargets(): Target[] {
  const hosts = [
    ...machineAddresses().filter((address) => /^\d/.test(address) && !address.startsWith("127.")),
    "host.docker.internal",
  ];
  return [here.port, published.port].flatMap((port) => hosts.map((host) => ({ host, port })));
}

test.runIf(isRoot)(
  "without the filter a job reaches its machine, what others published, and its neighbour",
  async () => {
    const bed = await openBed({ ...filtered, mode: "open" });
    const neighbour = await openNeighbour(bed);
    const targets = [...machineTargets(), neighbour];
    const lines = await reached(await openJob(bed), targets);
    // Networks of other tests go meanwhile, and their addresses with them.
    const there = new Set([...machineTargets(), neighbour].map(asLine));
    const stayed = (all: readonly string[]) => all.filter((line) => there.has(line)).toSorted();
    expect(stayed(lines)).toEqual(stayed(targets.map(asLine)));
  },
);

test.runIf(isRoot)("with it a job reaches none of them, but the server", async () => {
  const bed = await openBed({
    ...filtered,
    // A network of the list opens neither the machine nor neighbours.
    allow: ["0.0.0.0/0"],
    serverUrl: `wss://localhost:${String(server.port)}`,
    extraHosts: ["host.docker.internal:host-gateway"],
  });
  const neighbour = await openNeighbour(bed);
  const own = { host: "host.docker.internal", port: server.port };
  const targets = [...machineTargets().filter(({ port }) => port === here.port), neighbour, own];
  expect(await reached(await openJob(bed), targets)).toEqual([asLine(own)]);
});

test.runIf(isRoot)("a server in a container is reached where the machine passes its port on", async () => {
  const { gateway } = await bridge();
  const bed = await openBed({ ...filtered, serverUrl: `wss://${gateway}:${String(published.port)}` });
  const own = { host: gateway, port: published.port };
  for (const port of [own.port, here.port]) await passOn(bed, port);
  expect(await reached(await openJob(bed), [own, { ...own, port: here.port }])).toEqual([asLine(own)]);
});

test.runIf(isRoot)("one address of the operator's list opens the machine, at its port", async () => {
  const { gateway } = await bridge();
  const ports = [here.port, published.port];
  const bed = await openBed({ ...filtered, allow: ports.map((port) => `${gateway}:${String(port)}`) });
  const open = ports.map((port) => ({ host: gateway, port }));
  const closed = { host: gateway, port: server.port };
  expect((await reached(await openJob(bed), [...open, closed])).toSorted()).toEqual(
    open.map(asLine).toSorted(),
  );
});

test.runIf(isRoot)("nor what other containers published on the machine", async () => {
  const bed = await openBed(filtered);
  const other = await openBed(filtered);
  const targets = [...machineTargets(), await openNeighbour(other)];
  expect(await reached(await openJob(bed), targets)).toEqual([]);
});

test.runIf(isRoot)(
  "a filter that somebody removed is there again before the next job, and that is told",
  async () => {
    const warnings: string[] = [];
    const bed = await openBed(filtered, warnings);
    await openJob(bed);
    const kernel = createOwnProcess(() => placeInit(`${bed.workDir}/.init`));
    await kernel.ask([removeFrame(namesFor(bed.runnerId).table)]);
    kernel.close();
    expect(warnings).toEqual([]);
    expect(await reached(await openJob(bed), machineTargets())).toEqual([]);
    expect(warnings).toEqual([expect.stringContaining("it is written again")]);
  },
);
