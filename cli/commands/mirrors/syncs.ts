/** Syncs of mirrors of either direction, as the terminal shows them. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { sizeOf } from "../../output/size.ts";
import { renderTable } from "../../output/table.ts";
import { terminalSafe } from "../../output/terminal-safe.ts";

type Sync = Schemas["MirrorSync"];

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

export function renderSyncs(syncs: readonly Sync[], bytes: "RECEIVED" | "SENT"): string {
  return renderTable(
    ["STARTED", "STATUS", "CAUSE", "SECONDS", "REFS", bytes, "ERROR"],
    syncs.map((one) => [
      one.started_at,
      one.status,
      one.cause,
      one.duration_ms === null ? "" : (one.duration_ms / 1000).toFixed(1),
      String(one.changed_refs),
      sizeOf(one.bytes),
      one.error ?? "",
    ]),
  );
}

export function sentenceOf(sync: Sync): string {
  const lines = sync.refs.map(({ change, ref }) => `${change} ${ref}`);
  const more = sync.changed_refs - lines.length;
  return [
    sync.status === "succeeded"
      ? `synced: ${sync.changed_refs} refs changed`
      : `${sync.status}: ${sync.error ?? ""}`,
    ...lines,
    ...(more > 0 ? [`and ${more} more`] : []),
    ...sync.notes,
  ]
    .map(terminalSafe)
    .join("\n");
}
