/** What a caller must get, from its facts and the row of the operation. Pure, and written from the specification. */
import type { Scope } from "@forgeline/schemas/core/scopes.ts";
import type { Caller } from "./callers.ts";
import {
  levels,
  type GeneralRow,
  type Level,
  type OrganizationRow,
  type RepositoryRow,
  type Row,
} from "./rows.ts";

/** `insufficient_scope` and `repository_archived` are 403 with these words, `forbidden` is 403 with no better one. */
export type Outcome =
  | "allowed"
  | "unauthorized"
  | "forbidden"
  | "insufficient_scope"
  | "repository_archived"
  | "not_found";

/** A repository that requests are about. */
export interface Place {
  name: string;
  owner: string;
  repo: string;
  ownedBy: "organization" | "person";
  visibility: "private" | "internal" | "public";
  archived: boolean;
  deleted: boolean;
  /** Whether everyone sees the runs of a public one. */
  runsAreOpen: boolean;
}

export interface Target {
  place: Place;
  /** Path of a team. */
  team: string;
}

export function expectedOutcome(row: Row, caller: Caller, target: Target): Outcome {
  if (caller.credential === "refused") return "unauthorized";
  if (caller.credential === "misplaced") return "forbidden";
  if (row.about === "repository") return onRepository(row, caller, target.place);
  if (row.about === "organization") return onOrganization(row, caller, target.team);
  return inGeneral(row, caller);
}

const narrower: Partial<Record<Scope, readonly Scope[]>> = {
  "repo:write": ["repo:read"],
  "repo:admin": ["repo:write", "repo:read"],
  "mr:write": ["mr:read"],
  "issue:write": ["issue:read"],
  "org:admin": ["org:read"],
  "package:write": ["package:read"],
  "pipeline:write": ["pipeline:read"],
  "user:write": ["user:read"],
};

function holds({ scopes }: Caller, wanted: Scope | null): boolean {
  if (wanted === null) return true;
  return scopes.some((held) => held === wanted || narrower[held]?.includes(wanted));
}

function onRepository(row: RepositoryRow, caller: Caller, place: Place): Outcome {
  const isPublic = place.visibility === "public" && !place.deleted && row.finds === "present";
  const forEveryone =
    isPublic && (row.everyone === "reads" || (row.everyone === "runs" && place.runsAreOpen));
  if (caller.credential === "none") {
    if (!isPublic) return "not_found";
    return forEveryone ? "allowed" : "unauthorized";
  }
  if (!holds(caller, row.scope)) return forEveryone ? "allowed" : "insufficient_scope";
  const level = row.finds === "deleted" ? levelOnDeleted(caller, place) : levelOn(caller, place);
  if (level === null) return "not_found";
  if (caller.kind === "job" && row.jobs === "-") return "forbidden";
  if (levels.indexOf(level) < levels.indexOf(row.level)) return "forbidden";
  return place.archived && row.archived === "refused" ? "repository_archived" : "allowed";
}

/** null: does not see it. */
function levelOn(caller: Caller, place: Place): Level | null {
  if (place.deleted) return null;
  const asEveryone = place.visibility === "public" ? "read" : null;
  if (caller.limitedTo !== null && !caller.limitedTo.includes(place.name)) return asEveryone;
  const level = highest([asEveryone, levelOfUser(caller, place)]);
  if (caller.kind !== "job" || level === null) return level;
  // Never more than Write, and that only for a person who has it.
  const mayWrite = caller.scopes.some((scope) => scope.endsWith(":write"));
  return mayWrite && levels.indexOf(level) >= levels.indexOf("write") ? "write" : "read";
}

/** Who could not administer it is not told that it was there. */
function levelOnDeleted(caller: Caller, place: Place): Level | null {
  if (!place.deleted) return null;
  if (caller.limitedTo !== null && !caller.limitedTo.includes(place.name)) return null;
  return levelOfUser(caller, place) === "admin" && caller.kind !== "job" ? "admin" : null;
}

function levelOfUser(caller: Caller, place: Place): Level | null {
  if (caller.isSiteAdministrator) return "admin";
  if (place.ownedBy === "person") return caller.isPersonalOwner ? "admin" : null;
  const byRole = caller.role === "owner" ? "admin" : null;
  const byMembership = caller.role !== null && place.visibility === "internal" ? "read" : null;
  return highest([caller.granted, byRole, byMembership]);
}

function highest(given: readonly (Level | null)[]): Level | null {
  return levels.findLast((level) => given.includes(level)) ?? null;
}

function onOrganization(row: OrganizationRow, caller: Caller, team: string): Outcome {
  if (row.needs === "everyone") return "allowed";
  if (caller.credential === "none") return "unauthorized";
  if (caller.kind === "job") return "forbidden";
  if (!holds(caller, row.scope)) return "insufficient_scope";
  if (caller.limitedTo !== null) return "forbidden";
  const role = caller.isSiteAdministrator ? "owner" : caller.role;
  if (role === null) return "not_found";
  if (row.needs === "member" || role === "owner") return "allowed";
  if (row.needs === "owner") return "forbidden";
  const inTeam = roleInTeam(caller, team);
  if (inTeam === null && team !== "open") return "not_found";
  if (row.needs === "in-team") return inTeam === null ? "forbidden" : "allowed";
  return row.needs === "sees-team" || inTeam === "maintainer" ? "allowed" : "forbidden";
}

/** Who maintains a team maintains what is nested in it; who is only a member of it is not in that. */
function roleInTeam({ teams }: Caller, team: string): "member" | "maintainer" | null {
  const isAbove = team === "hidden/nested" && teams["hidden"] === "maintainer";
  return isAbove ? "maintainer" : (teams[team] ?? null);
}

function inGeneral(row: GeneralRow, caller: Caller): Outcome {
  if (row.needs === "everyone") return "allowed";
  if (caller.credential === "none") return "unauthorized";
  if (caller.kind === "job" || (caller.kind === "bot" && row.bots === "-")) return "forbidden";
  if (!holds(caller, row.scope)) return "insufficient_scope";
  if (row.needs === "every-scope" && caller.scopes.length < 16) return "insufficient_scope";
  if (caller.limitedTo !== null && row.limited === "-") return "forbidden";
  if (row.needs === "administrator" && !caller.isSiteAdministrator) return "forbidden";
  return "allowed";
}
