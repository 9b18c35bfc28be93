/** Syncs of mirrors of either direction, as the terminal shows them. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { sizeOf } from "../../output/size.ts";
import { shortId, shortRef } from "../../output/style.ts";
import { renderTable } from "../../output/table.ts";
import { terminalSafe } from "../../output/terminal-safe.ts";

type Sync = Schemas["MirrorSync"];
type Change = Schemas["MirrorRefChange"];

const lookEveryMs = 1_000;

/** The first sync after `before` that has ended: the one that was asked for, or one that followed it. */
export async function waitForSync(
  newest: () => Promise<Sync | undefined>,
  before: Sync | undefined,
): Promise<Sync> {
  for (;;) {
    const now = await newest();
    if (now && now.id !== before?.id && now.status !== "running") return now;
    await sleep(lookEveryMs);
  }
}

const maxListedChanges = 10;

/** Under each sync what it changed; in a pipe, where a line is a sync, in its last column. */
export function renderSyncs(
  syncs: readonly Sync[],
  bytes: "RECEIVED" | "SENT",
  isTerminal = process.stdout.isTTY,
): string {
  if (isTerminal && syncs.length === 0) return "No syncs.";
  const rows = syncs.map((one) => [
    one.started_at,
    one.status,
    one.cause,
    one.duration_ms === null ? "" : (one.duration_ms / 1000).toFixed(1),
    String(one.changed_refs),
    sizeOf(one.bytes),
    one.error ?? "",
    ...(isTerminal ? [] : [changesOf(one).join("; ")]),
  ]);
  const header = ["STARTED", "STATUS", "CAUSE", "SECONDS", "REFS", bytes, "ERROR"];
  const table = renderTable(header, rows, isTerminal);
  if (!isTerminal) return table;
  const [first = "", ...lines] = table.split("\n");
  const changes = (at: number) =>
    (syncs[at] ? changesOf(syncs[at]) : []).map((line) => `  ${terminalSafe(line)}`);
  return [first, ...lines.flatMap((line, at) => [line, ...changes(at)])].join("\n");
}

/** Those by which commits were lost come first: their ids are wanted most. */
function changesOf({ refs, changed_refs: total }: Sync): string[] {
  const isLoss = ({ change }: Change) => change === "forced" || change === "deleted";
  const listed = [...refs.filter(isLoss), ...refs.filter((one) => !isLoss(one))].slice(0, maxListedChanges);
  const more = total - listed.length;
  return [...listed.map(changeInWords), ...(more > 0 ? [`and ${more} more`] : [])];
}

function changeInWords({ ref, change, before, after }: Change): string {
  const name = shortRef(ref);
  if (after === null) return `${name}: deleted, was ${shortId(before ?? "")}`;
  if (before === null) return `${name}: created at ${shortId(after)}`;
  return `${name}: ${shortId(before)} → ${shortId(after)}${change === "forced" ? " (forced)" : ""}`;
}

export function sentenceOf(sync: Sync): string {
  const lines = sync.refs.map(({ change, ref }) => `${change} ${ref}`);
  const more = sync.changed_refs - lines.length;
  return [
    sync.status === "succeeded"
      ? `synced: ${sync.changed_refs} ${sync.changed_refs === 1 ? "ref" : "refs"} changed`
      : `${sync.status}: ${sync.error ?? ""}`,
    ...lines,
    ...(more > 0 ? [`and ${more} more`] : []),
    ...sync.notes,
  ]
    .map(terminalSafe)
    .join("\n");
}
