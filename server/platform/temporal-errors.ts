/** What calls to Temporal fail with, seen through the wrappers of its library. */
import { isGrpcServiceError } from "@temporalio/client";

/** Numbers of gRPC that we act on. */
export const grpcCodes = { notFound: 5, failedPrecondition: 9 } as const;

const transientCodes = new Set([1, 4, 8, 10, 13, 14]);

/** undefined for what did not come from Temporal. */
export function grpcCodeOf(error: unknown): number | undefined {
  if (isGrpcServiceError(error)) return error.code;
  const cause = error instanceof Error ? error.cause : undefined;
  return isGrpcServiceError(cause) ? cause.code : undefined;
}

/** Temporal is away or overloaded; what was asked is not to blame. */
export function isTemporalUnavailable(error: unknown): boolean {
  const code = grpcCodeOf(error);
  return code !== undefined && transientCodes.has(code);
}
