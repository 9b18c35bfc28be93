/** Entries of an audit log that are as old as a test wants them, and plans that have always been what they are. */
import pg from "pg";
import type { ApiServer } from "./api-server.ts";

export interface PastEntry {
  daysAgo: number;
  orgId?: string;
  actorId?: string | null;
  action?: string;
  /** Id of a user. */
  target?: string;
}

export interface Past {
  /** As the owner of the tables. */
  owner: pg.Client;
  /** In this order, also in their chains. Their ids. */
  record(entries: readonly PastEntry[]): Promise<string[]>;
  setPlan(of: "organizations" | "users", id: string, plan: string): Promise<void>;
  /** Removes what is due. */
  expire(): Promise<void>;
  close(): Promise<void>;
}

let made = 0;

export async function openPast({ container, database }: ApiServer): Promise<Past> {
  const owner = new pg.Client({ connectionString: database.ownerUrl });
  await owner.connect();
  return {
    owner,
    async record(entries) {
      const ids: string[] = [];
      for (const {
        daysAgo,
        orgId = null,
        actorId = null,
        action = "org.settings_change",
        target,
      } of entries) {
        const id = `evt_${String(made++).padStart(26, "0")}`;
        ids.push(id);
        await owner.query(
          `insert into audit_log (id, at, organization_id, actor_id, actor_username, action, target_type, target_id, target_name)
           values ($1, now() - make_interval(days => $2), $3, $4, 'somebody', $5, $6, $7, 'something')`,
          [
            id,
            daysAgo,
            orgId,
            actorId,
            action,
            target === undefined ? "organization" : "user",
            target ?? "x",
          ],
        );
      }
      await container.operation.auditMaintenance.link();
      return ids;
    },
    async setPlan(of, id, plan) {
      await owner.query(`update ${of} set plan = $2 where id = $1`, [id, plan]);
      await owner.query(`update ${of} set plan_changed_at = null where id = $1`, [id]);
    },
    async expire() {
      await container.operation.auditExpiry.upkeepTasks[0]?.run(new AbortController().signal);
    },
    close: () => owner.end(),
  };
}
