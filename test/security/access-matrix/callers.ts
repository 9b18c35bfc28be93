/** Kinds of callers, as facts that the expectation is computed from. How each is made is in `cast.ts`. */
import { scopes as everyScope, type Scope } from "@forgeline/schemas/core/scopes.ts";
import type { Level } from "./rows.ts";

export interface Caller {
  name: string;
  /** `refused`: none that counts any more. `misplaced`: it counts, but not from this address. */
  credential: "none" | "refused" | "misplaced" | "accepted";
  kind: "person" | "bot" | "job";
  scopes: readonly Scope[];
  isSiteAdministrator: boolean;
  /** What collaboration and teams give on each repository of the organization. */
  granted: Level | null;
  /** In the organization. Bots are in theirs. */
  role: "owner" | "member" | null;
  /** By path. */
  teams: Record<string, "member" | "maintainer">;
  /** Owns the repositories that a person owns. */
  isPersonalOwner: boolean;
  /** Names of the places that the token is limited to; null: no limit. */
  limitedTo: readonly string[] | null;
  headers: Record<string, string>;
}

/** A person who is nowhere a member, with a token of every scope, except for what `facts` say. */
export function caller(
  name: string,
  token: string,
  facts: Partial<Omit<Caller, "name" | "headers">> = {},
): Caller {
  return {
    name,
    credential: "accepted",
    kind: "person",
    scopes: everyScope,
    isSiteAdministrator: false,
    granted: null,
    role: null,
    teams: {},
    isPersonalOwner: false,
    limitedTo: null,
    headers: { Authorization: `Bearer ${token}` },
    ...facts,
  };
}

export const nobody: Caller = { ...caller("nobody", ""), credential: "none", scopes: [], headers: {} };
