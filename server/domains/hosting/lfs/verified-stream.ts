/** Counts and hashes the bytes of an upload: the stream fails before its end unless they match what was announced. */
import { createHash } from "node:crypto";
import { AppError } from "../../../platform/app-error.ts";
import type { WantedObject } from "./lfs.store.ts";

/** Throws `validation_failed` instead of the last part, so that the store never receives a complete stream. */
export async function* checkedBytes(
  source: AsyncIterable<Buffer>,
  expected: WantedObject,
): AsyncGenerator<Buffer> {
  const hash = createHash("sha256");
  let size = 0;
  for await (const part of source) {
    size += part.length;
    if (size > expected.sizeBytes)
      throw mismatch(`The upload is larger than the announced ${expected.sizeBytes} bytes.`);
    hash.update(part);
    yield part;
  }
  if (size < expected.sizeBytes)
    throw mismatch(`The upload has ${size} bytes, but ${expected.sizeBytes} were announced.`);
  if (hash.digest("hex") !== expected.oid)
    throw mismatch("The uploaded bytes do not match the announced object.");
}

export function mismatch(message: string): AppError {
  return new AppError("validation_failed", { message });
}
