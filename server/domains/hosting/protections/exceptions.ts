/** The users and teams that rules name in addition to a level: read as a viewer may see them, and replaced from a request. */
import type { Queryable } from "../../../platform/db/database.ts";
import { invalidField } from "../../../platform/app-error.ts";
import type { Actor } from "../../../platform/access/actor.ts";
import { hasScope } from "../../../platform/access/requirement.ts";
import * as store from "./exceptions.store.ts";
import type { NamedRole, Viewer } from "./exceptions.store.ts";

export interface Names {
  users: string[];
  teams: string[];
}

/** By what they may. */
export type Exceptions = Record<NamedRole, Names>;

export interface WantedNames {
  users?: readonly string[] | undefined;
  teams?: readonly string[] | undefined;
}

export type WantedExceptions = Partial<Record<NamedRole, WantedNames>>;

/** Field names in the request body, for errors. */
export interface NameFields {
  users: string;
  teams: string;
}

export type ExceptionFields = Partial<Record<NamedRole, NameFields>>;

/** The viewer for visibility of teams: with a token that cannot read organizations, the actor sees what everyone sees. */
export function teamViewer(actor: Actor): Viewer {
  const looks = hasScope(actor, "org:read") && actor.repositoryIds === null;
  return looks ? { userId: actor.userId, isAdmin: actor.isAdmin } : { userId: null, isAdmin: false };
}

/** By the rule's id, what `viewer` sees; `all` also has what must not be shown to anybody without a check. */
export async function readExceptions(
  db: Queryable,
  ruleIds: readonly string[],
  viewer: Viewer,
): Promise<Map<string, { seen: Exceptions; all: Exceptions }>> {
  const none = (): Names => ({ users: [], teams: [] });
  const empty = (): Exceptions => ({ push: none(), merge: none(), bypass: none() });
  const byRule = new Map(ruleIds.map((id) => [id, { seen: empty(), all: empty() }]));
  for (const row of await store.exceptionsIn(db, ruleIds, viewer)) {
    const { seen, all } = byRule.get(row.protection_id)!;
    for (const exceptions of row.visible ? [seen, all] : [all]) {
      if (row.username !== null) exceptions[row.role].users.push(row.username);
      if (row.team !== null) exceptions[row.role].teams.push(row.team);
    }
  }
  return byRule;
}

/** Lists that are absent stay as they are. Throws `validation_failed`, which names the entry. */
export async function writeExceptions(
  tx: Queryable,
  rule: { id: string; repositoryId: string },
  change: { wanted: WantedExceptions; viewer: Viewer; fields: ExceptionFields },
): Promise<void> {
  const { wanted, viewer, fields } = change;
  for (const role of namedRoles) {
    const names = wanted[role];
    const named = fields[role];
    if (names && named) await writeNames(tx, { ...rule, role }, { names, viewer, fields: named });
  }
}

const namedRoles = ["push", "merge", "bypass"] as const satisfies NamedRole[];

async function writeNames(
  tx: Queryable,
  rule: { id: string; repositoryId: string; role: NamedRole },
  change: { names: WantedNames; viewer: Viewer; fields: NameFields },
): Promise<void> {
  const { names: wanted, viewer, fields } = change;
  const { id: ruleId, repositoryId, role } = rule;
  if (wanted.users) {
    const found = await store.findUsers(tx, repositoryId, wanted.users.map(lower));
    const ids = idsOf(wanted.users, found, { field: fields.users, what: "user or bot" });
    for (const [index, name] of wanted.users.entries())
      if (!found.find((user) => user.name === lower(name))!.can_write)
        throw invalidField(
          `${fields.users}.${index}`,
          "not_allowed",
          `${name} cannot write to this repository.`,
        );
    await store.replaceUsers(tx, { ruleId, role }, ids);
  }
  if (wanted.teams) {
    const names = wanted.teams.map(lower);
    const found = await store.findTeams(tx, { repositoryId, names, viewer });
    const what = "team of the organization that owns the repository";
    const ids = idsOf(wanted.teams, found, { field: fields.teams, what });
    await store.replaceTeams(tx, { ruleId, role }, { ids, viewer });
  }
}

/** Removes duplicates. */
function idsOf(
  names: readonly string[],
  found: readonly { id: string; name: string }[],
  { field, what }: { field: string; what: string },
): string[] {
  const ids = new Map(found.map(({ id, name }) => [name, id]));
  for (const [index, name] of names.entries())
    if (!ids.has(lower(name))) throw invalidField(`${field}.${index}`, "unknown", `Unknown ${what} ${name}.`);
  return [...new Set(ids.values())];
}

function lower(name: string): string {
  return name.toLowerCase();
}
