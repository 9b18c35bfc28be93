/**
 * Which IP addresses belong to the Internet at large. Everything else leads into somebody's own network or machine, or
 * carries another address inside, and is not for requests whose target a user chose.
 */
import { BlockList, isIP } from "node:net";

/** IANA's special-purpose registry, multicast, reserved space, and the address behind which Azure answers its guests. */
const specialV4 = blockListOf("ipv4", [
  "0.0.0.0/8",
  "10.0.0.0/8",
  "100.64.0.0/10",
  "127.0.0.0/8",
  "168.63.129.16/32",
  "169.254.0.0/16",
  "172.16.0.0/12",
  "192.0.0.0/24",
  "192.0.2.0/24",
  "192.31.196.0/24",
  "192.52.193.0/24",
  "192.88.99.0/24",
  "192.168.0.0/16",
  "192.175.48.0/24",
  "198.18.0.0/15",
  "198.51.100.0/24",
  "203.0.113.0/24",
  "224.0.0.0/4",
  "240.0.0.0/4",
]);
/** All that is routed; mapped, compatible and translated IPv4, loopback, link-local and unique local ones lie outside. */
const globalV6 = blockListOf("ipv6", ["2000::/3"]);
/** Teredo, 6to4 and the like, which carry IPv4 addresses; documentation; AS112. */
const specialV6 = blockListOf("ipv6", [
  "2001::/23",
  "2001:db8::/32",
  "2002::/16",
  "2620:4f:8000::/48",
  "3fff::/20",
]);

/** False also for what is no address. */
export function isPublicAddress(address: string): boolean {
  const version = isIP(address);
  if (version === 4) return !specialV4.check(address, "ipv4");
  if (version !== 6 || address.includes("%")) return false;
  return globalV6.check(address, "ipv6") && !specialV6.check(address, "ipv6");
}

function blockListOf(family: "ipv4" | "ipv6", ranges: readonly string[]): BlockList {
  const list = new BlockList();
  for (const range of ranges) {
    const [address = "", prefix] = range.split("/");
    list.addSubnet(address, Number(prefix), family);
  }
  return list;
}
