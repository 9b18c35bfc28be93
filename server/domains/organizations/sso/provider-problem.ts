/** A problem with a provider or its answer: a word for the audit log, and a sentence for the person who can act. */
import {
  AuthorizationResponseError,
  ClientError,
  ResponseBodyError,
  WWWAuthenticateChallengeError,
} from "openid-client";
import { outboundErrorIn } from "../../../platform/outbound/outbound-error.ts";

export type ProblemReason =
  | "unreachable"
  | "discovery"
  | "denied"
  | "provider_error"
  | "client_refused"
  | "code_refused"
  | "not_verified";

export class ProviderProblem extends Error {
  readonly reason: ProblemReason;

  constructor(reason: ProblemReason, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "ProviderProblem";
    this.reason = reason;
  }
}

/** While its configuration was read. Of what it sent, only its issuer is repeated. */
export function discoveryProblem(error: unknown): ProviderProblem {
  if (error instanceof ProviderProblem) return error;
  const outbound = outboundErrorIn(error);
  if (outbound) return new ProviderProblem("unreachable", outbound.message, { cause: error });
  return new ProviderProblem("discovery", discoveryText(error), { cause: error });
}

function discoveryText(error: unknown): string {
  const code = error instanceof ClientError ? error.code : undefined;
  if (code === "OAUTH_RESPONSE_IS_NOT_CONFORM")
    return "This issuer has no configuration at /.well-known/openid-configuration.";
  if (code === "OAUTH_RESPONSE_IS_NOT_JSON" || code === "OAUTH_PARSE_ERROR")
    return "The document at /.well-known/openid-configuration below this issuer is not JSON.";
  if (code === "OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED")
    return "The provider's configuration names another issuer; write the issuer exactly as it does.";
  return "The document at /.well-known/openid-configuration below this issuer is not a provider configuration.";
}

/** While somebody signs in. */
export function signInProblem(error: unknown): ProviderProblem {
  if (error instanceof ProviderProblem) return error;
  const outbound = outboundErrorIn(error);
  if (outbound) return new ProviderProblem("unreachable", outbound.message, { cause: error });
  if (error instanceof AuthorizationResponseError) return refusal(error);
  if (isClientRefusal(error))
    return new ProviderProblem(
      "client_refused",
      "The provider rejected the configured client id and secret.",
      { cause: error },
    );
  if (error instanceof ResponseBodyError)
    return new ProviderProblem("code_refused", "The provider rejected the code it issued; start again.", {
      cause: error,
    });
  return new ProviderProblem("not_verified", "The provider's answer could not be verified.", {
    cause: error,
  });
}

/** 401 with a challenge is how providers refuse a client that showed its secret in a header (RFC 6749, section 5.2). */
function isClientRefusal(error: unknown): boolean {
  if (error instanceof WWWAuthenticateChallengeError) return true;
  return (
    error instanceof ResponseBodyError && ["invalid_client", "unauthorized_client"].includes(error.error)
  );
}

function refusal(error: AuthorizationResponseError): ProviderProblem {
  if (error.error === "access_denied")
    return new ProviderProblem("denied", "The provider did not let you in.", { cause: error });
  return new ProviderProblem("provider_error", "The provider could not sign you in.", { cause: error });
}
