/** IP addresses and networks as bytes. */
import { isIPv4, isIPv6 } from "node:net";
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

const networksOf = (ranges: readonly string[]): Network[] =>
  ranges.flatMap((range) => networkOf(range) ?? []);
const special = networksOf([...specialV4Ranges, ...specialV6Ranges]);
const global = networksOf([globalV6Range]);

/** Belongs to the Internet at large. */
export function isPublic(address: string): boolean {
  const bytes = addressBytes(address);
  const isIn = (list: readonly Network[]) => bytes !== null && list.some((each) => isWithin(bytes, each));
  if (bytes === null || isIn(special)) return false;
  return isIPv4(address) || isIn(global);
}
