/** Attachments go with their issue to another repository, so that its readers can open them. */
import type { AttachmentLimits } from "../../../config/attachments.ts";
import { AppError } from "../../../platform/app-error.ts";
import type { Queryable, Transaction } from "../../../platform/db/database.ts";
import { newId } from "../../../platform/ids.ts";
import { attachmentIdsIn } from "./mentions.ts";
import { statements } from "./attachments.store.ts";
import { mebibytes, requireRoom } from "./room.ts";

/** To be called where what a repository takes has changed. */
export type Measure = (db: Queryable, repositoryId: string) => Promise<void>;

/** With one issue. */
const maxMoved = 100;

export interface AttachmentMoves {
  /**
   * Those that the issue and its comments mention, before these move: looking for them takes time, and others wait for a number in the
   * other repository. What other texts mention too is copied: those that
   * have another id now, by their former one. `by` may delete them there. Throws `conflict` past the bound, and `quota_exceeded`.
   */
  moveWith(
    tx: Transaction,
    itemId: string,
    places: { from: string; to: string; by: string | null },
  ): Promise<ReadonlyMap<string, string>>;
  /**
   * A text of the board of a team as it is in a repository: with copies of its files, which are then uploads of whoever copies them, with
   * the bounds of uploads. Throws `quota_exceeded`.
   */
  copyOfTeam(tx: Transaction, text: string, places: CopyPlaces): Promise<string>;
}

export interface CopyPlaces {
  teamId: string;
  repositoryId: string;
  /** Below Triage there. */
  isGuest: boolean;
  uploaderId: string;
}

export function createAttachmentMoves({
  placeBytes,
  measure,
}: Pick<AttachmentLimits, "placeBytes"> & { measure: Measure }): AttachmentMoves {
  async function requireBound(tx: Transaction, repositoryId: string): Promise<void> {
    const place = await tx.one(statements.sumOfPlace, [repositoryId, null]);
    if ((place?.bytes ?? 0) > placeBytes)
      throw new AppError("quota_exceeded", {
        message: `The attachments there would take more than ${mebibytes(placeBytes)} MiB in all. Delete some there first.`,
      });
  }

  return {
    async moveWith(tx, itemId, { from, to, by }) {
      const mentioned = await tx.query(statements.mentionedBy, [itemId, maxMoved + 1]);
      if (mentioned.length === 0) return new Map();
      if (mentioned.length > maxMoved)
        throw new AppError("conflict", { message: `It has more than ${maxMoved} attachments.` });
      await tx.query(statements.lockPlace, [to]);
      const ids = mentioned.flatMap(({ id }) => id ?? []);
      const moved = await tx.query(statements.moveUnshared, [from, to, ids, itemId, by]);
      const shared = ids.filter((id) => !moved.some((each) => each.id === id));
      const copies = new Map(shared.map((id) => [id, newId("atm")]));
      const made = await tx.query(statements.copyShared, [
        from,
        to,
        [...copies.keys()],
        [...copies.values()],
        by,
      ]);
      await requireBound(tx, to);
      // In one order, so that two moves the other way round do not wait for each other in a circle.
      for (const each of [from, to].toSorted()) await measure(tx, each);
      // What is of neither repository stays as it was written.
      return new Map([...copies].filter(([, id]) => made.some((each) => each.id === id)));
    },
    async copyOfTeam(tx, text, { teamId, repositoryId, isGuest, uploaderId }) {
      const mentioned = attachmentIdsIn(text);
      if (mentioned.length === 0) return text;
      await tx.query(statements.lockPlace, [repositoryId]);
      const held = await tx.query(statements.holdOfTeam, [teamId, mentioned]);
      if (held.length === 0) return text;
      const sizeBytes = held.reduce((sum, each) => sum + each.size_bytes, 0);
      const place = { repositoryId, teamId: null, placeId: repositoryId, isGuest };
      await requireRoom(tx, { ...place, uploaderId, sizeBytes, files: held.length }, { placeBytes });
      const copies = held.map(({ id }) => [id, newId("atm")] as const);
      const [ids, newIds] = [copies.map(([id]) => id), copies.map(([, id]) => id)];
      await tx.query(statements.copyOfTeam, [teamId, repositoryId, ids, newIds, uploaderId]);
      await measure(tx, repositoryId);
      return copies.reduce((copied, [id, copy]) => copied.replaceAll(id, copy), text);
    },
  };
}
