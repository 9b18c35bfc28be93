/** Which tables the SQL of a file writes and reads. */
import { textsIn } from "./sql.ts";

/** Names of tables. */
export interface Uses {
  writes: Set<string>;
  reads: Set<string>;
}

const written =
  /\b(?:insert\s+into|(?<!for\s)update(?:\s+only)?|delete\s+from|truncate)\s+(\w+)\b(?!\s*\.)/gi;
/** A list of tables ends where the next word of SQL begins. */
const listed =
  /(?<!\bdelete\s)(?<!\bdistinct\s)\b(?:from|join|using)\s+(?:only\s+)?(\w+\b(?!\s*[.(])(?:(?:\s+as)?\s+\w+)?(?:\s*,\s*\w+\b(?!\s*[.(])(?:(?:\s+as)?\s+\w+)?)*)/gi;
/** A part of a statement that goes on where another said `from`. */
const begun = /^\s*(\w+)\s+\w{1,3}\s*(?:$|,|\bjoin\b|\bleft\b|\bcross\b)/i;
const named =
  /(?:\bwith|\brecursive|,)\s+(\w+)\s+(?:\([\w\s,]*\)\s+)?as\s+(?:(?:not\s+)?materialized\s+)?\(/gi;

/** What the SQL in `source` does; `tables`: those that there are. */
export function usesIn(file: string, source: string, tables: ReadonlySet<string>): Uses {
  const uses: Uses = { writes: new Set(), reads: new Set() };
  for (const text of textsIn(file, source)) {
    const sql = plain(text);
    const parts = new Set([...sql.matchAll(named)].map(([, name]) => name));
    const note = (into: Set<string>, name: string | undefined) => {
      if (name !== undefined && tables.has(name) && !parts.has(name)) into.add(name);
    };
    for (const [, name] of sql.matchAll(written)) note(uses.writes, name);
    for (const [, list = ""] of sql.matchAll(listed))
      for (const one of list.split(",")) note(uses.reads, one.trim().split(/\s/)[0]);
    note(uses.reads, begun.exec(sql)?.[1]);
  }
  return uses;
}

/** Names of tables in texts of more than one word, where none is a column's: what `usesIn` should have found. */
export function mentionsIn(file: string, source: string, tables: ReadonlySet<string>): Set<string> {
  const texts = textsIn(file, source).filter((text) => /\s/.test(text));
  const words = texts.flatMap((text) => [...plain(text).matchAll(/(?<![.\w])\w+\b(?!\s*\.)/g)]);
  return new Set(words.flatMap(([word]) => (tables.has(word) ? [word] : [])));
}

/** Without quoted texts and comments. */
function plain(sql: string): string {
  return sql.replaceAll(/'[^']*'/g, "''").replaceAll(/--.*$/gm, "");
}
