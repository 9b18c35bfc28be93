/**
 * Finds a Docker (or Podman) daemon: `DOCKER_HOST` or the usual sockets; an installed `dockerd`, started by us as
 * root; `apt-get install docker.io` as root on Debian and Ubuntu; otherwise an error that says what to install.
 */
import { access } from "node:fs/promises";
import Docker from "dockerode";
import { canInstallPackages, installPackages } from "../apt.ts";
import { which } from "../run.ts";
import { waitFor } from "../wait-for.ts";
import { shareDockerd, startDockerd } from "./daemon.ts";

export interface FoundDocker {
  client: Docker;
  /** Value for `DOCKER_HOST` of processes that use it. */
  host: string;
  /** In words, for people: where it came from. */
  origin: string;
  version: string;
  /** Ends the daemon if an instance of ours started it and no other one uses it. */
  stop(): Promise<void>;
}

export interface FindDockerOptions {
  dockerHost: string | undefined;
  env: NodeJS.ProcessEnv;
  /** For the pid file and log of a daemon that we start. */
  runDirectory: string;
  say: (line: string) => void;
  /** Ends the search; a daemon that we are starting goes with it. */
  signal?: AbortSignal | undefined;
}

export async function ensureDocker(options: FindDockerOptions): Promise<FoundDocker> {
  const found = await findDocker(options);
  return { ...found, stop: await shareDockerd(options.runDirectory) };
}

async function findDocker(options: FindDockerOptions): Promise<FoundDocker> {
  const running = await findRunning(options);
  if (running) return running;
  if (options.dockerHost)
    throw new Error(`DOCKER_HOST is ${options.dockerHost}, but no daemon responds there`);
  const isRoot = process.getuid?.() === 0;
  if (!(await which("dockerd", options.env)) && (await canInstallPackages(options.env))) {
    await installPackages(["docker.io", "iptables", "busybox-static"], options);
    const started = await startedByPackage(options);
    if (started) return started;
  }
  const dockerd = await which("dockerd", options.env);
  if (!dockerd || !isRoot) throw new Error(adviceFor(isRoot, dockerd !== undefined));
  return startDockerd({
    dockerd,
    runDirectory: options.runDirectory,
    env: options.env,
    say: options.say,
    connect: connectTo,
    signal: options.signal,
  });
}

async function findRunning(options: FindDockerOptions): Promise<FoundDocker | undefined> {
  const candidates = options.dockerHost ? [options.dockerHost] : await usualSockets(options.env);
  for (const host of candidates) {
    const found = await connectTo(host);
    if (found) return found;
  }
  return undefined;
}

/** Where a service manager runs, the package starts its daemon by itself. */
async function startedByPackage(options: FindDockerOptions): Promise<FoundDocker | undefined> {
  const managed = await access("/run/systemd/system").then(
    () => true,
    () => false,
  );
  if (!managed) return undefined;
  return waitFor(() => findRunning(options), {
    what: "the start of the Docker service",
    timeoutMs: 30_000,
    signal: options.signal,
  });
}

async function usualSockets(env: NodeJS.ProcessEnv): Promise<string[]> {
  const runtimeDir = env["XDG_RUNTIME_DIR"] ?? `/run/user/${process.getuid?.() ?? 0}`;
  const paths = [
    "/var/run/docker.sock",
    `${runtimeDir}/docker.sock`,
    `${runtimeDir}/podman/podman.sock`,
    "/run/podman/podman.sock",
  ];
  const present = await Promise.all(
    paths.map((path) =>
      access(path).then(
        () => true,
        () => false,
      ),
    ),
  );
  return paths.filter((_, i) => present[i]).map((path) => `unix://${path}`);
}

/** A client for `host`, when a daemon answers there. */
export async function connectTo(host: string): Promise<FoundDocker | undefined> {
  const client = clientFor(host);
  try {
    const version = await client.version();
    return {
      client,
      host,
      origin: host.replace("unix://", ""),
      version: version.Version,
      stop: async () => undefined,
    };
  } catch {
    return undefined;
  }
}

function clientFor(host: string): Docker {
  if (host.startsWith("unix://")) return new Docker({ socketPath: host.slice("unix://".length) });
  const url = new URL(host);
  return new Docker({
    host: url.hostname,
    port: Number(url.port || 2375),
    protocol: url.protocol === "https:" ? "https" : "http",
  });
}

function adviceFor(isRoot: boolean, installed: boolean): string {
  if (installed && !isRoot)
    return "Docker is installed, but you cannot reach its daemon. Start it (sudo systemctl start docker) and join its group (sudo usermod -aG docker $USER, then log in again).";
  return "Docker is needed to run pipelines. Install it (Debian, Ubuntu: sudo apt-get install docker.io; others: https://docs.docker.com/engine/install) or Podman, or set DOCKER_HOST.";
}
