/** `git push` until the first log line is at a watcher, against the same by REST. The push's own time is part of it. */
import { join } from "node:path";
import { eventually } from "../../test/support/eventually.ts";
import { createBenchRepository, type BenchRepository } from "../repository.ts";
import type { Bench, Scenario, ScenarioResult } from "../scenario.ts";
import { pushFiles } from "../pipeline-files.ts";
import { median, nowMs } from "../statistics.ts";
import { untilAtRest } from "../warm.ts";
import { firstLine, firstStepLine } from "./first-line.ts";

const atMostMs = 150;

interface PipelineRow {
  id: string;
  createdMs: number;
}

/** Follows the run that the push makes as soon as its row is there, while the push still ends. */
async function once(bench: Bench, repository: BenchRepository, number: number) {
  await repository.commit();
  const beganMs = nowMs();
  const pushed = repository.push().then(() => nowMs());
  const row = await appears(bench, repository, number);
  const seen = await firstStepLine(bench, `${repository.path}/pipelines/${row.id}`);
  return {
    totalMs: seen.atMs - beganMs,
    recordMs: row.createdMs - beganMs,
    pushMs: (await pushed) - beganMs,
  };
}

function appears({ database }: Bench, repository: BenchRepository, number: number): Promise<PipelineRow> {
  const look = async () => {
    const { rows } = await database.query<PipelineRow>(
      `select p.id, extract(epoch from p.created_at)::float8 * 1000 as "createdMs" from pipelines p
       join repositories r on r.id = p.repository_id where r.name = $1 and p.number = $2`,
      [repository.name, number],
    );
    return rows[0];
  };
  return eventually(look, { intervalMs: 3 });
}

async function run(bench: Bench): Promise<ScenarioResult> {
  const directory = join(bench.directory, "pushed");
  const repository = await createBenchRepository(bench.instance, {
    directory,
    name: "pushed",
    files: pushFiles,
  });
  await firstStepLine(bench, `${repository.path}/pipelines/1`);
  const pushes: Awaited<ReturnType<typeof once>>[] = [];
  const triggers: number[] = [];
  for (let round = 0; round < bench.size.rounds; round++) {
    await untilAtRest(bench);
    pushes.push(await once(bench, repository, round + 2));
    await untilAtRest(bench);
    triggers.push((await firstLine(bench, "first-warm")).totalMs);
  }
  const byPush = median(pushes.map((push) => push.totalMs));
  const byTrigger = median(triggers);
  const more = byPush - byTrigger;
  return {
    figures: [
      {
        what: "push over trigger",
        value: `${more.toFixed(0)} ms more (${byPush.toFixed(0)} ms against ${byTrigger.toFixed(0)} ms)`,
        limit: { text: `≤ ${atMostMs} ms`, met: more <= atMostMs },
      },
    ],
    parts: [
      {
        title: "push",
        parts: [
          { what: "git push begins → run recorded", ms: median(pushes.map((push) => push.recordMs)) },
          { what: "→ first line", ms: median(pushes.map((push) => push.totalMs - push.recordMs)) },
          { what: "git push in all", ms: median(pushes.map((push) => push.pushMs)) },
        ],
      },
    ],
  };
}

export const pushScenario: Scenario = {
  number: 3,
  title: () => "Push → first log line, against trigger by REST → first log line",
  run,
};
