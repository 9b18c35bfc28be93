/** Rows of `sso_flows` and `sso_arrivals`: browsers under way. Each belongs to one browser, and to one answer. */
import type { Queryable } from "../../../platform/db/database.ts";
import { defineStatements } from "../../../platform/db/statement.ts";
import type { FlowRows } from "./flow.rows.ts";

const minutes = 10;
const columns = "organization_id, issuer, subject, email, display_name, suggested_username, next_path";

export const statements = defineStatements<FlowRows>({
  insertFlow: `
    with expired as (delete from sso_flows where expires_at < now())
    insert into sso_flows (binding_hash, organization_id, issuer, client_id, next_path, expires_at)
    values ($1, $2, $3, $4, $5, now() + make_interval(mins => ${minutes}))`,
  takeFlow: `
    delete from sso_flows where binding_hash = $1 and organization_id = $2 and expires_at > now()
    returning organization_id, issuer, client_id, next_path`,
  insertArrival: `
    with expired as (delete from sso_arrivals where expires_at < now())
    insert into sso_arrivals (binding_hash, ${columns}, expires_at)
    values ($1, $2, $3, $4, $5, $6, $7, $8, now() + make_interval(mins => ${minutes}))`,
  findArrival: `select ${columns} from sso_arrivals where binding_hash = $1 and expires_at > now()`,
  useArrival:
    "delete from sso_arrivals where binding_hash = $1 and expires_at > now() returning organization_id",
});

export type Flow = FlowRows["takeFlow"];
export type Arrival = FlowRows["findArrival"];

/** Also removes everybody's expired ones. */
export async function insertFlow(db: Queryable, bindingHash: Buffer, flow: Flow): Promise<void> {
  await db.query(statements.insertFlow, [
    bindingHash,
    flow.organization_id,
    flow.issuer,
    flow.client_id,
    flow.next_path,
  ]);
}

/** Only one of several simultaneous calls gets it. */
export function takeFlow(
  db: Queryable,
  bindingHash: Buffer,
  organizationId: string,
): Promise<Flow | undefined> {
  return db.one(statements.takeFlow, [bindingHash, organizationId]);
}

export async function insertArrival(db: Queryable, bindingHash: Buffer, arrival: Arrival): Promise<void> {
  await db.query(statements.insertArrival, [
    bindingHash,
    arrival.organization_id,
    arrival.issuer,
    arrival.subject,
    arrival.email,
    arrival.display_name,
    arrival.suggested_username,
    arrival.next_path,
  ]);
}

export function findArrival(db: Queryable, bindingHash: Buffer): Promise<Arrival | undefined> {
  return db.one(statements.findArrival, [bindingHash]);
}

/** False when it was used already. */
export async function useArrival(db: Queryable, bindingHash: Buffer): Promise<boolean> {
  const row = await db.one(statements.useArrival, [bindingHash]);
  return row !== undefined;
}
