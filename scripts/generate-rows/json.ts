/** The type in TypeScript of what the database's functions make JSON of. */
import type { FuncCall, Node } from "libpg-query";
import type { Catalogue } from "./catalogue.ts";
import type { Fact } from "./fact.ts";

/**
 * By the database's type. Without those of which NaN and infinity are numbers in SQL and texts in JSON, and without JSON,
 * of which nothing is known here.
 */
const types: Readonly<Record<string, string>> = {
  bool: "boolean",
  bytea: "string",
  date: "string",
  int2: "number",
  int4: "number",
  int8: "number",
  name: "string",
  text: "string",
  timestamp: "string",
  timestamptz: "string",
  unknown: "string",
  uuid: "string",
  varchar: "string",
};

/** Of a value in JSON: `unknown` where too little is known of it. */
export function jsonType(fact: Fact, catalogue: Catalogue): string {
  const value = valueType(fact, catalogue);
  if (value === "unknown" || !fact.nullable) return value;
  return value === "" ? "null" : `${value} | null`;
}

function valueType({ types: known, sqlType }: Fact, catalogue: Catalogue): string {
  if (known) return [...known].toSorted().join(" | ");
  const { labels, element } = catalogue.typesByName.get(sqlType ?? "") ?? {};
  if (labels) return labels.map((label) => JSON.stringify(label)).join(" | ");
  if (element && types[element]) return `${types[element]}[]`;
  return types[sqlType ?? ""] ?? "unknown";
}

/** Of a row, or of an object that is built. */
export function objectType(fields: readonly { name: string; type: string }[]): string {
  const lines = [...new Map(fields.map(({ name, type }) => [name, type]))].map(
    ([name, type]) => `  ${/^\w+$/.test(name) ? name : JSON.stringify(name)}: ${indented(type, 2)};`,
  );
  return ["{", ...lines, "}"].join("\n");
}

/** Every line but the first moved to the right. */
export function indented(type: string, columns: number): string {
  return type.replaceAll("\n", `\n${" ".repeat(columns)}`);
}

/** What a function makes of its arguments; undefined for one that makes no JSON, and where that cannot be told. */
export function madeJson(
  call: FuncCall,
  args: readonly Fact[],
  catalogue: Catalogue,
): ReadonlySet<string> | undefined {
  const name = functionName(call);
  const values = args.map((arg) => jsonType(arg, catalogue));
  if (call.func_variadic) return undefined;
  if (/^jsonb?_build_object$/.test(name)) return builtObject(call.args ?? [], values);
  const [first = "unknown", second = "unknown"] = values;
  if (/^jsonb?_agg$/.test(name)) return new Set([isUnion(first) ? `(${first})[]` : `${first}[]`]);
  if (/^jsonb?_object_agg$/.test(name)) return new Set([`Record<string, ${second}>`]);
  if (/^to_jsonb?$|^row_to_json$/.test(name) && args[0] && first !== "unknown") {
    return new Set([jsonType({ ...args[0], nullable: false }, catalogue)]);
  }
  return undefined;
}

/** Whether it is one outside of its parts. */
function isUnion(type: string): boolean {
  const outside = type.replaceAll(/\{[^{}]*\}|<[^<>]*>/g, "");
  return outside === type ? type.includes(" | ") : isUnion(outside);
}

function builtObject(args: readonly Node[], values: readonly string[]): ReadonlySet<string> | undefined {
  const fields = args.flatMap((arg, at) =>
    at % 2 === 0 ? [{ name: wordOf(arg), type: values[at + 1] ?? "unknown" }] : [],
  );
  const named = fields.flatMap(({ name, type }) => (name === undefined ? [] : [{ name, type }]));
  return named.length === fields.length ? new Set([objectType(named)]) : undefined;
}

function wordOf(node: Node): string | undefined {
  return "A_Const" in node ? node.A_Const.sval?.sval : undefined;
}

export function functionName(call: FuncCall): string {
  const last = call.funcname?.at(-1);
  return last && "String" in last ? (last.String.sval ?? "") : "";
}
