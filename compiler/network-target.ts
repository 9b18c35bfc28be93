/** One entry of `network: { allow: … }`: a host name, an address or a network, with or without a port. */
import { z } from "zod";

export interface NetworkTarget {
  /** `below`: every name that ends in a dot and this, not this itself. */
  kind: "name" | "below" | "network";
  /** In lower case; of a network `ADDRESS` or `ADDRESS/BITS`. */
  text: string;
  /** null: every port. */
  port: number | null;
}

const label = "[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?";
/** The last part has a letter, so that a mistyped address is no name. */
const hostName = new RegExp(`^(?:${label}\\.)*(?=[0-9_-]*[a-z])${label}$`);
const network = z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()]);

/** null for what is none of them. */
export function parseNetworkTarget(written: string): NetworkTarget | null {
  const { host, port } = splitPort(written.toLowerCase());
  if (port !== null && (port < 1 || port > 65_535)) return null;
  if (network.safeParse(host).success) return { kind: "network", text: host, port };
  const isBelow = host.startsWith("*.");
  const name = isBelow ? host.slice(2) : host;
  if (name.length > 253 || !hostName.test(name)) return null;
  return { kind: isBelow ? "below" : "name", text: name, port };
}

/** IPv6 stands in brackets where a port follows. */
function splitPort(text: string): { host: string; port: number | null } {
  const match = /^(?:\[([^\]]+)\]|([^:[\]]+))(?::([0-9]{1,5}))?$/.exec(text);
  if (match === null) return { host: text, port: null };
  return {
    host: match[1] ?? match[2] ?? "",
    port: match[3] === undefined ? null : Number(match[3]),
  };
}
