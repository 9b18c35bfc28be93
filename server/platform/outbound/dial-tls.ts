/** A connection with TLS for protocols other than HTTP. The same rules hold as for every request to others' servers. */
import { once } from "node:events";
import { connect as connectTcp, isIP, type Socket } from "node:net";
import { setImmediate as nextTurn } from "node:timers/promises";
import { connect as connectTls, createSecureContext, type SecureContext } from "node:tls";
import type { AddressCheck } from "./checked-addresses.ts";
import { fixedLookup } from "./fixed-lookup.ts";
import { toOutboundError } from "./outbound-error.ts";
import { withoutEnd } from "./without-end.ts";

export interface TlsTarget {
  host: string;
  port: number;
  /** PEM; if given, only certificates that this authority signed are accepted. */
  authority?: string | undefined;
  /** For looking the name up, for the handshake, for each write, and for the end. */
  timeoutMs: number;
  signal: AbortSignal;
}

export interface TlsConnection {
  /** Resolves once the system has taken it, which tells nothing of the other side. Throws OutboundError. */
  write(text: string): Promise<void>;
  /**
   * Says that nothing follows, and resolves when the other side has said so in turn and has closed the connection with nothing left unread.
   * Throws OutboundError. Somebody on the way who cuts the connection cannot make it resolve: only the other side can say that in TLS.
   */
  finish(): Promise<void>;
  /** At once, whatever is on its way. */
  destroy(): void;
}

interface DialDeps {
  checkedAddresses: AddressCheck;
  secureContext: SecureContext | undefined;
}

/** Throws OutboundError. */
export async function dialTls(deps: DialDeps, target: TlsTarget): Promise<TlsConnection> {
  const { host, port, authority, timeoutMs, signal } = target;
  const inTime = async <T>(work: Promise<T>): Promise<T> => {
    const deadline = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
    try {
      return await Promise.race([work, aborted(deadline)]);
    } catch (error) {
      throw toOutboundError(error, host);
    }
  };
  const addresses = await inTime(deps.checkedAddresses(host));
  const tcp = connectTcp({ host, port, lookup: fixedLookup(addresses), allowHalfOpen: true });
  const secureContext = authority === undefined ? deps.secureContext : createSecureContext({ ca: authority });
  const tls = connectTls({
    socket: withoutEnd(tcp),
    host,
    ...(isIP(host) === 0 ? { servername: host } : {}),
    ...(secureContext ? { secureContext } : {}),
  });
  const broken = brokenBy([tcp, tls]);
  const destroy = () => {
    tls.destroy();
    tcp.destroy();
  };
  const unlessBroken = async <T>(work: Promise<T>): Promise<T> => {
    try {
      return await inTime(Promise.race([work, broken]));
    } catch (error) {
      destroy();
      throw error;
    }
  };
  const toldEnd = quietly(once(tls, "end"));
  // The system resets a connection that is closed before all was read, so its end says that nothing was left.
  const closed = quietly(once(tcp, "end"));
  await unlessBroken(once(tls, "secureConnect"));
  // What it sends is of no interest, but its end is seen only by whoever reads.
  tls.resume();
  return {
    write: (text) => unlessBroken(written(tls, text)),
    async finish() {
      tls.end();
      await unlessBroken(Promise.race([toldEnd, closed.then(refuseCut)]));
      tcp.resume();
      await unlessBroken(closed);
      destroy();
    },
    destroy,
  };
}

/** What came just before the end may not have been decrypted yet. */
async function refuseCut(): Promise<never> {
  await nextTurn();
  throw new Error("the connection was cut");
}

/** That it rejects while nobody waits for it is no error. */
function quietly<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => undefined);
  return promise;
}

/** Rejects when one of them breaks. */
function brokenBy(streams: readonly Pick<Socket, "on">[]): Promise<never> {
  const { promise, reject } = Promise.withResolvers<never>();
  for (const stream of streams) stream.on("error", reject);
  return quietly(promise);
}

function aborted(signal: AbortSignal): Promise<never> {
  const { promise, reject } = Promise.withResolvers<never>();
  const onAbort = () => reject(signal.reason as Error);
  if (signal.aborted) onAbort();
  else signal.addEventListener("abort", onAbort, { once: true });
  return quietly(promise);
}

function written(tls: Pick<Socket, "write">, text: string): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  tls.write(text, (error) => (error ? reject(error) : resolve()));
  return promise;
}
