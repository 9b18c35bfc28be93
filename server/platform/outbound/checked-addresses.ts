/** Resolves the name of a host once, and refuses it if any of its addresses is not public. */
import { lookup } from "node:dns/promises";
import { isIP } from "node:net";
import type { Logger } from "../logger.ts";
import type { AddressRanges } from "../network/address-ranges.ts";
import { OutboundError } from "./outbound-error.ts";
import { isPublicAddress } from "./public-address.ts";

export interface ResolvedAddress {
  address: string;
  family: number;
}

export interface AddressCheckDeps {
  /** Addresses that may be dialled although they are not public. */
  allowed: AddressRanges;
  logger: Pick<Logger, "warn">;
  resolve?: (host: string) => Promise<ResolvedAddress[]>;
}

/** Throws OutboundError. */
export type AddressCheck = (host: string) => Promise<ResolvedAddress[]>;

export function createAddressCheck(deps: AddressCheckDeps): AddressCheck {
  const resolve = deps.resolve ?? ((host: string) => lookup(host, { all: true }));
  return async (host) => {
    const family = isIP(host);
    const found = family > 0 ? [{ address: host, family }] : await resolve(host).catch(() => []);
    const bad = found.find(({ address }) => !mayDial(deps.allowed, address));
    if (bad) deps.logger.warn({ host, address: bad.address }, "an outbound request was refused");
    // Alike for a name that leads inside and for one that leads nowhere: the answer would tell what is inside.
    if (bad || found.length === 0)
      throw new OutboundError("no_public_address", `${host} has no public address.`);
    return found;
  };
}

export function mayDial(allowed: AddressRanges, address: string): boolean {
  return isPublicAddress(address) || allowed.contains(address);
}
