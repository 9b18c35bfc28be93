/** Rows of `organizations`. */
import type { OrganizationUpdate } from "@forgeline/schemas/organizations/resource.ts";
import type { PageQuery } from "@forgeline/schemas/core/pagination.ts";
import { countRows } from "../../../platform/db/count-rows.ts";
import type { Queryable, Transaction } from "../../../platform/db/database.ts";
import { insertOwner } from "../../accounts/domain.ts";
import { offsetOf } from "../../../platform/db/page.ts";

export interface OrganizationRow {
  id: string;
  name: string;
  display_name: string;
  description: string;
  plan: "free" | "pro" | "organization" | "enterprise";
  members_can_create_repositories: boolean;
  sso_configured: boolean;
  created_at: Date;
  updated_at: Date;
}
export type OwnOrganizationRow = OrganizationRow & { role: "owner" | "member" };

export const columns = `g.id, o.name, g.display_name, g.description, g.plan, g.members_can_create_repositories, g.created_at, g.updated_at,
  exists (select 1 from sso_configurations c where c.organization_id = g.id) as sso_configured`;

export function findOrganization(db: Queryable, id: string): Promise<OrganizationRow | undefined> {
  return db.one<OrganizationRow>(
    `select ${columns} from organizations g join owners o on o.id = g.id where g.id = $1`,
    [id],
  );
}

export function findOrganizationByName(db: Queryable, name: string): Promise<OrganizationRow | undefined> {
  return db.one<OrganizationRow>(
    `select ${columns} from organizations g join owners o on o.id = g.id where lower(o.name) = lower($1)`,
    [name],
  );
}

/** False when the name is taken, by a user or an organization. */
export async function insertOrganization(
  tx: Transaction,
  organization: { id: string; name: string; displayName: string; description: string },
): Promise<boolean> {
  const { id, name, displayName, description } = organization;
  if (!(await insertOwner(tx, { id, name, kind: "org" }))) return false;
  await tx.query(`insert into organizations (id, display_name, description) values ($1, $2, $3)`, [
    id,
    displayName,
    description,
  ]);
  return true;
}

export async function updateOrganization(
  tx: Transaction,
  id: string,
  change: OrganizationUpdate,
): Promise<void> {
  await tx.query(
    `update organizations set display_name = coalesce($2, display_name), description = coalesce($3, description),
       members_can_create_repositories = coalesce($4, members_can_create_repositories), updated_at = now()
     where id = $1`,
    [
      id,
      change.display_name ?? null,
      change.description ?? null,
      change.members_can_create_repositories ?? null,
    ],
  );
}

/**
 * Whoever changes who is in an organization or the tree of its teams holds this until the commit, so that what must be
 * true of all its rows together can be checked. False when there is no such organization.
 */
export async function lockOrganization(tx: Transaction, id: string): Promise<boolean> {
  return (await tx.one(`select id from organizations where id = $1 for no key update`, [id])) !== undefined;
}

export async function hasRepositories(tx: Transaction, id: string): Promise<boolean> {
  return (await tx.one(`select id from repositories where owner_id = $1 limit 1`, [id])) !== undefined;
}

/** By name. A bot is in its own organization. */
export async function listOfUser(
  db: Queryable,
  userId: string,
  page: PageQuery,
): Promise<{ rows: OwnOrganizationRow[]; total: number }> {
  const roles = `(select organization_id, role from organization_members where user_id = $1
    union all select organization_id, 'member' from users where id = $1 and organization_id is not null)`;
  const total = await countRows(db, `from ${roles} m`, [userId]);
  const rows = await db.query<OwnOrganizationRow>(
    `select ${columns}, m.role from ${roles} m join organizations g on g.id = m.organization_id
     join owners o on o.id = g.id order by lower(o.name) limit $2 offset $3`,
    [userId, page.per_page, offsetOf(page)],
  );
  return { rows, total };
}
