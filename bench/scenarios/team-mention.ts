/** A comment that mentions a large team: how long the request takes, and until each member was told. */
import { eventually } from "../../test/support/eventually.ts";
import { atMost } from "../figures.ts";
import type { Bench, Scenario, ScenarioResult } from "../scenario.ts";
import { countOf } from "../size.ts";

const requestAtMostMs = 60;
const toldAtMostSeconds = 20;
const organization = "bench-org";

/** People who never signed in; the administrator, who writes, is not told. */
async function prepare(bench: Bench): Promise<string> {
  const { client, database, size } = bench;
  await client.call("POST", "/orgs", { name: organization });
  await client.call("POST", `/orgs/${organization}/teams`, { name: "everyone" });
  const count = size.collaboration.members;
  for (const text of [
    `insert into owners (id, name, kind) select 'usr_bench' || lpad(n::text, 21, '0'), 'bench-member-' || n, 'user'
     from generate_series(1, $1::int) n`,
    `insert into users (id, username) select 'usr_bench' || lpad(n::text, 21, '0'), 'bench-member-' || n from generate_series(1, $1::int) n`,
    `insert into organization_members (organization_id, user_id, role)
     select o.id, 'usr_bench' || lpad(n::text, 21, '0'), 'member' from owners o, generate_series(1, $1::int) n where o.name = '${organization}'`,
    `insert into team_members (team_id, user_id)
     select t.id, 'usr_bench' || lpad(n::text, 21, '0') from teams t join owners o on o.id = t.organization_id,
       generate_series(1, $1::int) n where o.name = '${organization}'`,
  ])
    await database.query(text, [count]);
  await client.call("POST", "/repos", { owner: organization, name: "told", visibility: "public" });
  const issue = { title: "All of you", body: "It concerns everyone." };
  const path = `/repos/${organization}/told/issues`;
  const { number } = await client.call<{ number: number }>("POST", path, issue);
  return `${path}/${number}/comments`;
}

async function run(bench: Bench): Promise<ScenarioResult> {
  const { client, database, size } = bench;
  const { members } = size.collaboration;
  const path = await prepare(bench);
  await client.call("POST", path, { body: "Nobody in particular." });
  const told = async () => {
    const { rows } = await database.query<{ count: number }>(
      "select count(*)::int as count from notifications where reason = 'team_mention' and user_id like 'usr\\_bench%'",
    );
    return rows[0]?.count ?? 0;
  };
  const beganMs = performance.now();
  await client.call("POST", path, { body: `@${organization}/everyone: please look at this.` });
  const answeredMs = performance.now();
  await eventually(async () => (await told()) >= members, { timeoutMs: 60_000, intervalMs: 50 });
  const toldMs = performance.now();
  return {
    figures: [
      atMost("the request that mentions them", {
        value: answeredMs - beganMs,
        limit: requestAtMostMs,
        unit: "ms",
      }),
      atMost("until all of them were told", {
        value: (toldMs - beganMs) / 1000,
        limit: toldAtMostSeconds,
        unit: "s",
      }),
      {
        what: "of them told once",
        value: `${countOf(await told())}`,
        limit: { text: "all", met: (await told()) === members },
      },
    ],
    parts: [],
  };
}

export const teamMentionScenario: Scenario = {
  number: 38,
  title: ({ collaboration: { members } }) => `A mention of a team of ${countOf(members)}`,
  isLong: true,
  run,
};
