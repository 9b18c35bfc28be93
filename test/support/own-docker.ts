/**
 * A Docker daemon that a test may kill: own socket, data and bridge, beside the one of the machine. Needs root and
 * iproute2. Its bridge is made by hand: `--bridge none` would delete the docker0 of the machine's own daemon.
 */
import { execFile, spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { openSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { promisify } from "node:util";
import Dockerode from "dockerode";
import type { DaemonPlace } from "@forgeline/launcher/docker/daemon.ts";
import { eventually } from "./eventually.ts";
import { needs, needsRoot } from "./programs/needs.ts";

const run = promisify(execFile);

export interface OwnDocker {
  docker: Dockerode;
  /** Value for `DOCKER_HOST`. */
  host: string;
  /** Address of the machine on the daemon's default bridge, where its jobs reach servers. */
  gateway: string;
  /** For a daemon that somebody else starts in its stead, after `kill`. */
  place: DaemonPlace;
  /** As a crash: nothing is told to anybody. Containers go on (`live-restore`). */
  kill(): Promise<void>;
  start(): Promise<void>;
  /** TERM, and a new start once it has ended. */
  restart(): Promise<void>;
  /** Removes all containers, then the daemon and its files. */
  close(): Promise<void>;
}

/** Starts of a daemon that exits before it answers. */
const maxTries = 3;

/** A bridge with a small address block of its own, away from those of the daemons' pools. */
async function makeBridge(name: string): Promise<string> {
  const block = process.pid % 16_384;
  const gateway = `10.215.${String(block >> 6)}.${String(((block & 63) << 2) + 1)}`;
  await run("ip", ["link", "add", "name", name, "type", "bridge"]);
  await run("ip", ["address", "add", `${gateway}/30`, "dev", name]);
  await run("ip", ["link", "set", name, "up"]);
  return gateway;
}

export async function startOwnDocker(options: { addressPool?: string } = {}): Promise<OwnDocker> {
  needs("dockerd", "ip");
  needsRoot("start a Docker daemon");
  const directory = await mkdtemp(join(tmpdir(), "fl-docker-"));
  const addressPool = options.addressPool ?? "base=10.213.0.0/16,size=26";
  // Names of interfaces have at most 15 characters.
  const bridge = `fl${basename(directory).slice(-6).toLowerCase()}${String(process.pid % 10_000)}`;
  const gateway = await makeBridge(bridge);
  const socketPath = join(directory, "d.sock");
  const docker = new Dockerode({ socketPath });
  const log = openSync(join(directory, "log"), "a");
  let child: ChildProcess | null = null;
  const dataRoot = join(directory, "data");
  const places = ["--data-root", dataRoot, "--exec-root", join(directory, "exec")];
  const separate = ["--bridge", bridge, "--iptables=false", "--ip6tables=false"];
  const flags = [
    ...places,
    ...separate,
    "--default-address-pool",
    addressPool,
    // A daemon that comes back to living containers does not know its gateway otherwise (seen with Docker 28).
    "--host-gateway-ip",
    gateway,
    "--pidfile",
    join(directory, "pid"),
    "--live-restore",
  ];
  const host = `unix://${socketPath}`;

  const hasEnded = () => child === null || child.exitCode !== null || child.signalCode !== null;
  /** On a machine that has much to do dockerd gives its containerd up after 15 s, and exits. */
  async function start(): Promise<void> {
    let tries = 0;
    await eventually(
      async () => {
        if (hasEnded() && tries < maxTries) {
          tries += 1;
          await containerdGone();
          child = spawn("dockerd", [...flags, "--host", host], { stdio: ["ignore", log, log] });
        }
        return (await docker.ping()) !== undefined;
      },
      { timeoutMs: 90_000 },
    ).catch(async (error: unknown) => {
      const said = (await readFile(join(directory, "log"), "utf8")).slice(-3000);
      throw new Error(`dockerd did not come up:\n${said}`, { cause: error });
    });
  }
  async function end(signal: NodeJS.Signals): Promise<void> {
    if (child === null || hasEnded()) return;
    const ended = once(child, "exit");
    child.kill(signal);
    await ended;
  }
  /** A daemon that finds the process id of a containerd that is just dying would wait for it in vain. */
  async function containerdGone(): Promise<void> {
    const pidFile = join(directory, "exec", "containerd", "containerd.pid");
    const pid = await readFile(pidFile, "utf8").catch(() => null);
    if (pid === null) return;
    await eventually(
      async () => {
        const status = await readFile(`/proc/${pid.trim()}/status`, "utf8").catch(() => "State:\tX");
        return /^State:\t[XZ]/m.test(status);
      },
      { timeoutMs: 60_000 },
    );
    await rm(pidFile, { force: true });
  }
  await start();
  return {
    docker,
    host,
    gateway,
    place: { socket: socketPath, dataRoot, flags },
    start,
    async kill() {
      await end("SIGKILL");
      await containerdGone();
    },
    async restart() {
      await end("SIGTERM");
      await containerdGone();
      await start();
    },
    async close() {
      if (hasEnded()) await start();
      const containers = await docker.listContainers({ all: true });
      await Promise.all(containers.map(({ Id }) => docker.getContainer(Id).remove({ force: true, v: true })));
      // Their bridges would outlive the daemon.
      const networks = await docker.listNetworks({ filters: { type: ["custom"] } });
      await Promise.all(networks.map(({ Id }) => docker.getNetwork(Id).remove()));
      await end("SIGTERM");
      // A daemon that was killed once leaves its data directory mounted on itself.
      for (const mount of (await readFile("/proc/self/mounts", "utf8")).split("\n")) {
        const target = mount.split(" ")[1];
        if (target?.startsWith(`${directory}/`) === true) await run("umount", [target]);
      }
      await run("ip", ["link", "delete", bridge]);
      await rm(directory, { recursive: true, force: true, maxRetries: 10 });
    },
  };
}
