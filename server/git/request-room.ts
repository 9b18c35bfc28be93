/**
 * Memory for a request of a fetch that is still on its way, taken from the room that all bodies share. Reserved as the request grows:
 * nobody knows before how large it becomes, since over HTTPS it may be packed.
 */
import type { BodyRoom } from "../features/limits/body-room.ts";
import { AppError } from "../platform/app-error.ts";

export interface RequestRoom {
  /** Throws `payload_too_large`, and what `BodyRoom.reserve` throws. */
  grow(toBytes: number): void;
  /** Once the request is not kept any more; it may grow again after. */
  free(): void;
}

/** A want or have is 50 bytes, and a large partial clone wants a hundred thousand files. */
export const maxRequestBytes = 16 * 1024 * 1024;
/** Most requests are smaller. */
const firstBytes = 16 * 1024;

/** `user` is the key of whom it counts for. */
export function createRequestRoom(
  bodies: BodyRoom,
  user: string,
  mostBytes: number = maxRequestBytes,
): RequestRoom {
  let reserved = 0;
  let held: (() => void)[] = [];
  return {
    grow(toBytes) {
      if (toBytes > mostBytes)
        throw new AppError("payload_too_large", { message: "The request is too large." });
      while (reserved < toBytes) {
        const step = Math.max(firstBytes, reserved);
        held.push(bodies.reserve(user, step));
        reserved += step;
      }
    },
    free() {
      for (const each of held) each();
      held = [];
      reserved = 0;
    },
  };
}
