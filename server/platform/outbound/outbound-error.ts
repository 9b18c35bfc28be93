/** Why a request to somebody else's server came to nothing, in words for whoever chose its address. */

export type OutboundReason =
  | "address"
  | "no_public_address"
  | "untrusted_certificate"
  | "client_certificate"
  | "unreachable"
  | "timeout"
  | "answer_too_large"
  | "answer_encoded";

export class OutboundError extends Error {
  readonly reason: OutboundReason;

  constructor(reason: OutboundReason, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "OutboundError";
    this.reason = reason;
  }
}

/** The OutboundError in what a library made of it; undefined where there is none. */
export function outboundErrorIn(error: unknown): OutboundError | undefined {
  for (let at = error; at instanceof Error; at = at.cause) if (at instanceof OutboundError) return at;
  return undefined;
}

/** What went wrong between us and a host, in our words. */
export function toOutboundError(error: unknown, host: string): Error {
  if (error instanceof OutboundError || error instanceof TypeError) return error;
  const { code = "", name } = error as NodeJS.ErrnoException;
  if (name === "TimeoutError" || name === "AbortError")
    return new OutboundError("timeout", `${host} did not respond in time.`, { cause: error });
  if (/ALERT_(?:CERTIFICATE_REQUIRED|BAD_CERTIFICATE|HANDSHAKE_FAILURE)/.test(code))
    return new OutboundError(
      "client_certificate",
      `${host} refused the connection: it may want a certificate of its clients, or other algorithms.`,
      { cause: error },
    );
  if (/CERT|SELF_SIGNED|UNABLE_TO_|ERR_TLS/.test(code))
    return new OutboundError("untrusted_certificate", `The certificate of ${host} is not trusted here.`, {
      cause: error,
    });
  return new OutboundError("unreachable", `${host} could not be reached.`, { cause: error });
}
