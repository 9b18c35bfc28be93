/** IP addresses and networks as bytes. */
import { BlockList, isIPv4, isIPv6 } from "node:net";
import {
  globalV6Range,
  specialV4Ranges,
  specialV6Ranges,
} from "@forgeline/schemas/core/special-addresses.ts";

export interface Network {
  /** Four of IPv4, sixteen of IPv6. */
  bytes: Buffer;
  prefix: number;
}

/** null for what is no address; a zone (`%eth0`) makes it none. */
export function addressBytes(text: string): Buffer | null {
  if (isIPv4(text)) return Buffer.from(text.split(".").map(Number));
  if (!isIPv6(text) || text.includes("%")) return null;
  // The URL parser writes every spelling in one way: groups of digits, and at most one gap.
  const [front = "", back] = new URL(`http://[${text}]/`).hostname.slice(1, -1).split("::");
  const [head, tail] = [groupsOf(front), groupsOf(back ?? "")];
  const gap = Array<number>(8 - head.length - tail.length).fill(0);
  return Buffer.from([...head, ...gap, ...tail].flatMap((group) => [group >> 8, group & 0xff]));
}

function groupsOf(text: string): number[] {
  return text === "" ? [] : text.split(":").map((group) => Number.parseInt(group, 16));
}

/** `ADDRESS` or `ADDRESS/BITS`; null for what is neither. */
export function networkOf(text: string): Network | null {
  const [address = "", prefix, ...more] = text.split("/");
  const bytes = addressBytes(address);
  if (bytes === null || more.length > 0) return null;
  const bits = bytes.length * 8;
  if (prefix === undefined) return { bytes, prefix: bits };
  const number = Number(prefix);
  return /^\d{1,3}$/.test(prefix) && number <= bits ? { bytes, prefix: number } : null;
}

/** It is one address, not several. */
export function isSingle({ bytes, prefix }: Network): boolean {
  return prefix === bytes.length * 8;
}

export function isWithin(address: Buffer, { bytes, prefix }: Network): boolean {
  if (address.length !== bytes.length) return false;
  const whole = Math.floor(prefix / 8);
  if (!address.subarray(0, whole).equals(bytes.subarray(0, whole))) return false;
  const rest = prefix % 8;
  return rest === 0 || ((address[whole] ?? 0) ^ (bytes[whole] ?? 0)) >> (8 - rest) === 0;
}

const special = new BlockList();
const global = new BlockList();
const addTo = (list: BlockList, range: string): void => {
  const [address = "", prefix] = range.split("/");
  list.addSubnet(address, Number(prefix), isIPv4(address) ? "ipv4" : "ipv6");
};
for (const range of [...specialV4Ranges, ...specialV6Ranges]) addTo(special, range);
addTo(global, globalV6Range);

/** Belongs to the Internet at large. */
export function isPublic(address: string): boolean {
  if (isIPv4(address)) return !special.check(address, "ipv4");
  if (addressBytes(address) === null) return false;
  return global.check(address, "ipv6") && !special.check(address, "ipv6");
}
