/** A long audit log, of an organization of its own. */
import type { Bench } from "./scenario.ts";

const batch = 10_000;

/** As many entries as changes of settings leave, each linked. The id of the organization. */
export async function fillLog({ instance, database, size, say }: Bench, name: string): Promise<string> {
  const { id } = await instance.api<{ id: string }>("POST", "/orgs", { name });
  await database.query(
    `insert into audit_log (id, organization_id, actor_id, actor_username, ip_address, action, target_type, target_id,
       target_name, details, user_agent, request_id)
     select 'evt_' || lpad(n::text, 20, '0') || substr(md5($2), 1, 6), $1, 'usr_' || lpad('1', 26, '0'), 'ada', '192.0.2.1',
       'org.settings_change', 'organization', $1, $2, jsonb_build_object('description', 'number ' || n), 'bench', ''
     from generate_series(1, $3::int) n`,
    [id, name, size.rows],
  );
  const linkBatch = async () =>
    (await database.query<{ n: number }>("select link_audit_entries($1) as n", [batch])).rows[0]?.n ?? 0;
  while ((await linkBatch()) > 0);
  say("entries are linked");
  return id;
}
