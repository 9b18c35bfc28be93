/** The one way from a lease of the server to a job: through the gate. */
import type { LeaseSpec } from "@forgeline/schemas/runner-protocol/lease.ts";
import { reachedAt, type RunnerConfig } from "../config.ts";
import type { Engine } from "../engine/engine.ts";
import { jobServer } from "../job/job-server.ts";
import type { JobRecord } from "../state/job-record.ts";
import type { JobGate } from "./job-gate.ts";

interface AdmitDeps {
  gate?: JobGate;
  engine: Engine;
  config: Pick<RunnerConfig, "name" | "engine" | "connectUrl">;
}

/** Addresses of the server that jobs are given. */
const addressVariables = ["CI_API_URL", "CI_REPO_URL"];

/** Jobs may reach the server that the lease names, unless it is refused. Without a gate, every lease is executed. */
export function admitLease(
  { gate, engine, config }: AdmitDeps,
  spec: LeaseSpec,
  record: JobRecord | null,
): LeaseSpec {
  const admitted = gate ? gate.admit(spec, record) : spec;
  const server = admitted.refusal ? null : jobServer(admitted);
  if (server !== null) engine.serverAt(server);
  // Known here only, and so not part of what is signed.
  const named = { ...admitted, ciEnv: { ...admitted.ciEnv, CI_RUNNER_NAME: config.name } };
  return config.engine === "process" ? reachedAsHere(named, config.connectUrl) : named;
}

/** The lease names the server as containers reach it, often `host.docker.internal`; processes reach it as the runner does. */
function reachedAsHere(spec: LeaseSpec, connectUrl: string): LeaseSpec {
  const { origin } = new URL(connectUrl.replace(/^wss:/, "https:"));
  const given = Object.entries(spec.ciEnv).map(([name, value]): [string, string] => [
    name,
    addressVariables.includes(name) && URL.canParse(value) ? reachedAt(value, origin) : value,
  ]);
  return { ...spec, ciEnv: Object.fromEntries(given) };
}
