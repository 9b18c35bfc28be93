/**
 * The file of an export in object storage. It is gathered in parts, so that a worker that dies costs one of them, and then put together
 * as one object, which is there whole or not at all.
 */
import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import type { ExportFormat } from "@forgeline/schemas/audit-exports/resource.ts";
import type { ObjectStore } from "../../../platform/objects/object-store.ts";

const place = "audit-exports/";
const folderOf = (exportId: string) => `${place}${exportId}`;
const partKey = (exportId: string, part: number) => `${folderOf(exportId)}/part-${part}`;
const fileKey = (exportId: string) => `${folderOf(exportId)}/file`;

/** What stands around the lines. Those of `json` each begin with a comma, of which the first is left out. */
export interface Frame {
  before: string;
  /** Bytes at the beginning of all lines that are left out. */
  skip: number;
  after: string;
}

export function frameOf(format: ExportFormat, csvTitles: string): Frame {
  if (format === "json") return { before: "[", skip: 1, after: "\n]\n" };
  return { before: format === "csv" ? csvTitles : "", skip: 0, after: "" };
}

export interface ExportFiles {
  putPart(exportId: string, part: number, text: string): Promise<void>;
  /** Makes the file of so many parts. Safe to do twice. */
  putTogether(exportId: string, parts: number, frame: Frame): Promise<{ sizeBytes: number; sha256: string }>;
  /** Throws `ObjectNotFound`. */
  open(exportId: string, range?: { start: number; end: number }): Promise<Readable>;
  removeParts(exportId: string, parts: number): Promise<void>;
  removeAll(exportId: string): Promise<void>;
  /** Exports of which something is stored. */
  exportIds(): AsyncIterable<string>;
}

export function createExportFiles(objects: ObjectStore): ExportFiles {
  async function* content(exportId: string, parts: number, frame: Frame): AsyncGenerator<Buffer> {
    yield Buffer.from(frame.before);
    let skip = frame.skip;
    for (let part = 0; part < parts; part += 1) {
      for await (const chunk of await objects.get(partKey(exportId, part))) {
        const bytes = (chunk as Buffer).subarray(skip);
        skip = Math.max(0, skip - (chunk as Buffer).length);
        yield bytes;
      }
    }
    yield Buffer.from(frame.after);
  }

  return {
    async putPart(exportId, part, text) {
      await objects.put(partKey(exportId, part), Buffer.from(text));
    },
    async putTogether(exportId, parts, frame) {
      const hash = createHash("sha256");
      async function* hashed() {
        for await (const bytes of content(exportId, parts, frame)) {
          hash.update(bytes);
          if (bytes.length > 0) yield bytes;
        }
      }
      const { sizeBytes } = await objects.put(
        fileKey(exportId),
        Readable.from(hashed(), { objectMode: false }),
      );
      return { sizeBytes, sha256: hash.digest("hex") };
    },
    open: (exportId, range) => objects.get(fileKey(exportId), range),
    async removeParts(exportId, parts) {
      for (let part = 0; part < parts; part += 1) await objects.delete(partKey(exportId, part));
    },
    async removeAll(exportId) {
      for await (const { key } of objects.list(`${folderOf(exportId)}/`)) await objects.delete(key);
    },
    async *exportIds() {
      const seen = new Set<string>();
      for await (const { key } of objects.list(place)) {
        const id = key.slice(place.length).split("/")[0] ?? "";
        if (!seen.has(id)) yield id;
        seen.add(id);
      }
    },
  };
}
