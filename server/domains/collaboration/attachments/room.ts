/** How much may be uploaded: to one place, by one person, and by those who do not belong to a repository. */
import type { AttachmentLimits } from "../../../config/attachments.ts";
import { AppError } from "../../../platform/app-error.ts";
import type { Transaction } from "../../../platform/db/database.ts";
import * as store from "./attachments.store.ts";

/** As people read it. */
export const mebibytes = (bytes: number): number => Math.ceil(bytes / 1024 ** 2);

/** In a day, of one person. */
const maxUploads = 500;
const maxUploadedBytes = 2 * 1024 ** 3;

export interface Room extends store.Place {
  /** Below Triage: in a public repository, anybody. */
  isGuest: boolean;
  placeId: string;
  uploaderId: string;
  /** Of all together. */
  sizeBytes: number;
  /** Default: 1. */
  files?: number;
}

/** Others that upload to the same place wait until the transaction ends. Throws `quota_exceeded`. */
export async function requireRoom(
  tx: Transaction,
  room: Room,
  { placeBytes }: Pick<AttachmentLimits, "placeBytes">,
): Promise<void> {
  await tx.query(store.statements.lockPlace, [room.placeId]);
  const place = await tx.one(store.statements.sumOfPlace, [room.repositoryId, room.teamId]);
  const used = place?.bytes ?? 0;
  if (used + room.sizeBytes > placeBytes)
    throw new AppError("quota_exceeded", {
      message: `The attachments here would take more than ${mebibytes(placeBytes)} MiB in all: ${mebibytes(used)} MiB are used. Delete some first.`,
    });
  if (room.isGuest) await requireGuestRoom(tx, { ...room, used }, placeBytes);
  await tx.query(store.statements.lockUploader, [room.uploaderId]);
  const own = await tx.one(store.statements.sumOfUploader, [room.uploaderId]);
  if (own && (own.count + (room.files ?? 1) > maxUploads || own.bytes + room.sizeBytes > maxUploadedBytes))
    throw new AppError("quota_exceeded", {
      message: "You have uploaded as much as one person can in a day. Try again tomorrow.",
    });
}

/** The last quarter is kept for those with Triage, and one guest has at most a quarter, so that guests keep nobody out. */
async function requireGuestRoom(
  tx: Transaction,
  { repositoryId, uploaderId, sizeBytes, used }: Room & { used: number },
  placeBytes: number,
): Promise<void> {
  const here = await tx.one(store.statements.sumOfUploaderHere, [repositoryId, uploaderId]);
  const isFull = used + sizeBytes > (placeBytes * 3) / 4;
  if (!isFull && (here?.bytes ?? 0) + sizeBytes <= placeBytes / 4) return;
  throw new AppError("quota_exceeded", {
    message: isFull
      ? "What is left for attachments here is kept for those with Triage."
      : "You have as many attachments here as one person without Triage can have. Delete some first.",
  });
}
