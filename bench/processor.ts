/** Processor time of processes on this machine, of which Linux counts hundredths of a second. */
import { readFile } from "node:fs/promises";
import type { Bench } from "./scenario.ts";

/** 0 for one that has ended. */
export async function processorMs(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
  const fields = stat.replace(/^.*\) /, "").split(" ");
  return (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) * 10;
}

/** What the first server and the connections of the instance to PostgreSQL take while something is done. */
export async function processorOf(
  { instance, database }: Bench,
  work: () => Promise<unknown>,
): Promise<{ serverMs: number; databaseMs: number }> {
  const server = instance.servers[0]?.program.pid() ?? 0;
  const { rows } = await database.query<{ pid: number }>(
    "select pid from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()",
  );
  const connections = rows.map(({ pid }) => pid);
  const ofDatabase = async () =>
    (await Promise.all(connections.map(processorMs))).reduce((sum, ms) => sum + ms, 0);
  const before = { server: await processorMs(server), database: await ofDatabase() };
  await work();
  return {
    serverMs: (await processorMs(server)) - before.server,
    databaseMs: (await ofDatabase()) - before.database,
  };
}
