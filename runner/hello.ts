/** What the runner says of itself at the beginning of each connection. */
import type { z } from "zod";
import type { EgressReport } from "@forgeline/schemas/runner-protocol/egress.ts";
import type { Hello } from "@forgeline/schemas/runner-protocol/messages.ts";
import { runnerProtocolVersions } from "@forgeline/schemas/runner-protocol/version.ts";
import type { RunnerConfig } from "./config.ts";
import type { Engine } from "./engine/engine.ts";
import { machineFacts, offered } from "./machine-report.ts";
import type { ConnectShell } from "./shells/connect-shell.ts";
import type { StateFile } from "./state/state-file.ts";
import { runnerVersion } from "./version.ts";

/** Machines that build images have thousands; the newest say enough. */
const maxImages = 1_000;

interface HelloDeps {
  config: RunnerConfig;
  state: StateFile;
  engine: Engine;
  /** Absent: no shells are opened here. */
  connectShell?: ConnectShell;
}

type HelloFields = Omit<z.infer<typeof Hello>, "t" | "id">;

export async function helloOf(
  { config, state, engine, connectShell }: HelloDeps,
  now: { draining: boolean; leases: HelloFields["leases"]; egress: EgressReport; problem: string | null },
): Promise<HelloFields> {
  const { leases, egress, problem } = now;
  const kind = await engine.kind().catch(() => null);
  return {
    protocols: [...runnerProtocolVersions],
    version: runnerVersion,
    instanceId: state.instanceId,
    ...offered(config),
    ...machineFacts(),
    ...(kind === null ? {} : { engine: kind }),
    requiresSignatures: config.trustedKeys !== null,
    imageCacheBytes: config.engine === "docker" ? config.imageCacheBytes : null,
    features: ["lease_v2", ...engine.features()],
    sharedWorkspaces: [...state.workspaces.keys()],
    images: (await engine.images().catch(() => [])).slice(0, maxImages),
    shells: Boolean(connectShell),
    // Servers that do not know the problem see that it takes no jobs.
    draining: now.draining || problem !== null,
    ...(problem === null ? {} : { problem }),
    leases,
    egress,
  };
}
