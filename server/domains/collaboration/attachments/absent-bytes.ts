/** Removes bytes that no row has any more. Those that went with an issue to another repository are shared with what stayed. */
import type { Database } from "../../../platform/db/database.ts";
import { statements } from "./attachments.store.ts";
import type { AttachmentBytes, BytesPlace } from "./bytes.ts";

/** The row is there before the bytes are. */
export async function removeAbsent(
  { db, bytes }: { db: Database; bytes: Pick<AttachmentBytes, "remove"> },
  places: readonly BytesPlace[],
): Promise<void> {
  const present = await db.query(statements.listPresent, [places.map(({ id }) => id)]);
  const ids = new Set(present.map(({ id }) => id));
  for (const place of places) if (!ids.has(place.id)) await bytes.remove(place);
}

export function placesOf(rows: readonly { place_id: string | null; bytes_id: string }[]): BytesPlace[] {
  return rows.map(({ place_id: placeId, bytes_id: id }) => ({ placeId: placeId ?? "", id }));
}
