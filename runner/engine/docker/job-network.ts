/** The network of one job: a bridge of its own, named by the job; by its own name the egress filter knows it. */
import type Dockerode from "dockerode";
import { randomBytes } from "node:crypto";
import { type ClosedKind, closedPrefix } from "../../egress/policy.ts";
import type { EngineContext } from "./context.ts";
import { createFreshNetwork } from "./create-fresh.ts";
import { labelsOf, type Owner } from "./labels.ts";

/** The kernel takes no longer name of an interface. */
const interfaceNameMax = 15;

/** As the daemon is asked for one. */
export function networkOptions(
  owner: Owner,
  bridgePrefix: string,
  closed: ClosedKind | null = null,
): Dockerode.NetworkCreateOptions {
  const prefix = closed === null ? bridgePrefix : closedPrefix(bridgePrefix, closed);
  const random = randomBytes(8)
    .toString("hex")
    .slice(0, interfaceNameMax - prefix.length);
  return {
    Name: owner.jobKey,
    CheckDuplicate: true,
    Driver: "bridge",
    // Without a way out by the daemon's own rules either.
    ...(closed === null ? {} : { Internal: true }),
    Options: { "com.docker.network.bridge.name": `${prefix}${random}` },
    Labels: labelsOf(owner, "network"),
  };
}

/** Answers with its id. Rejects where its packets would not be filtered as the operator wants. */
export async function makeNetwork(
  context: EngineContext,
  owner: Owner,
  closed: ClosedKind | null = null,
): Promise<string> {
  const options = networkOptions(owner, context.egress.bridgePrefix, closed);
  const { id } = await createFreshNetwork(context, options);
  await context.egress.bridgeMade(options.Options?.["com.docker.network.bridge.name"] ?? "");
  return id;
}
