/** What the set-up log says of a cache: what the job starts with, and whether it will leave something. Pure. */
import { sizeText } from "../size-text.ts";

export interface CacheLookup {
  key: string;
  /** Of the file, in their order. */
  restore: readonly string[];
  found: { key: string; exact: boolean; sizeBytes: number } | null;
  /** The file lets the job save it. */
  isSaved: boolean;
}

export function cacheLine({ key, restore, found, isSaved }: CacheLookup): string {
  if (found?.exact) return `Cache ${key}: found, restoring ${sizeText(found.sizeBytes)}`;
  const later = isSaved ? "; saved under this key if the job succeeds" : "";
  if (found === null) {
    const begin = restore.length > 0 ? `, and none that begins with ${restore.join(" or ")}` : "";
    return `Cache ${key}: not found${begin}: nothing to restore${later}`;
  }
  const prefix = restore.find((each) => found.key.startsWith(each)) ?? "";
  const what = `${found.key} (${sizeText(found.sizeBytes)}), the newest that begins with ${prefix}`;
  return `Cache ${key}: not found, restoring ${what}${later}`;
}
