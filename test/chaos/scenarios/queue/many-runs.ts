/** Many runs at once: starting them, and how they ended. */
import { eventually } from "../../../support/eventually.ts";
import { lanes, type QueueWorld, type Started } from "./world.ts";

/** `work` for each of `items`, as many at a time as there are lanes. */
export async function inLanes<T>(items: readonly T[], work: (item: T) => Promise<unknown>): Promise<void> {
  const left = items.values();
  const lane = async () => {
    for (const item of left) await work(item);
  };
  await Promise.all(Array.from({ length: lanes }, lane));
}

export async function triggerMany(world: QueueWorld, repository: string, count: number): Promise<Started[]> {
  const started: Started[] = [];
  await inLanes(Array.from({ length: count }), async () => {
    started.push(await world.trigger(repository));
  });
  return started;
}

/** Number of runs of a repository by status; open ones are those without an end. */
export async function countRuns(world: QueueWorld, ids: readonly string[]) {
  const rows = await world.rows<{ status: string; open: boolean; count: number }>(
    `select status, finished_at is null as open, count(*)::int as count from pipelines where id = any($1)
     group by 1, 2`,
    [ids],
  );
  const sum = (wanted: (row: (typeof rows)[number]) => boolean) =>
    rows.filter(wanted).reduce((all, { count }) => all + count, 0);
  return {
    known: sum(() => true),
    open: sum(({ open }) => open),
    success: sum(({ status }) => status === "success"),
    cancelled: sum(({ status, open }) => !open && status === "cancelled"),
  };
}

export async function untilEnded(
  world: QueueWorld,
  ids: readonly string[],
  timeoutMs: number,
): Promise<void> {
  await eventually(async () => (await countRuns(world, ids)).open === 0, { timeoutMs, intervalMs: 500 });
}
