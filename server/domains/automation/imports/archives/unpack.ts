/**
 * Reads an archive twice: first for names that records refer to, then for the records, which are kept as the lists that an import reads.
 * The same archive gives the same rows, so it may be cut off and begun again, also by two at once.
 */
import { maxImportedItems } from "@forgeline/schemas/imports/resource.ts";
import type { Database } from "../../../../platform/db/database.ts";
import { storableJson } from "../../../../platform/storable-text.ts";
import { SourceProblem } from "../source-problem.ts";
import { archiveEntries, type ArchiveBounds } from "./archive-entries.ts";
import type { ArchiveBytes } from "./archive-bytes.ts";
import { insertRecords } from "./archives.store.ts";
import type { ExportedRecord, ExportReader } from "./export-reader.ts";
import { fieldsOf } from "./loose-fields.ts";

export interface UnpackDeps {
  db: Database;
  archiveBytes: Pick<ArchiveBytes, "open">;
  archiveBounds: ArchiveBounds;
}

interface Unpacking {
  importId: string;
  archiveId: string;
  reader: ExportReader;
  signal: AbortSignal;
}

/** The list whose only record has the highest number of an issue or a merge request. */
export const highestOf = (kind: "issues" | "merge_requests") => `highest_${kind}`;

/** Lists repeat no record here, and each issue and merge request has two lists of its own at the most. */
const maxRecords = 3 * maxImportedItems;
/** Of all records together. */
const maxBytes = 2 * 1024 ** 3;
/** A discussion of hundreds of long texts. */
const maxRecordBytes = 2 * 1024 * 1024;
const batchRows = 500;
const batchBytes = 4 * 1024 * 1024;

/** Throws `SourceProblem`, `ObjectNotFound`, and the signal's reason. */
export async function unpackArchive(deps: UnpackDeps, unpacking: Unpacking): Promise<void> {
  const { reader, archiveId, signal } = unpacking;
  const entries = async () =>
    archiveEntries(await deps.archiveBytes.open(archiveId), deps.archiveBounds, signal);
  for await (const entry of await entries()) if (reader.learns(entry.path)) await reader.learn(entry);
  const problem = reader.problem();
  if (problem !== undefined) throw new SourceProblem(problem);
  const rows = createRows(deps.db, unpacking.importId);
  for await (const entry of await entries())
    if (reader.reads(entry.path)) for await (const exported of reader.read(entry)) await rows.add(exported);
  await rows.end();
}

/** Writes records with their places in their lists, many at a time. */
function createRows(db: Database, importId: string) {
  const lengths = new Map<string, number>();
  const highest = { issues: 0, merge_requests: 0 };
  let pending: string[] = [];
  let [pendingBytes, count, bytes] = [0, 0, 0];

  async function flush(): Promise<void> {
    if (pending.length > 0) await insertRecords(db, importId, `[${pending.join(",")}]`);
    [pending, pendingBytes] = [[], 0];
  }

  function note(list: string, number: number, json: string): void {
    const key = `${list} ${number}`;
    const position = lengths.get(key) ?? 0;
    lengths.set(key, position + 1);
    pending.push(`{"list":"${list}","number":${number},"position":${position},"record":${json}}`);
    pendingBytes += json.length;
    bytes += json.length;
    count += 1;
  }

  return {
    async add({ list, number, record }: ExportedRecord): Promise<void> {
      if (list === "issues" || list === "merge_requests")
        highest[list] = Math.max(highest[list], numberOf(record));
      const json = storableJson(record);
      note(list, number, json.length > maxRecordBytes ? storableJson(nameOf(record)) : json);
      if (count > maxRecords || bytes > maxBytes)
        throw new SourceProblem(`The archive has more than ${maxRecords} records, or they are too large.`);
      if (pending.length >= batchRows || pendingBytes >= batchBytes) await flush();
    },
    async end(): Promise<void> {
      for (const kind of ["issues", "merge_requests"] as const)
        if (highest[kind] > 0)
          note(highestOf(kind), 0, JSON.stringify({ number: highest[kind], iid: highest[kind] }));
      await flush();
    },
  };
}

const maxNumber = 2_000_000_000;

function numberOf(record: unknown): number {
  const { number, iid } = fieldsOf(record);
  const found = typeof number === "number" ? number : iid;
  return typeof found === "number" && Number.isInteger(found) && found <= maxNumber ? found : 0;
}

/** What the report can call a record that is too large. */
function nameOf(record: unknown): object {
  const { id, iid, number } = fieldsOf(record);
  return { id, iid, number };
}
