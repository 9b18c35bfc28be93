/** A token cannot create tokens that can do more than itself. */
import { scopeCovers, type Scope } from "@forgeline/schemas/core/scopes.ts";
import type { FieldError } from "@forgeline/schemas/core/errors.ts";
import { liesWithin } from "../../../platform/network/address-ranges.ts";
import { AppError, invalidFields } from "../../../platform/app-error.ts";
import type { CreatorRow } from "./tokens.store.ts";

export interface WantedLimits {
  scopes: readonly Scope[];
  repositoryIds: readonly string[] | null;
  addressRanges: readonly string[] | null;
}

/** Throws `insufficient_scope` naming what the holder lacks. */
export function requireScopesOf(held: readonly Scope[], wanted: readonly Scope[]): void {
  const missing = wanted.filter((scope) => !scopeCovers(held, scope));
  if (missing.length > 0)
    throw new AppError("insufficient_scope", {
      message: "A token can only create tokens with no more access than its own.",
      extra: { required_scopes: missing },
    });
}

/** Throws `validation_failed`, naming each field that goes beyond the creator. */
export function requireSubset(creator: CreatorRow, wanted: WantedLimits): void {
  requireScopesOf(creator.scopes, wanted.scopes);
  const errors: FieldError[] = [];
  if (creator.outlived)
    errors.push(beyond("expires_in_days", `It expires at ${creator.expires_at?.toISOString() ?? ""}.`));
  const { repository_ids: repositories, address_ranges: addresses } = creator;
  if (repositories && !wanted.repositoryIds?.every((id) => repositories.includes(id)))
    errors.push(
      beyond("repositories", "It is limited to some repositories; list repositories for the new one too."),
    );
  if (addresses && !wanted.addressRanges?.every((range) => liesWithin(range, addresses)))
    errors.push(
      beyond("address_ranges", "It is limited to some addresses; list addresses for the new one too."),
    );
  if (errors.length > 0) throw invalidFields(errors);
}

function beyond(field: string, why: string): FieldError {
  return {
    field,
    code: "not_allowed",
    message: `The new token would have more access than the one creating it. ${why}`,
  };
}
