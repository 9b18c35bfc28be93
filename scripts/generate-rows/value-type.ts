/** The type in TypeScript of what `pg` makes of a column. */
import type { Catalogue } from "./catalogue.ts";
import type { Fact } from "./fact.ts";

/** As the server reads them: `platform/db/database.ts` reads bigint as a number. */
const types: Readonly<Record<string, string>> = {
  bool: "boolean",
  bytea: "Buffer",
  date: "Date",
  float4: "number",
  float8: "number",
  int2: "number",
  int4: "number",
  int8: "number",
  json: "unknown",
  jsonb: "unknown",
  name: "string",
  numeric: "string",
  text: "string",
  timestamp: "Date",
  timestamptz: "Date",
  uuid: "string",
  varchar: "string",
  void: "string",
};
/** Read as the array of their elements' types. */
const elements = new Set(["bool", "bytea", "float8", "int2", "int4", "text", "timestamptz", "uuid"]);
/** Of which more may be known. */
const open = new Set(["string", "string[]", "unknown"]);

export function valueType(oid: number, fact: Fact, catalogue: Catalogue): string {
  const type = databaseType(oid, catalogue);
  const known = [...(fact.types ?? [])].toSorted();
  const narrow = open.has(type) && known.length > 0 ? known.join(" | ") : type;
  return fact.nullable && narrow !== "unknown" ? `${narrow} | null` : narrow;
}

function databaseType(oid: number, catalogue: Catalogue): string {
  const type = catalogue.types.get(oid);
  if (type?.labels) return type.labels.map((label) => JSON.stringify(label)).join(" | ");
  const found = type?.element && elements.has(type.element) ? types[type.element] : undefined;
  const plain = found ? `${found}[]` : types[type?.name ?? ""];
  if (!plain) throw new Error(`no rule for the type ${type?.name ?? oid}: cast it in the statement`);
  return plain;
}
