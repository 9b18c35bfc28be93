/** An entry in somebody's inbox, about some issue or merge request of a repository of this name; its id. */
import { newId } from "@forgeline/server/platform/ids.ts";
import type { ApiServer } from "./api-server.ts";

export async function notificationOf(
  server: ApiServer,
  username: string,
  repository: string,
): Promise<string> {
  const row = await server.container.platform.db.one<{ id: string }>(
    `insert into notifications (id, user_id, repository_id, work_item_id, reason, event)
     select $1, u.id, w.repository_id, w.id, 'watching', 'opened'
     from users u, work_items w join repositories r on r.id = w.repository_id
     where u.username = $2 and r.name = $3 limit 1 returning id`,
    [newId("ntf"), username, repository],
  );
  if (!row) throw new Error(`${repository} has no issue, or there is no ${username}`);
  return row.id;
}
