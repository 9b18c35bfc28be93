/**
 * Sends the entries of a log in their order, and after each second notes how far it is: whoever continues after a crash sends what
 * came behind that once more.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { crashPoint } from "../../../platform/crash-point.ts";
import type { Database } from "../../../platform/db/database.ts";
import type { AuditReader } from "../../operation/domain.ts";
import { batchesOf } from "./batch.ts";
import * as store from "./sending.store.ts";
import type { StreamTarget } from "./stream-target.ts";

export interface SendWaitingDeps {
  db: Database;
  reader: AuditReader;
}

export interface Sending {
  row: Pick<store.SendingRow, "id" | "revision" | "organization_id" | "sent_number">;
  target: StreamTarget;
  onAccepted(entries: number): void;
  /** When it is aborted, this call ends soon, and another one goes on. */
  ending: AbortSignal;
}

/** Entries that one statement reads, while those before are sent. */
const rowsAtOnce = 1_000;
const noteEveryMs = 1_000;
/** Once nothing waits, it looks for new entries so often and for so long: starting over costs more. */
const lookEveryMs = 1_000;
const lingerMs = 15_000;

/** Milliseconds until the next call; null: nothing waits. Throws TargetProblem, after noting what was accepted. */
export async function sendWaiting(
  { db, reader }: SendWaitingDeps,
  { row, target, onAccepted, ending }: Sending,
  signal: AbortSignal,
): Promise<number | null> {
  const { organization_id: owner } = row;
  const position = createPosition(db, { row, target, onAccepted, signal });
  let idleSince = Date.now();
  try {
    while (!ending.aborted) {
      const head = await reader.head(owner);
      if (head > position.sent()) {
        for await (const part of readAhead(reader, { owner, after: position.sent(), until: head })) {
          for (const batch of batchesOf(part.text)) {
            signal.throwIfAborted();
            await target.send(batch, signal);
            position.moveTo(batch.place?.last ?? 0, batch.lines.length);
            if ((ending.aborted || position.isOld()) && !(await position.note())) return 0;
            if (ending.aborted) return 0;
          }
          position.moveTo(part.last, 0);
        }
        if (!(await position.note())) return 0;
        idleSince = Date.now();
      } else if (Date.now() - idleSince > lingerMs) {
        await store.release(db, row);
        return null;
      }
      await sleep(lookEveryMs, undefined, { signal: AbortSignal.any([signal, ending]) }).catch(() =>
        signal.throwIfAborted(),
      );
      if (!(await store.notePosition(db, row, position.noted()))) return 0;
    }
    return 0;
  } catch (error) {
    if (target.acceptsEach && position.sent() > position.noted()) await position.note();
    throw error;
  }
}

/** How far it is, and how far that is noted. */
function createPosition(
  db: Database,
  { row, target, onAccepted, signal }: Omit<Sending, "ending"> & { signal: AbortSignal },
) {
  let sent = row.sent_number;
  let noted = sent;
  let unconfirmed = 0;
  let notedAt = Date.now();
  return {
    sent: () => sent,
    noted: () => noted,
    moveTo(number: number, entries: number) {
      sent = number;
      if (!target.acceptsEach) unconfirmed += entries;
      else if (entries > 0) onAccepted(entries);
    },
    isOld: () => Date.now() - notedAt > noteEveryMs,
    /** False where the stream has changed meanwhile. */
    async note(): Promise<boolean> {
      await target.confirm(signal);
      if (unconfirmed > 0) onAccepted(unconfirmed);
      unconfirmed = 0;
      crashPoint("stream.sent-before-noted");
      noted = sent;
      notedAt = Date.now();
      return store.notePosition(db, row, sent);
    },
  };
}

type Part = Awaited<ReturnType<AuditReader["readPart"]>>;

/** Parts in order, one of which is read while the one before is sent. */
async function* readAhead(
  reader: AuditReader,
  { owner, after, until }: { owner: string | null; after: number; until: number },
): AsyncGenerator<Part> {
  const read = (from: number) =>
    reader.readPart({ owner, filters: {}, format: "jsonl", after: from, until, limit: rowsAtOnce });
  let next: Promise<Part> | undefined = read(after);
  try {
    while (next) {
      const part: Part = await next;
      next = part.last < until ? read(part.last) : undefined;
      // Whoever takes this part may leave before the next one is asked for.
      next?.catch(() => undefined);
      yield part;
    }
  } finally {
    await Promise.allSettled([next]);
  }
}
