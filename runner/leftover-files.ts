/** Removes what jobs of an earlier process left: environments of lost leases, spools and checkouts. */
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Logger } from "pino";
import type { Engine } from "./engine/engine.ts";
import { type JobRecord, leaseKey } from "./state/job-record.ts";
import type { StateFile } from "./state/state-file.ts";

export async function removeLeftoverFiles(
  home: string,
  isOurs: (leaseKey: string) => boolean,
): Promise<void> {
  for (const name of ["spool", "checkouts"]) {
    const directory = join(home, name);
    for (const entry of await readdir(directory).catch(() => []))
      if (!isOurs(entry)) await rm(join(directory, entry), { recursive: true, force: true });
  }
}

/** What a dead process left in the engine, except what these leases and the stages on this runner go on with. */
export async function sweepLeftovers(
  { engine, state, logger }: { engine: Engine; state: StateFile; logger: Logger },
  records: readonly JobRecord[],
): Promise<void> {
  const resumed = records.filter((record) => record.handle !== null && record.prepared);
  const swept = await engine.sweep(new Set([...resumed.map(leaseKey), ...state.workspaces.keys()]));
  if (swept.containers + swept.networks + swept.volumes > 0)
    logger.info(swept, "removed leftovers of earlier jobs");
}

/** A lease of an earlier process that the server gave away. Never rejects: what stays is swept at the next start. */
export async function dropLostLease(
  { engine, state, logger }: { engine: Engine; state: StateFile; logger: Logger },
  record: JobRecord,
): Promise<void> {
  try {
    if (record.handle) await engine.discard(record.handle);
    await state.remove(record);
  } catch (error) {
    logger.error({ err: error, lease: leaseKey(record) }, "a lost lease could not be removed");
  }
}
