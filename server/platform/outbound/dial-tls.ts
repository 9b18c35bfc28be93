/** A connection with TLS for protocols other than HTTP. The same rules hold as for every request to others' servers. */
import { once } from "node:events";
import { isIP } from "node:net";
import { connect, createSecureContext, type SecureContext, type TLSSocket } from "node:tls";
import type { AddressCheck } from "./checked-addresses.ts";
import { fixedLookup } from "./fixed-lookup.ts";
import { toOutboundError } from "./outbound-error.ts";

export interface TlsTarget {
  host: string;
  port: number;
  /** PEM; if given, only certificates that this authority signed are accepted. */
  authority?: string | undefined;
  /** For the handshake, for each write, and for the end. */
  timeoutMs: number;
  signal: AbortSignal;
}

export interface TlsConnection {
  /** Resolves once the system has taken it, which tells nothing of the other side. Throws OutboundError. */
  write(text: string): Promise<void>;
  /**
   * Says that nothing follows, and resolves when the other side has closed the connection in turn: it has read all that was written.
   * Throws OutboundError.
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
  const addresses = await deps.checkedAddresses(host);
  const secureContext = authority === undefined ? deps.secureContext : createSecureContext({ ca: authority });
  const socket = connect({
    host,
    port,
    lookup: fixedLookup(addresses),
    ...(isIP(host) === 0 ? { servername: host } : {}),
    ...(secureContext ? { secureContext } : {}),
  });
  const broken = brokenBy(socket);
  const inTime = async <T>(work: Promise<T>): Promise<T> => {
    const deadline = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
    try {
      return await Promise.race([work, broken, aborted(deadline)]);
    } catch (error) {
      socket.destroy();
      throw toOutboundError(error, host);
    }
  };
  await inTime(once(socket, "secureConnect"));
  // What it sends is of no interest, but its end is seen only by whoever reads.
  socket.resume();
  return {
    write: (text) => inTime(written(socket, text)),
    async finish() {
      const closed = once(socket, "end");
      socket.end();
      await inTime(closed);
      socket.destroy();
    },
    destroy: () => socket.destroy(),
  };
}

/** Rejects when the connection breaks; that nobody may be waiting then is no error. */
function brokenBy(socket: TLSSocket): Promise<never> {
  const { promise, reject } = Promise.withResolvers<never>();
  socket.on("error", reject);
  socket.on("close", () => reject(new Error("the connection was closed")));
  promise.catch(() => undefined);
  return promise;
}

function aborted(signal: AbortSignal): Promise<never> {
  const { promise, reject } = Promise.withResolvers<never>();
  const onAbort = () => reject(signal.reason as Error);
  if (signal.aborted) onAbort();
  else signal.addEventListener("abort", onAbort, { once: true });
  promise.catch(() => undefined);
  return promise;
}

function written(socket: TLSSocket, text: string): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  socket.write(text, (error) => (error ? reject(error) : resolve()));
  return promise;
}
