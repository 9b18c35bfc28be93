/**
 * The block of addresses that counts as one client: an IPv4 address itself, an IPv6 address's /56, which is the least
 * that a provider gives a customer.
 */
import { isIPv6 } from "node:net";

const groups = 8;

export function addressBlock(address: string): string {
  if (!isIPv6(address)) return address;
  const [head = "", tail] = address.toLowerCase().split("::");
  const before = head === "" ? [] : head.split(":");
  const after = tail === undefined || tail === "" ? [] : tail.split(":");
  const all = [
    ...before,
    ...Array<string>(Math.max(0, groups - before.length - after.length)).fill("0"),
    ...after,
  ];
  const [a, b, c, d] = all.map((group) => Number.parseInt(group, 16));
  return `${[a, b, c].map((n) => (n ?? 0).toString(16)).join(":")}:${((d ?? 0) & 0xff00).toString(16)}::/56`;
}
