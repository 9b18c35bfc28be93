/** The sixteen token scopes (`spec.md` 5.1) and which wider scope includes which. */
import { z } from "zod";

export const scopes = [
  "repo:read",
  "repo:write",
  "repo:admin",
  "mr:read",
  "mr:write",
  "issue:read",
  "issue:write",
  "org:read",
  "org:admin",
  "package:read",
  "package:write",
  "pipeline:read",
  "pipeline:write",
  "audit:read",
  "user:read",
  "user:write",
] as const;
export const Scope = z.enum(scopes).meta({ id: "Scope" });
export type Scope = z.infer<typeof Scope>;

/** The least scopes with which a token sees something of hidden repositories. */
export const repositoryScopes = [
  "repo:read",
  "mr:read",
  "issue:read",
  "pipeline:read",
] as const satisfies readonly Scope[];

const directlyIncluded: Partial<Record<Scope, Scope>> = {
  "repo:write": "repo:read",
  "repo:admin": "repo:write",
  "mr:write": "mr:read",
  "issue:write": "issue:read",
  "org:admin": "org:read",
  "package:write": "package:read",
  "pipeline:write": "pipeline:read",
  "user:write": "user:read",
};

/** True when a token that holds `held` may do what asks for `wanted`. */
export function scopeCovers(held: readonly Scope[], wanted: Scope): boolean {
  return held.some((scope) => {
    for (let s: Scope | undefined = scope; s; s = directlyIncluded[s]) if (s === wanted) return true;
    return false;
  });
}

/** What both allow, narrower scopes named, too. */
export function commonScopes(one: readonly Scope[], other: readonly Scope[]): Scope[] {
  return scopes.filter((scope) => scopeCovers(one, scope) && scopeCovers(other, scope));
}
