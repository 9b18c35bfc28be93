/** The tree of an organization's teams. Permissions are checked before, except those that depend on a parent in the body. */
import type { PageQuery } from "@forgeline/schemas/core/pagination.ts";
import { maxTeamDepth, type TeamCreate, type TeamUpdate } from "@forgeline/schemas/teams/resource.ts";
import type { Database, Transaction } from "../../../platform/db/database.ts";
import { AppError, invalidField } from "../../../platform/app-error.ts";
import { newId } from "../../../platform/ids.ts";
import { recordAudit } from "../../operation/domain.ts";
import type { Actor } from "../../../platform/access/actor.ts";
import type { Authorizer, GrantedOrganization, GrantedTeam, OrganizationRef } from "../../policy/domain.ts";
import type { OrganizationService } from "../organizations/service.ts";
import * as store from "./teams.store.ts";
import type { TeamRow } from "./teams.store.ts";

export interface TeamService {
  /** Throws `not_found`. */
  get(id: string): Promise<TeamRow>;
  /** Teams that the actor sees. */
  list(
    actor: Actor,
    granted: GrantedOrganization,
    page: PageQuery,
  ): Promise<{ rows: TeamRow[]; total: number }>;
  /** Throws `forbidden`, `validation_failed` for a parent that the actor does not see, `conflict` for a name in use. */
  create(actor: Actor, granted: GrantedOrganization, wanted: TeamCreate): Promise<TeamRow>;
  /** Throws what `create` throws, also for a parent that is the team itself or nested in it. */
  update(actor: Actor, granted: GrantedTeam, change: TeamUpdate): Promise<TeamRow>;
  /** Also deletes all teams nested in it. */
  remove(actor: Actor, granted: GrantedTeam): Promise<void>;
}

interface Deps {
  db: Database;
  authorizer: Pick<Authorizer, "authorizeTeam">;
  organizations: Pick<OrganizationService, "lock">;
}

export function createTeamService(deps: Deps): TeamService {
  const { db, organizations } = deps;
  return {
    get: (id) => get(db, id),
    list: (actor, { organization, role }, page) => {
      const viewer = { userId: actor.userId, isOwner: role === "owner" };
      return store.listTeams(db, { organizationId: organization.id, viewer, page });
    },
    async create(actor, granted, wanted) {
      const parentId = await allowedParent(deps, { actor, granted }, wanted.parent);
      return db.transaction(async (tx) => {
        await organizations.lock(tx, granted.organization.id);
        return createTeam(tx, actor, { ...granted, wanted, parentId });
      });
    },
    async update(actor, granted, change) {
      const parentId = await allowedPlace(deps, { actor, granted }, change);
      return db.transaction(async (tx) => {
        await organizations.lock(tx, granted.organization.id);
        return updateTeam(tx, actor, { ...granted, change, parentId });
      });
    },
    async remove(actor, { organization, team }) {
      await db.transaction(async (tx) => {
        await organizations.lock(tx, organization.id);
        const deleted = await store.deleteTeam(tx, team.id);
        if (deleted.length === 0) throw new AppError("not_found");
        for (const gone of deleted)
          await recordAudit(tx, actor, { action: "org.team_delete", target: target(organization, gone) });
        await tx.notify("token", "");
      });
    },
  };
}

async function get(db: Database | Transaction, id: string): Promise<TeamRow> {
  const row = await store.findTeam(db, id);
  if (!row) throw new AppError("not_found");
  return row;
}

export function target(organization: OrganizationRef, team: { id: string; path: string }) {
  return { type: "team", id: team.id, name: `${organization.name}/${team.path}` };
}

/**
 * The id of the parent for a team, which owners and those who manage the parent may choose; null: no parent, for owners only.
 */
async function allowedParent(
  { authorizer }: Deps,
  { actor, granted: { organization, role } }: { actor: Actor; granted: GrantedOrganization },
  path: string | null,
): Promise<string | null> {
  if (path === null) {
    if (role === "owner") return null;
    throw new AppError("forbidden", { message: "Only owners can create top-level teams." });
  }
  const requirement = { access: "team_manage", scope: "org:admin" } as const;
  try {
    const granted = await authorizer.authorizeTeam(actor, requirement, {
      org: organization.name,
      team: path,
    });
    return granted.team.id;
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== "not_found") throw error;
    throw badParent("unknown", "The team does not exist.");
  }
}

/**
 * Where the change puts the team: the id of the parent, null for the top, undefined when it stays. A new name also requires the
 * management of the parent: only its managers may learn that a secret team has the name.
 */
async function allowedPlace(
  deps: Deps,
  { actor, granted }: { actor: Actor; granted: GrantedTeam },
  { name, parent }: TeamUpdate,
): Promise<string | null | undefined> {
  const names = granted.team.path.split("/");
  const now = names.slice(0, -1).join("/") || null;
  const moves = parent !== undefined && parent?.toLowerCase() !== now?.toLowerCase();
  if (moves) return allowedParent(deps, { actor, granted }, parent);
  if (name === undefined || name === names.at(-1)) return undefined;
  return allowedParent(deps, { actor, granted }, now).catch((error: unknown) => {
    if (!(error instanceof AppError)) throw error;
    const message = "Only owners and maintainers of the parent team can rename a team.";
    throw new AppError("forbidden", { message });
  });
}

async function createTeam(
  tx: Transaction,
  actor: Actor,
  { organization, wanted, parentId }: GrantedOrganization & { wanted: TeamCreate; parentId: string | null },
): Promise<TeamRow> {
  const parent = parentId === null ? null : await parentRow(tx, parentId);
  if ((parent?.lineage.length ?? 0) + 1 > maxTeamDepth) throw tooDeep();
  const { name, description, visibility } = wanted;
  const team = { id: newId("team"), organizationId: organization.id, parent, name, description, visibility };
  if (!(await store.insertTeam(tx, team))) throw nameTaken();
  const row = await get(tx, team.id);
  await recordAudit(tx, actor, {
    action: "org.team_create",
    target: target(organization, row),
    details: { visibility, parent: parent?.path ?? null },
  });
  return row;
}

async function updateTeam(
  tx: Transaction,
  actor: Actor,
  wanted: GrantedTeam & { change: TeamUpdate; parentId: string | null | undefined },
): Promise<TeamRow> {
  const { organization, change, parentId } = wanted;
  const before = await get(tx, wanted.team.id);
  await store.updateSettings(tx, before.id, change);
  if (parentId !== undefined)
    await place(tx, { organizationId: organization.id, team: before, name: change.name, parentId });
  const after = await get(tx, before.id);
  await recordAudit(tx, actor, {
    action: "org.team_update",
    target: target(organization, after),
    details: { ...change, old_path: before.path, new_path: after.path },
  });
  // After a move, it may have lost grants of the old parent; sockets check again.
  await tx.notify("token", "");
  return after;
}

interface Move {
  organizationId: string;
  team: TeamRow;
  name: string | undefined;
  parentId: string | null;
}

async function place(tx: Transaction, { organizationId, team, name = team.name, parentId }: Move) {
  const parent = parentId === null ? null : await parentRow(tx, parentId);
  if (parent?.lineage.includes(team.id))
    throw badParent("not_allowed", "A team cannot be moved into itself or one of its nested teams.");
  if ((parent?.lineage.length ?? 0) + (await store.heightOf(tx, team)) > maxTeamDepth) throw tooDeep();
  const path = parent ? `${parent.path}/${name}` : name;
  if (await store.pathIsTaken(tx, { organizationId, path, by: team.id })) throw nameTaken();
  await store.placeTeam(tx, team, { parent, name, path });
}

/** It may have been deleted since it was read. */
async function parentRow(tx: Transaction, id: string): Promise<TeamRow> {
  const row = await store.findTeam(tx, id);
  if (!row) throw badParent("unknown", "The team does not exist.");
  return row;
}

function badParent(code: string, message: string): AppError {
  return invalidField("parent", code, message);
}

const tooDeep = () => badParent("too_deep", `Teams can be nested at most ${maxTeamDepth} levels deep.`);
const nameTaken = () => new AppError("conflict", { message: "A team with this name already exists." });
