/** The history of a mirror, with what each sync changed. */
import { stripVTControlCharacters } from "node:util";
import { expect, test } from "vitest";
import { renderSyncs } from "@forgeline/cli/commands/mirrors/syncs.ts";

type Sync = Parameters<typeof renderSyncs>[0][number];

const [old, fresh] = ["1f0c3a2b4c5d".padEnd(40, "0"), "9a4e11bd0e2f".padEnd(40, "0")];

function syncOf(refs: Sync["refs"], changedRefs = refs.length): Sync {
  return {
    id: "sync_1",
    status: "succeeded",
    cause: "schedule",
    started_at: "2026-11-28T05:00:00.000Z",
    finished_at: "2026-11-28T05:00:01.500Z",
    duration_ms: 1_500,
    changed_refs: changedRefs,
    bytes: 0,
    lfs_objects: 0,
    progress: null,
    error: null,
    refs,
    notes: [],
    created_at: "2026-11-28T05:00:00.000Z",
  };
}

const linesOf = (syncs: Sync[]) => stripVTControlCharacters(renderSyncs(syncs, "RECEIVED", true)).split("\n");

test("what was replaced and deleted comes first, under its sync", () => {
  const [, row, ...changes] = linesOf([
    syncOf([
      { ref: "refs/heads/a", change: "created", before: null, after: fresh },
      { ref: "refs/heads/b", change: "updated", before: old, after: fresh },
      { ref: "refs/heads/c", change: "deleted", before: old, after: null },
      { ref: "refs/heads/main", change: "forced", before: old, after: fresh },
    ]),
    syncOf([]),
  ]);
  expect(row).toMatch(/^2026-11-28T05:00:00Z {2}succeeded {2}schedule/);
  expect(changes).toEqual([
    "  c: deleted, was 1f0c3a2b4c",
    "  main: 1f0c3a2b4c → 9a4e11bd0e (forced)",
    "  a: created at 9a4e11bd0e",
    "  b: 1f0c3a2b4c → 9a4e11bd0e",
    expect.stringMatching(/^2026-11-28T05:00:00Z/),
  ]);
});

test("ten are shown, and how many more there are", () => {
  const refs = Array.from({ length: 12 }, (_, at) => ({
    ref: `refs/heads/${at}`,
    change: "updated" as const,
    before: old,
    after: fresh,
  }));
  const lines = linesOf([syncOf(refs, 25)]);
  expect(lines).toHaveLength(2 + 11);
  expect(lines.at(-1)).toBe("  and 15 more");
});

test("in a pipe a line is a sync, with its changes in the last column", () => {
  const refs = [{ ref: "refs/tags/v1", change: "forced" as const, before: old, after: fresh }];
  const columns = renderSyncs([syncOf(refs)], "SENT", false).split("\t");
  expect([columns.length, columns.at(-1)]).toEqual([8, "v1: 1f0c3a2b4c → 9a4e11bd0e (forced)"]);
  expect(renderSyncs([], "SENT", false)).toBe("");
  expect(renderSyncs([], "SENT", true)).toBe("No syncs.");
});
