/** Where a character of a scalar's value stands in the file: through quotes, escapes, folding and indentation. */
import type { Source, Span } from "./source.ts";
import type { ScalarNode } from "./tree.ts";

/** Offset in the file of `offset` in the scalar's value. */
export function offsetInFile(source: Source, node: ScalarNode, offset: number): number {
  const { text } = source;
  const end = node.span.end;
  let at = contentStart(text, node.span);
  for (let i = 0; i < offset && at < end; i += 1) {
    const wanted = node.text.charAt(i);
    if (text.startsWith("\\", at) && wanted === "\n") {
      at += 2;
      continue;
    }
    const found = text.indexOf(wanted, at);
    at = found === -1 || found >= end ? at + 1 : found + 1;
  }
  // What is pointed at begins with its own character, not with the indentation before it.
  const first = node.text.charAt(offset);
  const found = first === "" ? -1 : text.indexOf(first, at);
  return found === -1 || found >= end ? Math.min(at, end) : found;
}

/** Past the quote, or past the header line of a block scalar. */
function contentStart(text: string, span: Span): number {
  const first = text.charAt(span.start);
  if (first === '"' || first === "'") return span.start + 1;
  if (first !== "|" && first !== ">") return span.start;
  const lineEnd = text.indexOf("\n", span.start);
  return lineEnd === -1 ? span.start : lineEnd + 1;
}

export function spanInFile(
  source: Source,
  node: ScalarNode,
  { start, end }: { start: number; end: number },
): Span {
  const from = offsetInFile(source, node, start);
  const to = end > start ? offsetInFile(source, node, end - 1) + 1 : from + 1;
  return { ...node.span, start: from, end: Math.max(to, from + 1) };
}
