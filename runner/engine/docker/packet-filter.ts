/**
 * The packet filter of the daemon's network, for a runner that may not change it itself: by a short-lived container of our own
 * image with the network of the daemon's machine, one capability, and nothing mounted.
 */
import { randomBytes } from "node:crypto";
import { stat } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import type Dockerode from "dockerode";
import { extract, pack } from "tar-stream";
import { framesAsBytes, readAnswers } from "../../egress/answers.ts";
import type { Kernel } from "../../egress/kernel.ts";
import { nameServers } from "../../egress/resolvers.ts";
import type { EngineContext } from "./context.ts";
import { createFreshContainer } from "./create-fresh.ts";
import { createOptions, helperLimits } from "./create-options.ts";
import { daemonMessage } from "./daemon.ts";
import { labelsOf } from "./labels.ts";
import { removeWithRetries } from "./remove-with-retries.ts";

const framesFile = "frames";
/** Made by the daemon in each container; with the daemon's own network it names those that the daemon asks itself. */
const resolvFile = "/etc/resolv.conf";
const withinMs = 30_000;

type Context = Pick<EngineContext, "docker" | "daemon" | "runnerId" | "ownImage" | "active">;

export function createContainerKernel(context: Context): Kernel {
  let resolvers: readonly string[] = [];
  let askedOf: string | null = null;
  return {
    resolvers: () => resolvers,
    isSame: async () => askedOf !== null && askedOf === (await daemonStart(context.docker)),
    async ask(frames) {
      const jobKey = `forgeline-filter-${randomBytes(8).toString("hex")}`;
      context.active.add(jobKey);
      try {
        askedOf = null;
        const asking = await daemonStart(context.docker);
        const said = await runOnce(context, jobKey, framesAsBytes(frames));
        askedOf = asking;
        resolvers = nameServers(said.resolvConf);
        return readAnswers(said.printed, frames);
      } catch (error) {
        throw new Error(daemonMessage(error), { cause: error });
      } finally {
        context.active.delete(jobKey);
      }
    },
    close: () => undefined,
  };
}

/** Another at each start of a daemon that makes its socket itself, as those with a network of their own do; null: unknown. */
async function daemonStart({ modem }: Dockerode): Promise<string | null> {
  const { socketPath } = modem as { socketPath?: string };
  const socket = socketPath === undefined ? null : await stat(socketPath).catch(() => null);
  return socket === null ? null : `${String(socket.ino)} ${String(socket.ctimeMs)}`;
}

async function runOnce(
  context: Context,
  jobKey: string,
  bytes: Buffer,
): Promise<{ printed: string; resolvConf: string }> {
  const options = await optionsFor(context, jobKey);
  const container = await createFreshContainer(context, options, AbortSignal.timeout(withinMs));
  try {
    const files = pack();
    files.entry({ name: framesFile, mode: 0o400 }, bytes);
    files.finalize();
    await container.putArchive(files as unknown as NodeJS.ReadableStream, { path: "/" });
    await context.daemon.ask(() => container.start());
    const ended = await Promise.race([
      context.daemon.ask(() => container.wait()),
      delay(withinMs, null, { ref: false }),
    ]);
    if (ended === null) throw new Error("the packet filter did not respond in time");
    return { printed: await printed(context, container), resolvConf: await resolvConf(context, container) };
  } finally {
    await removeWithRetries(context, () => container.remove({ force: true, v: true }));
  }
}

/** Without the daemon's framing: eight bytes before each piece, the last four its length. */
async function printed({ daemon }: Context, container: Dockerode.Container): Promise<string> {
  const log = await daemon.ask(() => container.logs({ stdout: true, stderr: true }));
  const pieces: Buffer[] = [];
  for (let at = 0; at + 8 <= log.length; at += 8 + log.readUInt32BE(at + 4))
    pieces.push(log.subarray(at + 8, at + 8 + log.readUInt32BE(at + 4)));
  return Buffer.concat(pieces).toString();
}

/** Empty where the daemon made none. */
async function resolvConf({ daemon }: Context, container: Dockerode.Container): Promise<string> {
  const archive = await daemon.find(() => container.getArchive({ path: resolvFile }));
  const files = extract();
  archive?.pipe(files);
  let text = "";
  if (archive !== null) for await (const file of files) for await (const part of file) text += String(part);
  return text;
}

async function optionsFor(
  context: Context,
  jobKey: string,
): Promise<Dockerode.ContainerCreateOptions & { name: string }> {
  const { runnerId } = context;
  const options = createOptions({
    name: jobKey,
    imageId: await context.ownImage.id(),
    user: "0:0",
    labels: labelsOf({ runnerId, leaseKey: jobKey, jobKey }, "filter"),
    network: null,
    isClosed: false,
    isPrivileged: false,
    alias: null,
    extraHosts: [],
    mounts: [],
    limits: helperLimits,
    entrypoint: ["/init", "netfilter", `/${framesFile}`],
    command: [],
    env: {},
    workingDir: "/",
    healthCheck: "none",
    logBytes: 65_536,
  });
  return { ...options, HostConfig: { ...options.HostConfig, NetworkMode: "host", CapAdd: ["NET_ADMIN"] } };
}
