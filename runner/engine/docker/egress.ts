/** The egress filter of an engine over Docker. */
import { readFileSync } from "node:fs";
import { createEgressFilter, type EgressFilter } from "../../egress/filter.ts";
import { createOwnProcess } from "../../egress/own-process.ts";
import type { EgressSettings } from "../../egress/settings.ts";
import { installInit } from "../../init/program.ts";
import { initDirectory, type EngineContext } from "./context.ts";
import { probeFilter } from "./filter-probe.ts";
import { createContainerKernel } from "./packet-filter.ts";

const everyMs = { own: 30_000, inContainer: 60_000 };

export function createDockerEgress(
  context: Omit<EngineContext, "egress">,
  settings: EgressSettings,
  onWarning: (line: string) => void,
): EgressFilter {
  return createEgressFilter({
    runnerId: context.runnerId,
    settings,
    own: createOwnProcess(() => installInit(initDirectory(context))),
    inContainer: createContainerKernel(context),
    isHere: () => seesDefaultBridge(context),
    hasInterface,
    answersNames: async () => (await context.daemonFacts()).isPodman,
    probe: (bridgePrefix) => probeFilter(context, bridgePrefix),
    onWarning,
    everyMs,
  });
}

/** Of this process's own network. What is below `/sys/class/net` may be another's, where somebody mounted the machine's `/sys`. */
function hasInterface(name: string): boolean {
  const lines = readFileSync("/proc/self/net/dev", "utf8").split("\n");
  return lines.some((line) => line.trimStart().startsWith(`${name}:`));
}

/** A runner in a container of its own, or with the daemon of another machine, does not. */
async function seesDefaultBridge({
  docker,
  daemon,
}: Pick<EngineContext, "docker" | "daemon">): Promise<boolean> {
  const found = await daemon.find(() => docker.getNetwork("bridge").inspect());
  const options = found?.Options as Record<string, string> | null | undefined;
  const name = options?.["com.docker.network.bridge.name"];
  return name !== undefined && hasInterface(name);
}
