/** Where a host is that the runner is to contact for a job, and whether jobs may reach it. */
import { isPublic } from "./address.ts";
import { isAllowed, parseAllowed } from "./allow-list.ts";
import { machineAddresses } from "./server-addresses.ts";
import type { EgressSettings } from "./settings.ts";

export interface Target {
  host: string;
  port: number;
}

export interface FoundTarget {
  /** Empty where the name cannot be resolved now. */
  addresses: string[];
  /** What is wrong with one of them, in words that follow what it is; null where jobs may reach all. */
  refusal: string | null;
}

/** Judges as the filter of jobs' networks does. The caller has seen to it that there is one. */
export async function lookUpTarget(
  { host, port }: Target,
  settings: Pick<EgressSettings, "allow">,
  resolve: (host: string) => Promise<string[]>,
): Promise<FoundTarget> {
  const addresses = await resolve(host);
  const allow = settings.allow.flatMap((text) => parseAllowed(text) ?? []);
  const own = new Set(machineAddresses());
  const closed = addresses.find(
    (address) => !((isPublic(address) && !own.has(address)) || isAllowed(allow, address, port)),
  );
  return { addresses, refusal: closed === undefined ? null : refusalOf({ host, port }, closed) };
}

function refusalOf({ host, port }: Target, address: string): string {
  const where = host === address ? address : `${host} (${address})`;
  const entry = address.includes(":") ? `[${address}]:${String(port)}` : `${address}:${String(port)}`;
  return `${where} is not in the Internet; the runner's operator can allow it with FORGELINE_RUNNER_EGRESS_ALLOW=${entry}`;
}
