/** What jobs of one runner may reach. */
import { createHash } from "node:crypto";
import type { AllowedTarget } from "./allow-list.ts";
import type { ConnectionLimit } from "./connection-limit.ts";

export interface Endpoint {
  address: string;
  port: number;
}

export interface EgressPolicy {
  table: string;
  /** Bridges of this runner's jobs have names that begin so. */
  bridgePrefix: string;
  allow: readonly AllowedTarget[];
  /** Where jobs reach the server, on other machines and on this one by its addresses. */
  servers: readonly Endpoint[];
  /** Ports of the server on this machine, at whatever address of it. */
  localServerPorts: readonly number[];
  /** Addresses of this machine by which jobs may request those ports; without those of Docker's own networks. */
  localServerAddresses: readonly string[];
  /** Addresses of name servers that containers ask. */
  resolvers: readonly string[];
  /** The machine itself answers for names in networks of jobs. */
  answersNames: boolean;
  /** Addresses of this machine that count as public. */
  hostAddresses: readonly string[];
  /** Of each network; null where the kernel cannot count them. */
  connections: ConnectionLimit | null;
  /** Jobs send with addresses of their own network alone; false where the kernel cannot look for the way back to an address. */
  checksSources: boolean;
}

/** Networks of jobs that may reach less than others: `none` nothing, `proxy` nothing but their proxy on this machine. */
export type ClosedKind = "none" | "proxy";

/** Of their bridges. What follows the prefix of others is a hexadecimal digit. */
export function closedPrefix(bridgePrefix: string, kind: ClosedKind): string {
  return `${bridgePrefix}${kind === "none" ? "n" : "p"}`;
}

/** Where proxies listen, each at the address that this machine has on its job's bridge. */
export const jobProxyPort = 13_128;

/** The same for every process of a runner, so that networks which a former one left stay behind the filter. */
export function namesFor(runnerId: string): Pick<EgressPolicy, "table" | "bridgePrefix"> {
  const short = createHash("sha256").update(runnerId).digest("hex").slice(0, 6);
  return { table: `forgeline_${short}`, bridgePrefix: `fl${short}-` };
}
