/** What was written below an issue or merge request of a project export of GitLab, as its REST API answers it. */
import type { UserOf } from "./gitlab-people.ts";
import { bodyOf, fieldsOf, idOf, listOf, textOf, type Fields } from "./loose-fields.ts";

/** Of one issue or merge request. */
const maxNotes = 5_000;

interface Note extends Fields {
  id: string;
}

/** Oldest first, as far as the export has them in order. */
export function notesOf(fields: Fields, userOf: UserOf): Note[] {
  return listOf(fields["notes"])
    .slice(0, maxNotes)
    .map((note, index) => noteOf(fieldsOf(note), { index, userOf }));
}

/** Grouped as they belong together. */
export function discussionsOf(fields: Fields, userOf: UserOf): { id: string; notes: Note[] }[] {
  const discussions = new Map<string, Note[]>();
  listOf(fields["notes"])
    .slice(0, maxNotes)
    .map(fieldsOf)
    .forEach((note, index) => {
      const converted = noteOf(note, { index, userOf });
      const id = textOf(note["discussion_id"]) ?? `note-${converted.id}`;
      const together = discussions.get(id) ?? [];
      together.push(converted);
      discussions.set(id, together);
    });
  return [...discussions].map(([id, notes]) => ({ id, notes }));
}

function noteOf(note: Fields, { index, userOf }: { index: number; userOf: UserOf }): Note {
  const isHidden = note["internal"] === true || note["confidential"] === true;
  const { system, created_at, updated_at, resolved_at } = note;
  return {
    id: idOf(note["id"]) ?? `note-${index}`,
    system: system === true,
    internal: isHidden,
    author: userOf(note["author_id"]),
    // It is left out, so it is not kept either.
    body: isHidden ? "" : bodyOf(note["note"]),
    created_at,
    updated_at: updated_at ?? created_at,
    position: positionOf(note["position"]),
    resolved: textOf(resolved_at) !== null,
    resolved_at: textOf(resolved_at),
  };
}

/** Some versions keep it as a text. */
function positionOf(given: unknown): unknown {
  if (typeof given !== "string") return given ?? null;
  try {
    return JSON.parse(given) as unknown;
  } catch {
    return null;
  }
}

export function approvalsOf(fields: Fields, userOf: UserOf): object {
  const approved = listOf(fields["approvals"]).slice(0, maxNotes).map(fieldsOf);
  return {
    updated_at: fields["updated_at"],
    approved_by: approved.flatMap(({ user_id: id, created_at: at }) => {
      const user = userOf(id);
      return user === null ? [] : [{ user, approved_at: textOf(at) }];
    }),
  };
}
