/** For Node's clients: what was resolved and checked, so that nothing is resolved a second time. */
import type { LookupFunction } from "node:net";
import type { ResolvedAddress } from "./checked-addresses.ts";

export function fixedLookup(addresses: readonly ResolvedAddress[]): LookupFunction {
  return (_host, { all }, callback) => {
    const [first] = addresses;
    if (all) callback(null, [...addresses]);
    else callback(null, first?.address ?? "", first?.family ?? 4);
  };
}
