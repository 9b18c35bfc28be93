/** Processor time of what all test files share: PostgreSQL, Temporal, the Docker daemon and everything below it. */
import { readdir, readFile } from "node:fs/promises";

const tickMs = 10;
const names: Readonly<Record<string, string>> = {
  postgres: "PostgreSQL",
  "temporal-server": "Temporal",
  "temporal-serve": "Temporal",
  dockerd: "Docker",
  containerd: "Docker",
  "containerd-shim": "Docker",
};

export interface MachineCosts {
  /** Of the whole machine, idle time left out. */
  busyMs: number;
  kinds: Record<string, number>;
}

/** Since the machine, and each of the processes, started; the difference of two of these is what a run took. */
export async function readMachineCosts(): Promise<MachineCosts> {
  const kinds: Record<string, number> = {};
  const busyMs = await machineBusyMs();
  const pids = (await readdir("/proc").catch(() => [])).filter((name) => /^\d+$/.test(name));
  for (const pid of pids) {
    const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => undefined);
    if (stat === undefined) continue;
    const [name, spentMs] = spentBy(stat);
    const kind = names[name];
    if (kind !== undefined) kinds[kind] = (kinds[kind] ?? 0) + spentMs;
  }
  return { busyMs, kinds };
}

/** Name of the program; its processor time with that of its ended children. */
function spentBy(stat: string): [string, number] {
  const end = stat.lastIndexOf(")");
  const fields = stat.slice(end + 2).split(" ");
  const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
  return [stat.slice(stat.indexOf("(") + 1, end), ticks * tickMs];
}

async function machineBusyMs(): Promise<number> {
  const [line = ""] = (await readFile("/proc/stat", "utf8").catch(() => "")).split("\n");
  const [user = 0, nice = 0, system = 0, , , irq = 0, softirq = 0] = line.split(/\s+/).slice(1).map(Number);
  return (user + nice + system + irq + softirq) * tickMs;
}
