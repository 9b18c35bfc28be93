/** A page of a full inbox, as the web interface asks for it. */
import { addIssues, analyze } from "../fill.ts";
import { medianFigure, timesOf } from "../figures.ts";
import { recordReads } from "../recorded-reads.ts";
import type { Bench, Scenario, ScenarioResult } from "../scenario.ts";
import { countOf } from "../size.ts";

const atMostMs = 15;
/** Of which each half of the entries is. */
const repositories = ["inbox-first", "inbox-second"];

async function run(bench: Bench): Promise<ScenarioResult> {
  const { client, database, instance, size } = bench;
  const { inbox, samples } = size.collaboration;
  for (const name of repositories) {
    const { id } = await client.call<{ id: string }>("POST", "/repos", { name });
    const path = `/repos/${instance.adminName}/${name}`;
    await addIssues(bench, { id, path }, { count: Math.ceil(inbox / 2), body: "Look." });
    await database.query(
      `insert into notifications (id, user_id, repository_id, work_item_id, reason, event, actor_id, unread, updated_at)
       select 'ntf_' || right($1, 8) || lpad(w.number::text, 18, '0'), u.id, $1, w.id, 'watching', 'opened', u.id, w.number % 3 > 0,
         now() - w.number * interval '1 minute'
       from work_items w, users u where w.repository_id = $1 and u.username = $2`,
      [id, instance.adminName],
    );
  }
  await analyze(bench, ["notifications", "work_items"]);
  const page = "/notifications?per_page=50";
  const last = `${page}&page=${Math.max(1, Math.floor(inbox / 50))}`;
  const [read] = await recordReads(bench, [page]);
  const statements = `${read?.queries.length} statements`;
  return {
    figures: [
      medianFigure("first page of 50 with the total (median)", {
        times: await timesOf(bench, page, samples),
        limit: atMostMs,
        more: statements,
      }),
      medianFigure("the last page (median)", { times: await timesOf(bench, last, samples), limit: atMostMs }),
      medianFigure("how many are unread (median)", {
        times: await timesOf(bench, "/notifications/count", samples),
        limit: atMostMs,
      }),
    ],
    parts: [],
  };
}

export const inboxScenario: Scenario = {
  number: 39,
  title: ({ collaboration: { inbox } }) => `An inbox of ${countOf(inbox)} entries`,
  isLong: true,
  run,
};
