/** IP addresses and CIDR ranges, and whether an address is in one. IPv4 in IPv6 form counts as IPv4. */
import { BlockList, isIP } from "node:net";

export interface AddressRanges {
  isEmpty: boolean;
  contains(address: string): boolean;
}

/** Wildcards and prefixes shorter than /8 are a problem: they would believe half the Internet. */
export function parseAddressRanges(list: string): { ranges: AddressRanges; problem: string | undefined } {
  const blocks = new BlockList();
  const entries = list
    .split(",")
    .map((entry) => entry.trim())
    .filter((entry) => entry !== "");
  let problem: string | undefined;
  for (const entry of entries) {
    const [address = "", prefixText, ...rest] = entry.split("/");
    const version = isIP(address);
    const longest = version === 6 ? 128 : 32;
    const prefix =
      prefixText === undefined ? longest : /^\d{1,3}$/.test(prefixText) ? Number(prefixText) : -1;
    if (version === 0 || rest.length > 0 || prefix < 0 || prefix > longest)
      problem ??= `"${entry}" is not an IP address or CIDR range`;
    else if (prefix < 8) problem ??= `"${entry}" is too wide; a prefix of at least /8 is required`;
    else blocks.addSubnet(address, prefix, version === 6 ? "ipv6" : "ipv4");
  }
  return {
    ranges: { isEmpty: entries.length === 0, contains: (address) => blockContains(blocks, address) },
    problem,
  };
}

/** Whether every address of `range` is in one of `outer`; both as `parseAddressRanges` takes them. */
export function liesWithin(range: string, outer: readonly string[]): boolean {
  const inner = partsOf(range);
  return outer.some((each) => {
    const { version, prefix } = partsOf(each);
    if (version !== inner.version || prefix > inner.prefix) return false;
    return parseAddressRanges(each).ranges.contains(inner.address);
  });
}

function partsOf(range: string): { address: string; version: number; prefix: number } {
  const [address = "", prefix] = range.split("/");
  const version = isIP(address);
  return { address, version, prefix: prefix === undefined ? (version === 6 ? 128 : 32) : Number(prefix) };
}

function blockContains(blocks: BlockList, address: string): boolean {
  const plain = plainAddress(address);
  const version = isIP(plain);
  return version !== 0 && blocks.check(plain, version === 6 ? "ipv6" : "ipv4");
}

/** `::ffff:10.0.0.1` → `10.0.0.1`; zone names are dropped. */
export function plainAddress(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, "").replace(/%.*$/, "");
}
