/**
 * Reads a small YAML text by a schema. Anchors are not taken, since a few of them can stand for millions of values; of a key that is
 * repeated the last value counts, since looking for the others takes time that grows with their square.
 */
import { LineCounter, parseDocument, type Document } from "yaml";
import type { z } from "zod";

export type ReadYaml<Value> = { value: Value } | { error: { line: number | null; message: string } };

/** `linesBefore`: of the file, above the text. */
export function readYaml<Schema extends z.ZodType>(
  text: string,
  schema: Schema,
  linesBefore: number,
): ReadYaml<z.output<Schema>> {
  if (isDeep(text)) return tooDeep;
  if ((text.match(/[\n,]/g)?.length ?? 0) > maxParts) return tooLong;
  const lines = new LineCounter();
  const lineAt = (offset: number) => lines.linePos(offset).line + linesBefore;
  let document: Document;
  let plain: unknown;
  try {
    document = parseDocument(text, { lineCounter: lines, prettyErrors: false, uniqueKeys: false });
    const [problem] = document.errors;
    if (problem) return { error: { line: lineAt(problem.pos[0]), message: sentence(problem.message) } };
    plain = document.toJS({ maxAliasCount: 0 }) ?? {};
  } catch {
    return tooDeep;
  }
  const read = schema.safeParse(plain);
  if (read.success) return { value: read.data };
  const [issue] = read.error.issues;
  const path = (issue?.path ?? []).map((part) => (typeof part === "symbol" ? String(part) : part));
  const message = `${path.join(".") || "The file"}: ${issue?.message ?? "not understood"}`;
  return { error: { line: lineOf(document, path, lineAt), message: sentence(message) } };
}

const tooDeep = { error: { line: null, message: "This is too deep, or uses anchors." } };
const maxDepth = 50;
/** Lines, and values between commas: the library takes time that grows with the square of the keys. */
const maxParts = 2_000;
const tooLong = { error: { line: null, message: `This has more than ${maxParts} lines or values.` } };

/** Brackets in brackets, wherever they stand: reading them takes long. */
function isDeep(text: string): boolean {
  let depth = 0;
  for (const sign of text) {
    if (sign === "[" || sign === "{") depth += 1;
    else if ((sign === "]" || sign === "}") && depth > 0) depth -= 1;
    if (depth > maxDepth) return true;
  }
  return false;
}

/** Of the value, or of what should have it. */
function lineOf(
  document: Document,
  path: readonly (string | number)[],
  lineAt: (offset: number) => number,
): number | null {
  for (let depth = path.length; depth >= 0; depth -= 1) {
    const node = depth === 0 ? document.contents : document.getIn(path.slice(0, depth), true);
    const range = (node as { range?: [number, number, number] } | undefined)?.range;
    if (range) return lineAt(range[0]);
  }
  return null;
}

function sentence(message: string): string {
  return message.endsWith(".") ? message : `${message}.`;
}
