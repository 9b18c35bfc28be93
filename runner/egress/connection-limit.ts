/**
 * How many connections of one job the kernel keeps track of. It has one table for the whole machine, and drops everybody's packets
 * when that is full; without a limit a job fills it within seconds.
 */
import { readFile } from "node:fs/promises";

export interface ConnectionLimit {
  /** That are open, or were silent for less than the kernel waits. */
  open: number;
  /** That may begin in a moment. */
  atOnce: number;
  /** That may begin each second from then on. */
  perSecond: number;
}

/** The kernel remembers a closed connection of TCP for two minutes, and does not count it as open. */
const rememberedSeconds = 120;
const maxConnections = 65_536;
const minConnections = 4_096;
/** Of a machine that does not say: what the kernel takes for a small one. */
const smallTable = 65_536;

/** Open ones, those that began at once and are closed again, and two minutes of those that began since: `all` together. */
export function divideConnections(all: number): ConnectionLimit {
  const quarter = Math.max(1, Math.floor(all / 4));
  return {
    open: quarter,
    atOnce: quarter,
    perSecond: Math.max(1, Math.floor((2 * quarter) / rememberedSeconds)),
  };
}

/** Half of the table is left to everything else on the machine. */
export function shareOfTable(table: number, capacity: number): number {
  return Math.min(maxConnections, Math.max(minConnections, Math.floor(table / 2 / capacity)));
}

export async function readConnectionTable(): Promise<number> {
  const text = await readFile("/proc/sys/net/netfilter/nf_conntrack_max", "utf8").catch(() => "");
  return Number(text) || smallTable;
}
