/** The bytes of attachments in object storage. */
import { Readable } from "node:stream";
import { AppError } from "../../../platform/app-error.ts";
import type { ByteRange, ObjectStore } from "../../../platform/objects/object-store.ts";
import { beginningBytes, contentTypeOf } from "./content-type.ts";

const folder = "attachments/";

export interface BytesPlace {
  /** Of its repository or team. */
  placeId: string;
  id: string;
}

export type AttachmentBytes = ReturnType<typeof createAttachmentBytes>;

export function createAttachmentBytes(objects: ObjectStore) {
  const keyOf = ({ placeId, id }: BytesPlace) => `${folder}${placeId}/${id}`;
  return {
    /** Throws `payload_too_large`, `validation_failed` for nothing at all, and what `source` throws. */
    async keep(place: BytesPlace, source: AsyncIterable<Buffer>, maxBytes: number) {
      const seen: Buffer[] = [];
      let size = 0;
      async function* counted() {
        for await (const piece of source) {
          if (size < beginningBytes) seen.push(piece.subarray(0, beginningBytes - size));
          size += piece.length;
          if (size > maxBytes) throw tooLarge(maxBytes);
          yield piece;
        }
        if (size === 0) throw new AppError("validation_failed", { message: "The file is empty." });
      }
      await objects.put(keyOf(place), Readable.from(counted(), { objectMode: false }));
      return { sizeBytes: size, contentType: contentTypeOf(Buffer.concat(seen)) };
    },
    open: (place: BytesPlace, range?: ByteRange) => objects.get(keyOf(place), range),
    remove: (place: BytesPlace) => objects.delete(keyOf(place)),
    /** All that is stored. */
    async *places(): AsyncGenerator<BytesPlace> {
      for await (const { key } of objects.list(folder)) {
        const [placeId = "", id = ""] = key.slice(folder.length).split("/");
        yield { placeId, id };
      }
    },
  };
}

export function tooLarge(maxBytes: number): AppError {
  return new AppError("payload_too_large", { message: `A file can have at most ${maxBytes} bytes.` });
}
