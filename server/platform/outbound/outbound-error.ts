/** Why a request to somebody else's server came to nothing, in words for whoever chose its address. */

export type OutboundReason =
  | "address"
  | "no_public_address"
  | "untrusted_certificate"
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
