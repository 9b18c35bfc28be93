/**
 * A provider's claims about a person. Only `subject` identifies them; the rest is text that anybody could have entered there.
 */
import { displayText } from "@forgeline/schemas/core/display-text.ts";
import { ownerName } from "@forgeline/schemas/core/ids.ts";
import { emailAddress } from "@forgeline/schemas/users/resource.ts";
import { isStorable } from "../../../platform/storable-text.ts";
import { isReservedOwnerName } from "../../accounts/domain.ts";
import { ProviderProblem } from "./provider-problem.ts";

export interface Claims {
  subject: string;
  email: string | null;
  /** Verified by the provider, which only the organization has a reason to trust. */
  emailVerified: boolean;
  displayName: string;
  /** A possible name for the account; empty if the claims contain none. */
  suggestedUsername: string;
}

const displayName = displayText(100);

/** Throws ProviderProblem for a subject that cannot be kept. */
export function readClaims(claims: Readonly<Record<string, unknown>>): Claims {
  const { sub, email, name } = claims;
  // OpenID Connect Core 1.0, section 2: at most 255 characters of ASCII.
  if (typeof sub !== "string" || sub === "" || sub.length > 255 || !isStorable(sub))
    throw new ProviderProblem(
      "not_verified",
      "The identifier that the provider uses for you cannot be stored here.",
    );
  const address = emailAddress.safeParse(email);
  const shown = displayName.safeParse(name);
  return {
    subject: sub,
    email: address.success && isStorable(address.data) ? address.data : null,
    emailVerified: address.success && claims["email_verified"] === true,
    displayName: shown.success && isStorable(shown.data) ? shown.data : "",
    suggestedUsername: suggestName([claims["preferred_username"], claims["nickname"], email]),
  };
}

function suggestName(given: readonly unknown[]): string {
  for (const text of given) {
    if (typeof text !== "string") continue;
    const name = (text.split("@")[0] ?? "")
      .normalize("NFKD")
      .replaceAll(/[^A-Za-z0-9._-]+/g, "-")
      .replaceAll(/^[-.]+|[-.]+$/g, "")
      .slice(0, 100);
    if (ownerName.safeParse(name).success && !isReservedOwnerName(name)) return name;
  }
  return "";
}

/** Whether the provider has verified an address in one of these domains; any domain if the list is empty. */
export function isOfDomains({ email, emailVerified }: Claims, domains: readonly string[]): boolean {
  if (domains.length === 0) return true;
  const domain = email?.slice(email.lastIndexOf("@") + 1).toLowerCase() ?? "";
  return emailVerified && domains.includes(domain);
}
