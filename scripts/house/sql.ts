/** SQL in a source file, found by what its texts say and not by what they are handed to. */
import { Visitor } from "vite";
import { parseModule } from "../parse-module.ts";

/** Stands for what is put into a template. */
export const hole = "${}";

const signs: readonly RegExp[] = [
  /\b(select|SELECT)\b[^;]*\b(from|FROM)\b/,
  /^\s*(select|SELECT)\s+\S/,
  /\binsert\s+into\b/i,
  /\bupdate\s+(only\s+)?[\w"${}.]+(\s+(as\s+)?\w+)?\s+set\b/i,
  /\bdelete\s+from\b/i,
  /\bwith\s+(recursive\s+)?\w+\s*(\([\w\s,]*\)\s*)?as\s+((not\s+)?materialized\s+)?\(/i,
  /\bjoin\s+(lateral\b|\w+\s+((as\s+)?\w+\s+)?on\s+\w+\.\w+\s*=)/i,
  /^\s*(from|using)\s+[\w${}]+(\s+(as\s+)?\w+)?\s*(\s(where|join|left|cross|order|limit)\b|,|$)/i,
  /^\s*(order\s+by|group\s+by|having|returning|on\s+conflict)\s/i,
  /^\s*where\s[^]*(=|<|>|\bis\s+(not\s+)?null\b|\bin\s*\(|\bexists\s*\()/i,
  /\bfor\s+(no\s+key\s+)?(update|share)\s+(of|skip|nowait)\b/i,
  /\bpg_(try_)?advisory_|\bpg_notify\s*\(|\bset_config\s*\(/i,
  /^\s*(truncate|vacuum|analyze|lock\s+table|savepoint|rollback\s+to|set\s+(local|session)|copy)\s+\w/i,
  /^\s*(create|alter|drop)\s+(table|index|view|function|role|schema|database|type|trigger)\b/i,
  /(\s[=<>]{1,2}\s*|[(,]\s*)\$\d+\b/,
  /\$\d+::\w/,
  /\b[a-z]\w*\.[a-z]\w*\s+(as\s+\w+|is\s+(not\s+)?null)\b/,
  /\binterval\s+'|\bnow\(\)|\bexcluded\.\w/,
];

export function looksLikeSql(text: string): boolean {
  return signs.some((sign) => sign.test(text));
}

/** Texts of strings and templates, in their order; what is put into a template stands there as `hole`. */
export function textsIn(file: string, source: string): string[] {
  const { program } = parseModule(file, source);
  const texts: [start: number, text: string][] = [];
  new Visitor({
    Literal: (node) => {
      if (typeof node.value === "string") texts.push([node.start, node.value]);
    },
    TemplateLiteral: (node) => {
      texts.push([node.start, node.quasis.map(({ value }) => value.cooked ?? value.raw).join(hole)]);
    },
  }).visit(program);
  return texts.toSorted(([a], [b]) => a - b).map(([, text]) => text);
}

/** What of them is SQL, whole or a part of it. */
export function sqlIn(file: string, source: string): string[] {
  return textsIn(file, source).filter(looksLikeSql);
}
