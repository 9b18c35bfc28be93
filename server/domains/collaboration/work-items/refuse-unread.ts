/** Texts that several people may edit: nobody replaces a version that they have not read. */
import { AppError } from "../../../platform/app-error.ts";

/** `previous`: what the caller has read; `now`: what is there, locked. Throws `conflict`. A repeated request, whose text is there already, is none. */
export function refuseUnread(
  previous: string | undefined,
  { now, wanted }: { now: string; wanted: string | undefined },
): void {
  if (previous === undefined || wanted === undefined || previous === now || wanted === now) return;
  throw new AppError("conflict", {
    message: "Somebody has changed this text since you read it. Read it again, then save yours.",
  });
}
