/** A push to the target of many open merge requests: how long until each says again whether it can be merged, and which one is first. */
import { eventually } from "../../test/support/eventually.ts";
import { countDue, makeBranches, openMergeRequests, untilCompared, type BranchesMade } from "../branches.ts";
import { atMost } from "../figures.ts";
import type { Bench, Scenario, ScenarioResult } from "../scenario.ts";
import { countOf } from "../size.ts";

const atMostSeconds = 8;
/** The one that was under way when it was asked for, and itself. */
const placeAtMost = 2;

async function run(bench: Bench): Promise<ScenarioResult> {
  const { openMergeRequests: count } = bench.size.collaboration;
  const wanted = { name: "mergeability", files: count * 2 + 2, branches: count + 1, commits: 1, changed: 2 };
  const made = await makeBranches(bench, wanted);
  const numbers = await openMergeRequests(bench, made, count);
  await untilCompared(bench, made.id);
  // Whoever opened them is gone for an hour, and somebody has the last one open.
  await bench.database.query(
    "update merge_requests set looked_at = now() - interval '1 hour' where repository_id = $1",
    [made.id],
  );
  const seen = numbers.at(-1) ?? 0;
  await bench.client.call("GET", `${made.path}/merge-requests/${seen}`);
  await pushToMain(made, `work-${count + 1}`);
  const { tookMs, place } = await follow(bench, made, seen);
  return {
    figures: [
      atMost(`${countOf(count)} compared again after a push to their target`, {
        value: tookMs / 1000,
        limit: atMostSeconds,
        unit: "s",
        more: `${(tookMs / count).toFixed(0)} ms each`,
      }),
      atMost("place of the one that somebody has open, of all of them", {
        value: place,
        limit: placeAtMost,
        unit: "",
      }),
    ],
    parts: [],
  };
}

/** One more branch was made than there are merge requests: its commit goes to the target. */
const pushToMain = ({ git, source, url }: BranchesMade, branch: string) =>
  git.time(source, "push", "-q", url, `refs/heads/${branch}:refs/heads/main`);

/** From the push on; the place in which the one with this number was compared. */
async function follow(
  bench: Bench,
  { id }: BranchesMade,
  seen: number,
): Promise<{ tookMs: number; place: number }> {
  const beganMs = performance.now();
  const { openMergeRequests: count } = bench.size.collaboration;
  let place = 0;
  await eventually(
    async () => {
      const { rows } = await bench.database.query<{ due: boolean }>(
        "select m.check_due_at is not null as due from merge_requests m join work_items w on w.id = m.id where w.repository_id = $1 and w.number = $2",
        [id, seen],
      );
      const due = await countDue(bench, id);
      if (place === 0 && rows[0]?.due === false) place = count - due;
      return due === 0;
    },
    { timeoutMs: 120_000, intervalMs: 5 },
  );
  return { tookMs: performance.now() - beganMs, place };
}

export const mergeabilityScenario: Scenario = {
  number: 37,
  title: ({ collaboration: { openMergeRequests: count } }) =>
    `Whether ${countOf(count)} open merge requests can be merged, after a push to their target`,
  isLong: true,
  run,
};
