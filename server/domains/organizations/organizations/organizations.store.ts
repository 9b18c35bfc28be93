/** Rows of `organizations`. */
import type { OrganizationUpdate } from "@forgeline/schemas/organizations/resource.ts";
import type { PageQuery } from "@forgeline/schemas/core/pagination.ts";
import { countRows } from "../../../platform/db/count-rows.ts";
import type { Queryable, Transaction } from "../../../platform/db/database.ts";
import { offsetOf } from "../../../platform/db/page.ts";
import { defineStatements } from "../../../platform/db/statement.ts";
import type { OrganizationsRows } from "./organizations.rows.ts";

export const columns = `g.id, o.name, g.display_name, g.description, g.plan, g.members_can_create_repositories, g.shared_concurrency, g.created_at, g.updated_at,
  exists (select 1 from sso_configurations c where c.organization_id = g.id) as sso_configured`;
const joined = "organizations g join owners o on o.id = g.id";
const roles = `(select organization_id, role from organization_members where user_id = $1
  union all select organization_id, 'member' from users where id = $1 and organization_id is not null)`;

export const statements = defineStatements<OrganizationsRows>({
  findOrganization: `select ${columns} from ${joined} where g.id = $1`,
  findOrganizationByName: `select ${columns} from ${joined} where lower(o.name) = lower($1)`,
  insertOrganization: "insert into organizations (id, display_name, description) values ($1, $2, $3)",
  updateOrganization: `
    update organizations set display_name = coalesce($2, display_name), description = coalesce($3, description),
      members_can_create_repositories = coalesce($4, members_can_create_repositories),
      shared_concurrency = coalesce($5, shared_concurrency), updated_at = now()
    where id = $1`,
  lockOrganization: "select id from organizations where id = $1 for no key update",
  findAnyRepository: "select id from repositories where owner_id = $1 limit 1",
  listOfUser: `
    select ${columns}, m.role from ${roles} m join organizations g on g.id = m.organization_id
    join owners o on o.id = g.id order by lower(o.name) limit $2 offset $3`,
});

export type OrganizationRow = OrganizationsRows["findOrganization"];
export type OwnOrganizationRow = OrganizationsRows["listOfUser"];

export function findOrganization(db: Queryable, id: string): Promise<OrganizationRow | undefined> {
  return db.one(statements.findOrganization, [id]);
}

export function findOrganizationByName(db: Queryable, name: string): Promise<OrganizationRow | undefined> {
  return db.one(statements.findOrganizationByName, [name]);
}

/** Its row of `owners` is there already. */
export async function insertOrganization(
  tx: Transaction,
  { id, displayName, description }: { id: string; displayName: string; description: string },
): Promise<void> {
  await tx.query(statements.insertOrganization, [id, displayName, description]);
}

export async function updateOrganization(
  tx: Transaction,
  id: string,
  change: OrganizationUpdate,
): Promise<void> {
  await tx.query(statements.updateOrganization, [
    id,
    change.display_name ?? null,
    change.description ?? null,
    change.members_can_create_repositories ?? null,
    change.shared_concurrency ?? null,
  ]);
}

/**
 * Locks the organization until the commit for changes of its members or teams, so that rules about all rows together can be
 * checked. False when there is no such organization.
 */
export async function lockOrganization(tx: Transaction, id: string): Promise<boolean> {
  return (await tx.one(statements.lockOrganization, [id])) !== undefined;
}

export async function hasRepositories(tx: Transaction, id: string): Promise<boolean> {
  return (await tx.one(statements.findAnyRepository, [id])) !== undefined;
}

/** By name. A bot is in its own organization. */
export async function listOfUser(
  db: Queryable,
  userId: string,
  page: PageQuery,
): Promise<{ rows: OwnOrganizationRow[]; total: number }> {
  const total = await countRows(db, `from ${roles} m`, [userId]);
  const rows = await db.query(statements.listOfUser, [userId, page.per_page, offsetOf(page)]);
  return { rows, total };
}
