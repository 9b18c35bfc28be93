/**
 * Whether the packet filter is where networks of jobs are, as seen from one: a container of our own image on a network that is
 * made as a job's sends to the machine, at the port at which the filter alone answers as it does. A filter in another network
 * namespace, or beside bridges with other names, is written without an error and holds nobody back.
 */
import { randomBytes } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { probeAnswer, probePort } from "../../egress/rules.ts";
import type { EngineContext } from "./context.ts";
import { createFreshContainer, createFreshNetwork } from "./create-fresh.ts";
import { createOptions, helperLimits } from "./create-options.ts";
import { daemonMessage } from "./daemon.ts";
import { networkOptions } from "./job-network.ts";
import { labelsOf, type Owner } from "./labels.ts";
import { lastOutput } from "./last-output.ts";
import { removeWithRetries } from "./remove-with-retries.ts";

const withinMs = 30_000;

type Context = Omit<EngineContext, "egress">;

/** null when a job's packets meet it; else why that was not seen. Never rejects. */
export async function probeFilter(context: Context, bridgePrefix: string): Promise<string | null> {
  const leaseKey = `probe-${randomBytes(8).toString("hex")}`;
  const owner = { runnerId: context.runnerId, leaseKey, jobKey: `forgeline-${leaseKey}` };
  context.active.add(owner.jobKey);
  try {
    const network = await createFreshNetwork(context, networkOptions(owner, bridgePrefix));
    try {
      return verdict(await answerIn(context, owner, await gatewayOf(context, network.id)));
    } finally {
      await removeWithRetries(context, () => network.remove());
    }
  } catch (error) {
    return `whether a network of jobs is behind it could not be tried: ${daemonMessage(error)}`;
  } finally {
    context.active.delete(owner.jobKey);
  }
}

function verdict(answer: number): string | null {
  if (answer === probeAnswer) return null;
  const how = answer === 0 ? "got no answer of it" : `got another answer (error ${String(answer)})`;
  return `it was written, but a container on a network as jobs have them ${how}: it does not hold jobs back`;
}

async function gatewayOf({ docker, daemon }: Context, networkId: string): Promise<string> {
  const { IPAM } = await daemon.ask(() => docker.getNetwork(networkId).inspect());
  const gateways = (IPAM?.Config ?? []).map(({ Gateway }) => Gateway?.split("/")[0] ?? "");
  const gateway = gateways.find((address) => /^\d+(\.\d+){3}$/.test(address));
  if (gateway === undefined) throw new Error("the daemon names no gateway of the network");
  return gateway;
}

/** The number of the error that came; 0 for none. */
async function answerIn(context: Context, owner: Owner, gateway: string): Promise<number> {
  const { daemon } = context;
  const options = createOptions({
    name: owner.jobKey,
    imageId: await context.ownImage.id(),
    user: "0:0",
    labels: labelsOf(owner, "probe"),
    network: owner.jobKey,
    isClosed: false,
    isPrivileged: false,
    alias: null,
    extraHosts: [],
    mounts: [],
    limits: helperLimits,
    entrypoint: ["/init", "probe", gateway, String(probePort)],
    command: [],
    env: {},
    workingDir: "/",
    healthCheck: "none",
    logBytes: 65_536,
  });
  const container = await createFreshContainer(context, options, AbortSignal.timeout(withinMs));
  try {
    await daemon.ask(() => container.start());
    const ended = await Promise.race([
      daemon.ask(() => container.wait()),
      delay(withinMs, null, { ref: false }),
    ]);
    if (ended === null) throw new Error("the container did not end in time");
    const said = await lastOutput(daemon, container, 1);
    const answer = /\d+/.exec(said)?.[0];
    if (answer === undefined) throw new Error(`the container said ${JSON.stringify(said)}`);
    return Number(answer);
  } finally {
    await removeWithRetries(context, () => container.remove({ force: true, v: true }));
  }
}
