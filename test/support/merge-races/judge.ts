/** What has to be true once all has come to rest: one outcome, the same in Git, the database, its events and timelines. */
import type { Done, Race } from "./kinds.ts";
import type { RacePlace, RaceWorld } from "./world.ts";

interface Found {
  id: string;
  number: number;
  state: "open" | "closed" | "merged";
  is_open: boolean;
  source_branch: string;
  target_branch: string;
  is_foreign: boolean;
  head_sha: string;
  merge_sha: string | null;
  merged_by: string | null;
  author: string;
  /** Of the timeline, and of events for webhooks, by kind. */
  told: Record<string, number>;
  sent: Record<string, number>;
  approved: string[];
}

const foundSql = `
select w.id, w.number, w.state, m.is_open, m.source_branch, m.target_branch, m.head_sha, m.merge_sha,
  m.source_repository_id is distinct from m.repository_id as is_foreign,
  (select u.username from users u where u.id = m.merged_by) as merged_by,
  (select u.username from users u where u.id = w.author_id) as author,
  (select coalesce(jsonb_object_agg(e.kind, e.count), '{}') from (select kind, count(*)::int from work_item_events
    where work_item_id = w.id group by kind) e) as told,
  (select coalesce(jsonb_object_agg(e.action, e.count), '{}') from (select action, count(*)::int from events
    where kind = 'merge_request' and repository_id = w.repository_id and subject->'merge_request'->>'id' = w.id group by action) e) as sent,
  (select coalesce(jsonb_agg(r.head_sha), '[]') from reviews r where r.merge_request_id = w.id and r.state = 'approved') as approved
from work_items w join merge_requests m on m.id = w.id where w.repository_id = $1`;

/** Null: all is at rest, also what waits to be approved. Otherwise what is not yet. */
export async function unrest(world: RaceWorld, places: readonly RacePlace[]): Promise<string | null> {
  const ids = places.flatMap(({ upstream, fork }) => [upstream.id, fork.id]);
  const rows = await world.query<{ what: string }>(
    `select 'push ' || id as what from pushes where repository_id = any ($1) and state = 'intended'
     union all select 'merging !' || w.number from merge_requests m join work_items w on w.id = m.id
       where m.repository_id = any ($1) and m.merging_sha is not null
     union all select 'check !' || w.number from merge_requests m join work_items w on w.id = m.id
       where m.repository_id = any ($1) and m.check_due_at is not null
     union all select 'queued !' || number from merge_queue_entries where repository_id = any ($1)
     union all select 'batch ' || id from merge_queue_batches where repository_id = any ($1)
     union all select 'auto-merge ' || a.merge_request_id from merge_request_auto_merges a
       join merge_requests m on m.id = a.merge_request_id where m.repository_id = any ($1) and (not m.is_open
         or exists (select from reviews r where r.merge_request_id = m.id and r.state = 'approved' and r.head_sha = m.head_sha))
     limit 20`,
    [ids],
  );
  return rows.length === 0 ? null : rows.map(({ what }) => what).join(", ");
}

/** Numbers of a repository from which nothing was deleted: each once, without a gap. */
export async function judgeNumbers(world: RaceWorld, { upstream }: RacePlace): Promise<string[]> {
  const [row] = await world.query<{ count: number; distinct: number; highest: number; last: number }>(
    `select count(*)::int as count, count(distinct number)::int as distinct, max(number) as highest,
       (select last from work_item_numbers where repository_id = $1) as last
     from work_items where repository_id = $1`,
    [upstream.id],
  );
  if (!row || (row.count === row.distinct && row.count === row.highest && row.count === row.last)) return [];
  return [`${upstream.name}: numbers repeat or have gaps: ${JSON.stringify(row)}`];
}

/** Of all races in one place, what is wrong, a sentence each. */
export async function judge(
  world: RaceWorld,
  place: RacePlace,
  played: readonly { race: Race; done: readonly Done[] }[],
): Promise<{ race: Race; outcome: string; problems: string[] }[]> {
  const rows = await world.query<Found>(foundSql, [place.upstream.id]);
  const judged = [];
  for (const { race, done } of played) {
    const ofRace = rows.filter(({ source_branch: from, target_branch: to }) => {
      const pair = [race.source, race.target];
      return pair.includes(from) && pair.includes(to);
    });
    const problems: string[] = [];
    for (const found of ofRace)
      problems.push(...judgeRecord(found), ...(await judgeGit(world, place, { found, race })));
    const first = ofRace.find(({ source_branch: from }) => from === race.source);
    if (first) problems.push(...judgeAnswers(race.kind.name, { found: first, done, head: race.head }));
    if (race.kind.isUnopened && ofRace.length !== 1 && !done.some(({ status }) => status === 0))
      problems.push(`${ofRace.length} merge requests with one pair of branches`);
    problems.push(...done.filter(({ status }) => status === 500).map(({ message }) => `500: ${message}`));
    const told = problems.map((problem) => `${race.kind.name}, !${first?.number}: ${problem}`);
    judged.push({ race, outcome: first?.state ?? "nothing", problems: told });
  }
  return judged;
}

/** What it says of itself agrees. */
function judgeRecord({ state, is_open: isOpen, told, sent }: Found): string[] {
  const problems: string[] = [];
  if ((state === "open") !== isOpen) problems.push(`it is ${state}, and is_open is ${isOpen}`);
  const merges = state === "merged" ? 1 : 0;
  if ((told["merged"] ?? 0) !== merges) problems.push(`${state}, the timeline says merged ${told["merged"]}`);
  for (const [kind, action] of Object.entries(actions))
    if ((told[kind] ?? 0) !== (sent[action] ?? 0))
      problems.push(`the timeline says ${kind} ${told[kind] ?? 0} times, events ${sent[action] ?? 0} times`);
  if (sent["opened"] !== 1) problems.push(`opened was sent ${sent["opened"]} times`);
  if (state === "closed" && told["closed"] !== 1) problems.push(`closed ${told["closed"]} times`);
  return problems;
}

/** Kinds of the timeline, and the event that goes with each. */
const actions = {
  merged: "merged",
  closed: "closed",
  queued: "queued",
  pushed: "synchronized",
  auto_merge_enabled: "auto_merge_enabled",
  auto_merge_disabled: "auto_merge_disabled",
};

async function judgeGit(
  world: RaceWorld,
  { upstream, fork }: RacePlace,
  { found, race }: { found: Found; race: Race },
): Promise<string[]> {
  const problems: string[] = [];
  const { state, merge_sha: sha, source_branch: source, target_branch: target } = found;
  const tips = async (id: string, branch: string) =>
    (await world.git(id, ["for-each-ref", "--format=%(objectname)", `refs/heads/${branch}`])).trim();
  const tip = await tips(upstream.id, target);
  const head = await tips(found.is_foreign ? fork.id : upstream.id, source);
  if (state === "open" && head !== found.head_sha)
    problems.push(`the branch is at ${head.slice(0, 12)}, its head ${found.head_sha.slice(0, 12)}`);
  // Of the way back, the other file tells.
  const file = source === race.source ? race.file : `base-${race.file}`;
  const log = await world.git(upstream.id, ["log", "--first-parent", "--format=%H", tip, "--", file]);
  const times = log.split("\n").filter(Boolean).length;
  if (times !== (state === "merged" ? 1 : 0)) problems.push(`${state}, and ${times} times in its target`);
  if (state !== "merged") return problems;
  const isIn = await world.git(upstream.id, ["merge-base", sha ?? "", tip]);
  if (isIn.trim() !== sha) problems.push(`its merge commit ${sha} is not in its target`);
  const moves = await world.query(
    `select p.id from pushes p, jsonb_to_recordset(p.updates) as u (ref text, after text)
     where p.repository_id = $1 and p.state = 'recorded' and u.ref = $2 and u.after = $3`,
    [upstream.id, `refs/heads/${target}`, sha],
  );
  if (moves.length > 1) problems.push(`${moves.length} pushes brought it`);
  if (moves.length === 0 && !isQueued(race)) problems.push("no recorded push brought it");
  return problems;
}

const isQueued = ({ kind }: Race) => kind.rule === "queued" || kind.rule === "several";

/** What people were told, and what rules demand of what has landed. */
function judgeAnswers(
  kind: string,
  { found, done, head }: { found: Found; done: readonly Done[]; head: string },
): string[] {
  const problems: string[] = [];
  const merges = done.filter(({ what }) => what === "merge" || what === "merge after the rule");
  const good = merges.filter(({ status }) => status === 200);
  const unsure = merges.some(({ status }) => status === 0 || status === 503);
  if (good.length > 1) problems.push(`${good.length} were told that they have merged it`);
  if (good.length > 0 && found.state !== "merged")
    problems.push(`a merge was answered 200, it is ${found.state}`);
  if (good.length === 0 && merges.length > 0 && found.state === "merged" && !unsure)
    problems.push(`merged, and all were refused: ${merges.map(({ message }) => message).join(" / ")}`);
  const [winner] = good;
  if (winner && found.merged_by !== winner.person)
    problems.push(`${winner.person} merged it, the record says ${found.merged_by}`);
  if (found.state === "merged" && merges.length > 0)
    if (!merges.some(({ person }) => person === found.merged_by))
      problems.push(`merged by ${found.merged_by}, who did not ask for it`);
  if (kind.startsWith("approval") && found.state === "merged") {
    if (!found.approved.includes(found.head_sha))
      problems.push(`${found.head_sha} landed without an approval`);
    if (found.head_sha !== head) problems.push("what was pushed after the approval has landed");
  }
  const hasRule = done.some(({ what, status }) => what === "rule" && status === 201);
  if (hasRule && done.some(({ what, status }) => what === "merge after the rule" && status === 200))
    problems.push("a merge that began after the rule was there went past it");
  return problems;
}
