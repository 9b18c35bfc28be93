/** Rows of `instance_settings`. */
import type { InstanceSettings } from "@forgeline/schemas/instance/routes.ts";
import type { Queryable } from "../../../platform/db/database.ts";
import { defineStatements } from "../../../platform/db/statement.ts";
import type { SettingsRows } from "./settings.rows.ts";

export const statements = defineStatements<SettingsRows>({
  readSignUp: `select value from instance_settings where key = 'sign_up'`,
  writeSignUp: `
    insert into instance_settings (key, value) values ('sign_up', $1)
    on conflict (key) do update set value = excluded.value, updated_at = now()`,
});

type SignUp = InstanceSettings["sign_up"];

/** null: nobody has set it. */
export async function readSignUp(db: Queryable): Promise<SignUp> {
  const row = await db.one(statements.readSignUp);
  return row?.value ?? null;
}

export async function writeSignUp(db: Queryable, signUp: SignUp): Promise<void> {
  await db.query(statements.writeSignUp, [JSON.stringify(signUp)]);
}
