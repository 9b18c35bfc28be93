/** The network of one job: a bridge of its own, named by the job. */
import type { EngineContext } from "./context.ts";
import { createFreshNetwork } from "./create-fresh.ts";
import { labelsOf, type Owner } from "./labels.ts";

/** Answers with its id. */
export async function makeNetwork(context: EngineContext, owner: Owner): Promise<string> {
  const options = {
    Name: owner.jobKey,
    CheckDuplicate: true,
    Driver: "bridge",
    Labels: labelsOf(owner, "network"),
  };
  return (await createFreshNetwork(context, options)).id;
}
