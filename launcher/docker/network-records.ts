/**
 * Docker daemons (seen with 20.10) that are killed while they delete a network keep a record of it without its address
 * block, and die of it at each later start: "index out of range" in libnetwork's `reservePools`. Their maintainers'
 * advice is to remove the file of all records; the daemon recreates it.
 */
import { rename } from "node:fs/promises";
import { join } from "node:path";

const records = join("network", "files", "local-kv.db");

/** Whether the output of a daemon that ended at its start shows that death. */
export function failedOnNetworkRecords(output: string): boolean {
  return /^panic: .*index out of range/m.test(output) && output.includes("reservePools");
}

/** Moves the records aside; returns where to. Networks that people made by hand are to be made again. */
export async function setAsideNetworkRecords(dataRoot: string): Promise<string> {
  const aside = join(dataRoot, `${records}.broken`);
  await rename(join(dataRoot, records), aside);
  return aside;
}
