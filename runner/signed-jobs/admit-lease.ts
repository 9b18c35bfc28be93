/** The one way from a lease of the server to a job: through the gate. */
import type { LeaseSpec } from "@forgeline/schemas/runner-protocol/lease.ts";
import type { Engine } from "../engine/engine.ts";
import { jobServer } from "../job/job-server.ts";
import type { JobRecord } from "../state/job-record.ts";
import type { JobGate } from "./job-gate.ts";

/** Jobs may reach the server that the lease names, unless it is refused. Without a gate, every lease is executed. */
export function admitLease(
  { gate, engine }: { gate?: JobGate; engine: Engine },
  spec: LeaseSpec,
  record: JobRecord | null,
): LeaseSpec {
  const admitted = gate ? gate.admit(spec, record) : spec;
  const server = admitted.refusal ? null : jobServer(admitted);
  if (server !== null) engine.serverAt(server);
  return admitted;
}
