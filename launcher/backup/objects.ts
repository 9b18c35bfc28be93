/** Objects in files: never changed under their name, but for the signed points of the audit log. */
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import type { Entry } from "./entry.ts";
import type { BackupWriter } from "./writer.ts";

/** Below one of the store's folders. */
const auditPoints = /^[0-9a-f]{2}\/audit\/checkpoints\//;
const replaced = /^[0-9a-f]{2}\/(audit|health)\//;

/** Before the database: a point may stand for less than the log, never for more. */
export async function backUpAuditPoints(root: string, writer: BackupWriter): Promise<void> {
  await copyTree({ root, writer, wanted: (path) => auditPoints.test(path) }, "");
}

/** After the database: whatever a row names was written before it. */
export async function backUpObjects(root: string, writer: BackupWriter): Promise<void> {
  await copyTree({ root, writer, wanted: (path) => !auditPoints.test(path) }, "");
}

interface Copying {
  root: string;
  writer: BackupWriter;
  wanted(path: string): boolean;
}

async function copyTree(copying: Copying, below: string): Promise<void> {
  const { root, writer } = copying;
  const entries: Entry[] = [];
  for (const item of (await readdir(join(root, below), { withFileTypes: true }).catch(ignoreAbsent)) ?? []) {
    const path = below === "" ? item.name : `${below}/${item.name}`;
    if (item.isDirectory()) {
      await copyTree(copying, path);
      continue;
    }
    // What is being written has another name first.
    if (item.name.startsWith(".tmp-") || !copying.wanted(path)) continue;
    const copy = replaced.test(path) ? writer.copy : writer.copyLasting;
    const entry = await copy(join(root, path), `objects/${path}`);
    if (entry) entries.push(entry);
  }
  await writer.add(entries);
}

function ignoreAbsent(error: NodeJS.ErrnoException): undefined {
  if (error.code !== "ENOENT") throw error;
}
