/** What is known of a request before anything of it is believed: id, client address, scheme, user agent. */
import { randomUUID } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { TLSSocket } from "node:tls";
import type { Geo, Locate } from "../geo.ts";
import { plainAddress, type AddressRanges } from "../network/address-ranges.ts";

export interface RequestContext {
  id: string;
  ipAddress: string;
  userAgent: string;
  /** Where the address is; looked up when it is requested. */
  readonly geo: Geo | null;
  /** TLS reached us, or ended in a proxy that we trust. */
  secure: boolean;
}

/** `X-Forwarded-*` count only when the peer is a trusted proxy, and then from the right, past trusted hops. */
export function createRequestContext(
  req: IncomingMessage,
  trustedProxies: AddressRanges,
  locate: Locate = () => null,
): RequestContext {
  const peer = plainAddress(req.socket.remoteAddress ?? "");
  const viaProxy = trustedProxies.contains(peer);
  const encrypted = (req.socket as TLSSocket).encrypted === true;
  const ipAddress = viaProxy
    ? clientBehindProxies(header(req, "x-forwarded-for"), peer, trustedProxies)
    : peer;
  return {
    id: randomUUID(),
    ipAddress,
    get geo() {
      return locate(ipAddress);
    },
    userAgent: (req.headers["user-agent"] ?? "").slice(0, 400),
    secure: encrypted || (viaProxy && header(req, "x-forwarded-proto").trim().toLowerCase() === "https"),
  };
}

function header(req: IncomingMessage, name: string): string {
  const value = req.headers[name];
  return Array.isArray(value) ? value.join(",") : (value ?? "");
}

function clientBehindProxies(forwardedFor: string, peer: string, trusted: AddressRanges): string {
  let client = peer;
  for (const hop of forwardedFor.split(",").reverse()) {
    const address = plainAddress(hop.trim());
    if (address === "" || !/^[0-9a-fA-F.:]+$/.test(address)) return client;
    client = address;
    if (!trusted.contains(address)) return client;
  }
  return client;
}
