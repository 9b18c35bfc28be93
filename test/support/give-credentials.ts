/** A secret and an identity token that the newest attempt of a run was given, straight in the database. */
import { newId } from "@forgeline/server/platform/ids.ts";
import type { TextDatabase } from "./text-database.ts";

export async function giveCredentials(db: TextDatabase, pipelineId: string): Promise<void> {
  const [attempt] = await db.query<{ id: string }>(
    "select id from job_attempts where pipeline_id = $1 order by queued_at desc limit 1",
    [pipelineId],
  );
  if (!attempt) throw new Error("there is no attempt");
  await db.query(
    "insert into secret_uses (attempt_id, name, level) values ($1, 'NPM_TOKEN', 'organization')",
    [attempt.id],
  );
  const claims = { aud: "sts.example.com", exp: Math.floor(Date.now() / 1000) + 600 };
  await db.query("insert into id_tokens (attempt_id, name, key_id, claims) values ($1, 'CLOUD', $2, $3)", [
    attempt.id,
    newId("idk"),
    JSON.stringify(claims),
  ]);
}
