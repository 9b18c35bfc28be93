/** Rows of `instance_settings`. */
import type { InstanceSettings } from "@forgeline/schemas/instance/routes.ts";
import type { Queryable } from "../../../platform/db/database.ts";

type SignUp = InstanceSettings["sign_up"];

/** null: nobody has set it. */
export async function readSignUp(db: Queryable): Promise<SignUp> {
  const row = await db.one<{ value: SignUp }>(`select value from instance_settings where key = 'sign_up'`);
  return row?.value ?? null;
}

export async function writeSignUp(db: Queryable, signUp: SignUp): Promise<void> {
  await db.query(
    `insert into instance_settings (key, value) values ('sign_up', $1)
     on conflict (key) do update set value = excluded.value, updated_at = now()`,
    [JSON.stringify(signUp)],
  );
}
