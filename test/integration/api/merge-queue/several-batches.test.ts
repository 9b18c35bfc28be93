/** Several batches of one merge queue at once: each is tested on top of the one before it, and they land in order. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { eventually } from "../../../support/eventually.ts";
import { startQueueBed, type QueueBed } from "./fixture.ts";

let bed: QueueBed;
beforeAll(async () => {
  bed = await startQueueBed();
});
afterAll(() => bed?.server.stop());

/** Two batches of one each, in this order. */
async function tested(target: string, numbers: readonly number[]) {
  return eventually(async () => {
    await bed.look();
    const shown = await bed.show(target);
    expect(shown.batches).toHaveLength(numbers.length);
    const inBatches = (shown.entries as { number: number; state: string }[]).slice(0, numbers.length);
    expect(inBatches).toMatchObject(numbers.map((number) => ({ number, state: "testing" })));
    const [first, second] = shown.batches;
    expect([first.base_sha, second.base_sha]).toEqual([await bed.tipOf(target), first.sha]);
    return { first, second } as Record<"first" | "second", { sha: string; runs: { id: string }[] }>;
  });
}

const succeed = (runs: readonly { id: string }[]) =>
  bed.query("update pipelines set status = 'success', finished_at = now() where id = any ($1)", [
    runs.map(({ id }) => id),
  ]);

it("throws away what was built on a batch that fails, and lands in order what passes out of order", async () => {
  const { target } = await bed.queued({ max_batch: 1, parallel_batches: 2 });
  const bad = await bed.propose(target, "several-bad", { "bad.txt": "1" });
  const good = await bed.propose(target, "several-good", { "good.txt": "1" });
  const late = await bed.propose(target, "several-late", { "late.txt": "1" });
  await bed.addAll(target, [bad, good, late]);
  const before = await tested(target, [bad, good]);
  await bed.end(target);
  const anew = await tested(target, [good, late]);
  expect(await bed.leftBecause(bad)).toContain("has not passed");
  const useless = await bed.query("select cancel_reason from pipelines where sha = $1", [before.second.sha]);
  expect(useless).toEqual([{ cancel_reason: "merge_queue" }]);
  const tip = await bed.tipOf(target);
  await succeed(anew.second.runs);
  await bed.look();
  expect([await bed.tipOf(target), (await bed.show(target)).batches]).toEqual([
    tip,
    [expect.objectContaining({ sha: anew.first.sha }), expect.objectContaining({ sha: anew.second.sha })],
  ]);
  await succeed(anew.first.runs);
  await bed.playAll(target);
  // Both as they were tested.
  expect(await bed.tipOf(target)).toBe(anew.second.sha);
  expect((await bed.record(good)).merge_sha).toBe(anew.first.sha);
  expect((await bed.record(late)).state).toBe("merged");
});

it("keeps the first batch where one of the second leaves, and trusts what contains a fork as little as the fork", async () => {
  const { target } = await bed.queued({ max_batch: 1, parallel_batches: 2 });
  const first = await bed.propose(target, "keeps-first", { "k1.txt": "1" });
  const second = await bed.propose(target, "keeps-second", { "k2.txt": "1" });
  const third = await bed.propose(target, "keeps-third", { "k3.txt": "1" });
  await bed.addAll(target, [first, second, third]);
  const before = await tested(target, [first, second]);
  // As one whose fork is deleted: nobody knows whose commits those are.
  await bed.query(
    "update merge_requests set source_repository_id = null where id = (select id from work_items where number = $1)",
    [first],
  );
  expect((await bed.api("DELETE", `/repos/acme/engine/merge-queue/${second}`)).status).toBe(204);
  const anew = await tested(target, [first, third]);
  expect(anew.first.sha).toBe(before.first.sha);
  const told = "select event #> '{mergeRequest,fork}' as fork from pipelines where sha = $1";
  expect(await bed.query(told, [anew.second.sha])).toEqual([{ fork: true }]);
});
