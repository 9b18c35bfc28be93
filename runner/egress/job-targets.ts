/** Which hosts the file lists that a job may reach. */
import { type NetworkTarget, parseNetworkTarget } from "@forgeline/compiler/network-target.ts";
import { addressBytes, isWithin, networkOf } from "./address.ts";
import type { Target } from "./target.ts";

/** What an older or newer compiler let through, and this runner cannot read, opens nothing. */
export function readTargets(entries: readonly string[]): NetworkTarget[] {
  return entries.flatMap((entry) => parseNetworkTarget(entry) ?? []);
}

/**
 * By what was asked for: a name matches names alone, and an address addresses and networks. So no name has to be looked up to know
 * whether it may be, which would carry whatever it says to somebody's name server.
 */
export function isListed(targets: readonly NetworkTarget[], { host, port }: Target): boolean {
  const name = host.toLowerCase().replace(/\.$/, "");
  const bytes = addressBytes(host);
  return targets.some((target) => {
    if (target.port !== null && target.port !== port) return false;
    if (target.kind === "name") return bytes === null && name === target.text;
    if (target.kind === "below") return bytes === null && name.endsWith(`.${target.text}`);
    const network = networkOf(target.text);
    return network !== null && bytes !== null && isWithin(bytes, network);
  });
}
