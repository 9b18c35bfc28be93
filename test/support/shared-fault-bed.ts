/**
 * One fault bed for those test files of a process that leave all of it running as they found it: an instance of its own
 * would cost each of them six seconds of processor time. It ends with the process, and must leave nothing in Docker.
 */
import { openFaultBed, type FaultBed } from "./fault-bed.ts";
import { runnerIsOnline, serverIsReady } from "./instance.ts";
import { atProcessEnd } from "./process-end.ts";

/** Soon noticed: runners that are silent, and offers that nobody answers. */
const env = { FORGELINE_HEARTBEAT_MS: "500", FORGELINE_OFFER_MS: "2000" };

export type SharedFaultBed = Omit<FaultBed, "close" | "closeEmpty">;

let shared: Promise<FaultBed> | undefined;

export function sharedFaultBed(): Promise<SharedFaultBed> {
  if (!shared) {
    const opening = openFaultBed({ env });
    shared = opening;
    atProcessEnd(async () => (await opening).closeEmpty());
  }
  return shared;
}

/** After a test: what it ended runs again, and the network is whole. Programs that run are left as they are. */
export async function restore(bed: SharedFaultBed): Promise<void> {
  const { instance } = bed;
  const [server] = instance.servers;
  const runner = bed.runner();
  bed.proxy.set({ name: "pass" });
  if (!server?.program.isRunning()) await bed.startServer();
  if (!instance.worker?.isRunning()) instance.worker?.start();
  if (!runner.program.isRunning()) runner.program.start();
  if (server) await serverIsReady(server, instance.certificates);
  await runnerIsOnline(instance.api, runner.name);
}
