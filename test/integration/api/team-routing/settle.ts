/** What the test of the routing of teams waits for, and does at moments that it could not meet otherwise. */
import { createRouteTeams } from "@forgeline/server/domains/collaboration/team-routing/route-news.ts";
import { expect } from "vitest";
import { eventually } from "../../../support/eventually.ts";
import type { WebhookBed } from "../../../support/webhook-bed.ts";

type Database = WebhookBed["server"]["container"]["platform"]["db"];

/** When all that happened is told, and what is due is sent or dropped. */
export async function allSettled(db: Database): Promise<void> {
  await eventually(async () => {
    const [left] = await db.query(
      `select (select count(*) from tellings) + (select count(*) from events e, event_followers f where f.name = 'notifications'
          and e.position > f.position) + (select count(*) from team_mails where mail_id is null and due_at <= now())
          + (select count(*) from mails where sent_at is null and failed_at is null) as left`,
    );
    if (Number(left?.["left"]) > 0) await db.transaction((tx) => tx.notify("mail", ""));
    return Number(left?.["left"]) === 0;
  });
}

/** Which teams' members are told when the repository `app` goes to ben just before the event is recorded; it is undone. */
export async function tellWhileMoved(db: Database, number: number) {
  const [item] = await db.query(
    "select w.id, t.id as team from work_items w, teams t where w.number = $1 and t.path = 'core'",
    [number],
  );
  const itemId = String(item?.["id"]);
  const wanted = { team_mention: [String(item?.["team"])], review_requested: [] };
  const news = { position: 1_000_002, itemId, textId: itemId, senderId: null, event: "opened" };
  let left: unknown;
  const moved = db.transaction(async (tx) => {
    const query = (async (statement: never, params: never): Promise<object[]> => {
      if (JSON.stringify(statement).includes("insert into events"))
        await tx.query(
          "update repositories set owner_id = (select id from owners where name = 'ben') where name = 'app'",
        );
      return tx.query(statement, params);
    }) as unknown as typeof tx.query;
    left = await createRouteTeams({ sends: true })({ ...tx, query }, news, wanted);
    throw new Error("not really");
  });
  await expect(moved).rejects.toThrow("not really");
  return { left, wanted };
}
