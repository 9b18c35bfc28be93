/**
 * XML of reports, element by element. Nothing is fetched and no entity but XML's own five is expanded: a document type is passed
 * over, and a reference to what it declares is an error. Depth is limited; nothing is kept but what the visitor keeps.
 */
import { SaxesParser } from "saxes";
import { ReportError } from "./found.ts";
import { decodeText } from "./report-text.ts";

export interface XmlVisitor {
  open(name: string, attributes: Readonly<Record<string, string>>): void;
  text(text: string): void;
  close(name: string): void;
}

const maxDepth = 64;
const pieceChars = 64 * 1024;

/** Throws `ReportError` with the place of what is wrong. */
export function readXml(bytes: Uint8Array, visitor: XmlVisitor): void {
  const text = decodeText(bytes, encodingOf(bytes)).replace(/^\uFEFF/, "");
  const parser = new SaxesParser({ position: true });
  let depth = 0;
  parser.on("error", (error) => {
    throw new ReportError(`it is not sound XML: ${problemOf(error, parser)}`);
  });
  parser.on("opentag", ({ name, attributes }) => {
    depth += 1;
    if (depth > maxDepth) throw new ReportError(`its elements are nested more than ${maxDepth} deep`);
    visitor.open(name, attributes as Record<string, string>);
  });
  parser.on("text", (piece) => visitor.text(piece));
  parser.on("cdata", (piece) => visitor.text(piece));
  parser.on("closetag", ({ name }) => {
    depth -= 1;
    visitor.close(name);
  });
  for (let at = 0; at < text.length; at += pieceChars) parser.write(text.slice(at, at + pieceChars));
  parser.close();
}

function problemOf(error: Error, { line, column }: { line: number; column: number }): string {
  const words = error.message.replace(/^\d+:\d+:\s*/, "").replace(/\.$/, "");
  const hint = /entity/.test(words) ? " (reports cannot define entities)" : "";
  return `${words}${hint}, line ${line}, column ${column}`;
}

/** As its first bytes or its declaration say; UTF-8 otherwise. */
function encodingOf(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return "utf-16le";
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return "utf-16be";
  const head = Buffer.from(bytes.subarray(0, 200)).toString("latin1");
  return /^(?:ï»¿)?<\?xml[^>]*\sencoding\s*=\s*["']([^"']+)["']/.exec(head)?.[1]?.toLowerCase() ?? "utf-8";
}
