/**
 * The block of addresses that counts as one client: an IPv4 address itself, in whatever form; an IPv6 address's /56,
 * which is the least that a provider gives a customer.
 */
import { isIPv4, isIPv6 } from "node:net";
import { plainAddress } from "./address-ranges.ts";

const groups = 8;

/** `unknown` for what is no address. */
export function addressBlock(address: string): string {
  const plain = plainAddress(address);
  if (isIPv4(plain)) return plain;
  if (!isIPv6(plain)) return "unknown";
  // The URL parser writes every spelling in one way: groups of digits without leading zeros.
  const [front = "", back = ""] = new URL(`http://[${plain}]/`).hostname.slice(1, -1).split("::");
  const numbers = (text: string) =>
    text === "" ? [] : text.split(":").map((group) => Number.parseInt(group, 16));
  const [head, tail] = [numbers(front), numbers(back)];
  const all = [...head, ...Array<number>(groups - head.length - tail.length).fill(0), ...tail];
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = all;
  if ([a, b, c, d, e].every((group) => group === 0) && f === 0xffff)
    return [g >> 8, g & 0xff, h >> 8, h & 0xff].join(".");
  return `${[a, b, c, d & 0xff00].map((group) => group.toString(16)).join(":")}::/56`;
}
