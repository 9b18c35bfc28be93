/** What mail programs need to thread mails, to sort them, and to offer a way out (RFC 2369, 2919, 3834 and 8058). */
import { createHash } from "node:crypto";
import type { LetterRow } from "./letters.store.ts";

export type Threaded = Pick<
  LetterRow,
  "owner" | "name" | "kind" | "number" | "event" | "position" | "work_item_id"
>;

/** The id of the mail in which a conversation begins, whoever gets it. */
export function rootId(item: Pick<Threaded, "owner" | "name" | "kind" | "number">, host: string): string {
  return `<${pathOf(item)}@${host}>`;
}

function pathOf({ owner, name, kind, number }: Pick<Threaded, "owner" | "name" | "kind" | "number">): string {
  return `${owner}/${name}/${kind === "issue" ? "issues" : "merge-requests"}/${number}`;
}

export function threadHeaders(
  row: Threaded,
  host: string,
): { messageId: string; inReplyTo?: string; references?: readonly string[] } {
  const root = rootId(row, host);
  if (row.event === "opened") return { messageId: root };
  // Positions count what happens on the whole instance, so they are not told.
  const which = createHash("sha256").update(`${row.work_item_id} ${row.position}`).digest("hex").slice(0, 24);
  return { messageId: `<${pathOf(row)}/${which}@${host}>`, inReplyTo: root, references: [root] };
}

export function listHeaders(
  { owner, name }: Pick<LetterRow, "owner" | "name">,
  host: string,
): Record<string, string> {
  return { "List-ID": `${owner}/${name} <${name}.${owner}.${host}>` };
}

/** No program may answer: neither that somebody is away, nor to a list. */
export function automaticHeaders(reason: string, unsubscribeUrl: string): Record<string, string> {
  return {
    "X-Forgeline-Reason": reason,
    Precedence: "list",
    "Auto-Submitted": "auto-generated",
    "X-Auto-Response-Suppress": "All",
    "List-Unsubscribe": `<${unsubscribeUrl}>`,
    "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
  };
}
