/** The highest number that a host has given to an issue or a merge request. */
import type { BegunImport } from "./imports.store.ts";
import type { SourceAnswer, SourceClient } from "./source-client.ts";
import { SourceProblem } from "./source-problem.ts";
import { perPage, type SourceReader } from "./source-reader.ts";

interface Asking {
  row: Pick<BegunImport, "host">;
  reader: SourceReader;
  client: SourceClient;
  signal: AbortSignal;
}

/** Of `perPage` numbers each: who gives the newest one to something old does so for many at once, as another import. */
const maxLooks = 500;

/** Undefined where there is no such list; or what the host asks to wait for. */
export async function highestNumber(
  { row, reader, client, signal }: Asking,
  kind: "issues" | "merge_requests",
): Promise<number | undefined | Extract<SourceAnswer, { kind: "wait" }>> {
  const newest = await client.get(reader.newest[kind], signal);
  if (newest.kind === "wait") return newest;
  if (newest.kind === "absent") return undefined;
  if (newest.kind === "refused") return refused(row.host);
  let highest = highestOf(newest.json, { row, reader });
  for (let looks = 0; highest > 0 && reader.above && looks < maxLooks; looks += 1) {
    const above = await client.get(reader.above(kind, highest), signal);
    if (above.kind === "wait") return above;
    const next = above.kind !== "page" ? 0 : highestOf(above.json, { row, reader });
    if (next <= highest) break;
    highest = next;
  }
  return highest;
}

/** 0 where there is none. */
function highestOf(list: unknown, { row, reader }: Pick<Asking, "row" | "reader">): number {
  if (!Array.isArray(list) || list.length > perPage) return unknownForm(row.host);
  const numbers = list.map((record: unknown) => reader.numberOf(record) ?? unknownForm(row.host));
  return Math.max(0, ...numbers);
}

/** What no other address helps with. */
export function refused(host: string): never {
  throw new SourceProblem(`${host} answered with status 422.`);
}

export function unknownForm(host: string): never {
  throw new SourceProblem(`${host} answered in a form that is not known.`);
}
