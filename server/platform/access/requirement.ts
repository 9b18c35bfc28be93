/** What an operation requires of its caller; every contract is one. */
import { scopeCovers, scopes, type Scope } from "@forgeline/schemas/core/scopes.ts";
import type { RouteAccess } from "@forgeline/schemas/core/route.ts";
import { AppError } from "../app-error.ts";
import type { Actor } from "./actor.ts";

export interface Requirement {
  access: RouteAccess;
  scope?: Scope | undefined;
  /** As in contracts: a token needs every scope. */
  everyScope?: true | undefined;
  /** As in contracts: operations that need more than reading are refused on archived repositories unless it is `allowed`; `refused`: others too. */
  archived?: "allowed" | "refused" | undefined;
  /** As in contracts: it is about a repository that was deleted. */
  deleted?: "only" | undefined;
  /** As in contracts: tokens limited to repositories may call it although it is about no single one. */
  limitedTokens?: "allowed" | undefined;
  /** As in contracts: bots may call it although its access is `user`. */
  bots?: "allowed" | undefined;
  /**
   * As in contracts: `allowed` where a job's token may call it although it changes something. `needed`: in its own repository whatever
   * its scopes, because no job begins without it.
   */
  jobs?: "allowed" | "needed" | undefined;
}

export function hasScope(actor: Actor, scope: Scope | undefined): boolean {
  return scope === undefined || actor.kind === "system" || scopeCovers(actor.scopes, scope);
}

export function insufficientScope(scope: Scope, why = ""): AppError {
  return new AppError("insufficient_scope", {
    message: `The token lacks the scope ${scope}.${why === "" ? "" : ` ${why}`}`,
    extra: { required_scopes: [scope] },
  });
}

/** Throws `insufficient_scope` naming what is missing. */
export function requireScopes(actor: Actor, requirement: Requirement): void {
  if (requirement.scope && !hasScope(actor, requirement.scope)) throw insufficientScope(requirement.scope);
  const missing = requirement.everyScope ? scopes.filter((scope) => !hasScope(actor, scope)) : [];
  if (missing.length > 0)
    throw new AppError("insufficient_scope", {
      message: "This requires a signed-in browser, or a token that has every scope.",
      extra: { required_scopes: missing },
    });
}

/** Whether the credential is limited to other repositories than this one. */
export function excludesRepository(actor: Pick<Actor, "repositoryIds">, repositoryId: string): boolean {
  return actor.repositoryIds !== null && !actor.repositoryIds.includes(repositoryId);
}

/** For operations about no single repository: throws `forbidden` for a token that is limited to some. */
export function refuseLimitedToken(actor: Actor, requirement: Requirement): void {
  if (actor.repositoryIds !== null && requirement.limitedTokens !== "allowed")
    throw new AppError("forbidden", { message: "The token is limited to some repositories." });
}
