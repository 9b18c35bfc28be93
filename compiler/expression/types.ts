/** Types of expressions. `any` is what only the run knows: it fits everywhere and is checked when evaluated. */

export type Type =
  | { kind: "any" | "string" | "number" | "boolean" | "null" }
  | { kind: "list"; item: Type }
  /** Exactly these members. */
  | {
      kind: "object";
      members: ReadonlyMap<string, Type>;
      label: string;
      /** Members that are not there, each with the sentence why. */
      absent: ReadonlyMap<string, string>;
    }
  /** Members of one type; `known` when it is already told which there are. */
  | { kind: "map"; item: Type; known: { label: string; names: ReadonlySet<string> } | null };

export const anyType: Type = { kind: "any" };
export const stringType: Type = { kind: "string" };
export const numberType: Type = { kind: "number" };
export const booleanType: Type = { kind: "boolean" };
export const nullType: Type = { kind: "null" };

export function objectType(
  label: string,
  members: Readonly<Record<string, Type>>,
  absent: ReadonlyMap<string, string> = new Map(),
): Type {
  return { kind: "object", label, members: new Map(Object.entries(members)), absent };
}

export function mapType(item: Type, known: { label: string; names: Iterable<string> } | null = null): Type {
  return { kind: "map", item, known: known && { label: known.label, names: new Set(known.names) } };
}

const words: Readonly<Record<Type["kind"], string>> = {
  any: "any value",
  string: "text",
  number: "a number",
  boolean: "true or false",
  null: "null",
  list: "a list",
  object: "a mapping",
  map: "a mapping",
};
export function typeWord(type: Type): string {
  return words[type.kind];
}

export function fits(actual: Type, wanted: Type["kind"]): boolean {
  if (actual.kind === "any" || wanted === "any") return true;
  if (wanted === "map") return actual.kind === "map" || actual.kind === "object";
  return actual.kind === wanted;
}
