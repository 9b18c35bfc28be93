/** The addresses to which mails go: those of the options, and as they are shown. */
import type { Schemas } from "@forgeline/client/schemas.ts";
import { UsageError } from "../../connection/settings.ts";

type Email = Schemas["Email"];
type OrganizationAddress = Schemas["OrganizationAddress"];

/** Undefined: not asked for; null: the primary one. Throws `UsageError` for one that is not theirs or not verified. */
export function emailId(wanted: string | undefined, emails: readonly Email[]): string | null | undefined {
  if (wanted === undefined) return undefined;
  if (wanted === "primary") return null;
  return verifiedId(wanted, emails, "--email takes a verified address of yours, or `primary`");
}

function verifiedId(wanted: string, emails: readonly Email[], refusal: string): string {
  const found = emails.find(({ email }) => email.toLowerCase() === wanted.toLowerCase());
  if (!found?.verified) throw new UsageError(refusal);
  return found.id;
}

/** Those that are known, with those of the options, by organizations, in their place. Throws as `emailId`. */
export function organizationAddresses(
  wanted: Readonly<Record<string, string>>,
  known: readonly OrganizationAddress[],
  emails: readonly Email[],
): OrganizationAddress[] {
  const named = new Set(Object.keys(wanted).map((name) => name.toLowerCase()));
  const others = known.filter(({ organization }) => !named.has(organization.toLowerCase()));
  const chosen = Object.entries(wanted).flatMap(([organization, address]) => {
    if (address === "usual") return [];
    const refusal = "--org-email takes ORG=ADDRESS with a verified address of yours, or ORG=usual";
    return [{ organization, email_id: verifiedId(address, emails, refusal) }];
  });
  return [...others, ...chosen];
}

/** Each organization with its address. */
export function shownAddresses(known: readonly OrganizationAddress[], emails: readonly Email[]): string {
  const addressOf = (id: string) => emails.find((email) => email.id === id)?.email ?? id;
  return known.map(({ organization, email_id: id }) => `${organization}: ${addressOf(id)}`).join(", ");
}
