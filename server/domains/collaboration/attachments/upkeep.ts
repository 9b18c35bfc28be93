/**
 * Removes attachments that nobody has used within a day, and bytes whose rows went with their repository or team. Texts say what they
 * use as they are saved. Those of repositories did not always: what is not noted there is looked for in them.
 */
import type { Database, Transaction } from "../../../platform/db/database.ts";
import { inBatches } from "../../../platform/objects/in-batches.ts";
import type { UpkeepTask } from "../../../platform/upkeep-task.ts";
import * as store from "./attachments.store.ts";
import type { AttachmentBytes } from "./bytes.ts";
import { placesOf, removeAbsent } from "./absent-bytes.ts";
import { attachmentIdsIn } from "./mentions.ts";

const everyMs = 6 * 60 * 60 * 1000;
const batch = 500;

export interface AttachmentUpkeep {
  upkeepTasks: readonly UpkeepTask[];
  /** A text on the board of a team was saved. */
  noteUsed(tx: Transaction, teamId: string, text: { body: string; isPrivate: boolean }): Promise<void>;
}

export function createAttachmentUpkeep(deps: { db: Database; bytes: AttachmentBytes }): AttachmentUpkeep {
  const { db, bytes } = deps;

  async function removeUnused(signal: AbortSignal): Promise<void> {
    for (let last = ""; ;) {
      signal.throwIfAborted();
      const rows = await db.query(store.statements.listUnused, [last]);
      if (rows.length === 0) return;
      last = rows.at(-1)?.id ?? "";
      await settle(rows);
    }
  }

  /** Rows before bytes, so that a text saved in between keeps its file. Bytes that a worker leaves when it dies, `removeLost` finds. */
  async function settle(rows: readonly store.UnusedRow[]): Promise<void> {
    const stored = rows.filter((row) => row.stored).map(({ id }) => id);
    const found = await db.query(store.statements.findMentioned, [stored]);
    const used = new Set(found.map(({ id }) => id));
    await db.query(store.statements.markUsed, [[...used]]);
    const unused = rows.map(({ id }) => id).filter((id) => !used.has(id));
    const removed = await db.query(store.statements.deleteUnused, [unused]);
    // Those that went with an issue to another repository share their bytes with what stayed.
    await removeAbsent(deps, placesOf(removed));
  }

  async function removeLost(signal: AbortSignal): Promise<void> {
    for await (const places of inBatches(bytes.places(), batch, signal)) await removeAbsent(deps, places);
  }

  return {
    upkeepTasks: [
      {
        name: "remove_unused_attachments",
        everyMs,
        async run(signal) {
          await removeUnused(signal);
          await removeLost(signal);
        },
      },
    ],
    async noteUsed(tx, teamId, { body, isPrivate }) {
      const ids = attachmentIdsIn(body);
      if (ids.length > 0) await tx.query(store.statements.noteUsed, [teamId, ids, !isPrivate]);
    },
  };
}
