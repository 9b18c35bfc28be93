/**
 * Which IP addresses belong to the Internet at large. Everything else leads into somebody's own network or machine, or
 * carries another address inside, and is not for requests whose target a user chose.
 */
import { BlockList, isIP } from "node:net";
import {
  globalV6Range,
  specialV4Ranges,
  specialV6Ranges,
} from "@forgeline/schemas/core/special-addresses.ts";

const specialV4 = blockListOf("ipv4", specialV4Ranges);
const globalV6 = blockListOf("ipv6", [globalV6Range]);
const specialV6 = blockListOf("ipv6", specialV6Ranges);

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
