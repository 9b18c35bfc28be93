/** The first start after a restore: what must be forgotten, and what must be brought together. */
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import pg from "pg";
import type { Console } from "./console.ts";
import type { HomePaths } from "./home.ts";
import type { PostgresCluster } from "./postgres/cluster.ts";
import { repairInstance, type InstanceFacts } from "./server-processes.ts";

/** There while a restore is under way. */
export const unfinishedRestore = "restore-unfinished";
/** There from the end of a restore to the end of the first start's repair. */
export const pendingRepair = "restored.json";

const maxShown = 20;

export async function refuseHalfRestored(paths: HomePaths): Promise<void> {
  const half = await readFile(join(paths.root, unfinishedRestore)).catch(() => undefined);
  if (half) throw new Error(`a restore into ${paths.root} did not finish: restore again, into the same home`);
}

export async function wasRestored(paths: HomePaths): Promise<boolean> {
  return readFile(join(paths.root, pendingRepair)).then(
    () => true,
    () => false,
  );
}

/**
 * Temporal's processes find each other through this table: those of the instance that was backed up may still live, and
 * must not take ours for theirs.
 */
export async function forgetTemporalMembers(cluster: PostgresCluster): Promise<void> {
  const client = new pg.Client({ connectionString: cluster.url("superuser", "temporal") });
  try {
    await client.connect();
    await client.query("delete from cluster_membership");
  } catch (error) {
    // An instance whose Temporal was elsewhere has no such database, or an empty one.
    if (!["3D000", "42P01"].includes((error as { code?: string }).code ?? "")) throw error;
  } finally {
    await client.end();
  }
}

/** Again at the next start when it is cut off. */
export async function repairRestored(facts: InstanceFacts): Promise<void> {
  const { console, paths } = facts;
  console.say("restore", "comparing database, repositories and objects");
  tell(console, await repairInstance(facts));
  await rm(join(paths.root, pendingRepair));
}

function tell(console: Console, { findings, file }: Awaited<ReturnType<typeof repairInstance>>): void {
  for (const { subject, text } of findings.slice(0, maxShown)) console.say("restore", `${subject}: ${text}`);
  const outcome =
    findings.length === 0 ? "all agree" : `${findings.length} difference(s) repaired or reported`;
  console.ready("restore", `${outcome}; list: ${file}`);
}
