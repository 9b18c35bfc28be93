/** The network of one job: a bridge of its own, named by the job; by its own name the egress filter knows it. */
import { randomBytes } from "node:crypto";
import type { EngineContext } from "./context.ts";
import { createFreshNetwork } from "./create-fresh.ts";
import { labelsOf, type Owner } from "./labels.ts";

/** The kernel takes no longer name of an interface. */
const interfaceNameMax = 15;

/** Answers with its id. Rejects where its packets would not be filtered as the operator wants. */
export async function makeNetwork(context: EngineContext, owner: Owner): Promise<string> {
  const { bridgePrefix } = context.egress;
  const random = randomBytes(8)
    .toString("hex")
    .slice(0, interfaceNameMax - bridgePrefix.length);
  const bridge = `${bridgePrefix}${random}`;
  const options = {
    Name: owner.jobKey,
    CheckDuplicate: true,
    Driver: "bridge",
    Options: { "com.docker.network.bridge.name": bridge },
    Labels: labelsOf(owner, "network"),
  };
  const { id } = await createFreshNetwork(context, options);
  await context.egress.bridgeMade(bridge);
  return id;
}
