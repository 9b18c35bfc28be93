/**
 * Text to YAML nodes, within limits that hold before memory is spent: tokens are counted as they are made, so a file
 * that is too deep or too long is left at once. Version 1.2, core schema; duplicate keys are judged by `build-tree.ts`.
 */
import { Composer, Lexer, Parser, type Document, type ParsedNode, type Tags } from "yaml";
import type { CST, YAMLParseError } from "yaml";
import { limits } from "./limits.ts";
import type { Report } from "./report.ts";
import { quote } from "./suggest.ts";
import type { Source } from "./source.ts";

/** The one document of the file; null when it cannot be used, which the report then says. Tags are those of other systems' files. */
export function parseYaml(
  source: Source,
  report: Report,
  customTags: Tags = [],
): Document.Parsed<ParsedNode> | null {
  const bytes = new TextEncoder().encode(source.text).length;
  if (bytes > limits.fileBytes) {
    const message = `the file is ${bytes} bytes; at most ${limits.fileBytes} are allowed`;
    report.add("P301", { start: 0, end: 0 }, { message });
    return null;
  }
  const tokens = readTokens(source.text, report);
  if (tokens === null) return null;
  const composer = new Composer<ParsedNode>({
    version: "1.2",
    schema: "core",
    merge: true,
    uniqueKeys: false,
    stringKeys: false,
    prettyErrors: false,
    logLevel: "silent",
    keepSourceTokens: false,
    customTags,
  });
  const documents = [...composer.compose(tokens, true, source.text.length)];
  return checkDocuments(documents, report);
}

/** Splitting into lexemes is the cheap part, so the number of values is judged before anything is built of them. */
function readLexemes(text: string, report: Report): string[] | null {
  const lexemes: string[] = [];
  let offset = 0;
  let counted = 0;
  for (const lexeme of new Lexer().lex(text)) {
    lexemes.push(lexeme);
    offset += lexeme.length;
    if (lexeme.trim() !== "") counted += 1;
    if (counted <= limits.yamlNodes * 2) continue;
    const at = Math.min(offset, text.length);
    report.add(
      "P304",
      { start: at, end: at + 1 },
      { message: `more than ${limits.yamlNodes} keys and values` },
    );
    return null;
  }
  return lexemes;
}

function readTokens(text: string, report: Report): CST.Token[] | null {
  const lexemes = readLexemes(text, report);
  if (lexemes === null) return null;
  const parser = new Parser();
  const tokens: CST.Token[] = [];
  for (const lexeme of lexemes) {
    for (const token of parser.next(lexeme)) tokens.push(token);
    // The document is below the collections, a scalar being read on top.
    if (parser.stack.length <= limits.yamlDepth + 2) continue;
    const message = `nested deeper than ${limits.yamlDepth} levels`;
    report.add("P302", { start: parser.offset, end: parser.offset + 1 }, { message });
    return null;
  }
  for (const token of parser.end()) tokens.push(token);
  return tokens;
}

function checkDocuments(
  documents: Document.Parsed<ParsedNode>[],
  report: Report,
): Document.Parsed<ParsedNode> | null {
  const [first, second] = documents;
  if (second) {
    const [start] = second.range;
    report.add(
      "P007",
      { start, end: start + 3 },
      { message: "a pipeline file must contain a single document", hint: "remove the ---" },
    );
    return null;
  }
  const errors = documents.flatMap((document) => [...document.errors, ...document.warnings]);
  for (const error of errors.slice(0, limits.diagnostics)) addYamlError(error as YAMLParseError, report);
  return first && errors.length === 0 ? first : null;
}

function addYamlError(error: YAMLParseError, report: Report): void {
  const span = { start: error.pos[0], end: error.pos[1] };
  const message = plainMessage(error.message);
  if (error.code === "TAG_RESOLVE_FAILED")
    report.add("P005", span, { message, hint: "where the text begins with !, put it into quotes" });
  else if (error.code === "TAB_AS_INDENT") report.add("P001", span, { message, hint: "indent with spaces" });
  else report.add("P001", span, { message });
}

/** The library's sentence, in our manner: lower case, no full stop, cut short. */
function plainMessage(message: string): string {
  const text = message.replace(/\s+/g, " ").replace(/\.$/, "");
  const plain = text.charAt(0).toLowerCase() + text.slice(1);
  return plain.length > 200 ? quote(plain).slice(1, -1) : plain;
}
