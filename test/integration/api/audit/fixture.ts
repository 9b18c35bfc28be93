/** An organization straight in the database, and entries of it. */
import { recordAudit } from "@forgeline/server/domains/operation/audit/record.ts";
import { systemActor } from "@forgeline/server/platform/access/actor.ts";
import { newId } from "@forgeline/server/platform/ids.ts";
import type { ApiServer, TestPerson } from "../../../support/api-server.ts";

export interface TestOrganization {
  id: string;
  name: string;
}

export async function makeOrganization(
  server: ApiServer,
  name: string,
  members: Partial<Record<"owner" | "member", TestPerson>>,
): Promise<TestOrganization> {
  const { db } = server.container.platform;
  const id = `org_${newId("usr").slice(4)}`;
  await db.query("insert into owners (id, name, kind) values ($1, $2, 'org')", [id, name]);
  await db.query("insert into organizations (id) values ($1)", [id]);
  for (const [role, person] of Object.entries(members))
    await db.query("insert into organization_members (organization_id, user_id, role) values ($1, $2, $3)", [
      id,
      person.id,
      role,
    ]);
  return { id, name };
}

/** `count` changes of settings, each in a transaction of its own. */
export async function recordChanges(
  server: ApiServer,
  organization: TestOrganization,
  count: number,
): Promise<void> {
  for (let number = 1; number <= count; number += 1)
    await server.container.platform.db.transaction((tx) =>
      recordAudit(tx, systemActor, {
        action: "org.settings_change",
        target: { type: "organization", id: organization.id, name: organization.name },
        details: { number },
      }),
    );
}
