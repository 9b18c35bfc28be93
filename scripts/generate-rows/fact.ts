/** What is known of a value before it is there. */
import { typesOfLiteral, withoutEmpty } from "./literals.ts";

export interface Fact {
  nullable: boolean;
  /** Types in TypeScript that it is one of, where they say more than the database's type; none: it is null. */
  types: ReadonlySet<string> | undefined;
  /** The database's name of its type, such as `int8` or `_text`; `unknown` of a literal, as the database calls it. */
  sqlType: string | undefined;
}

export interface Column extends Fact {
  name: string;
}

/** Nothing is known of it. */
export const anything: Fact = { nullable: true, types: undefined, sqlType: undefined };
/** A value of whatever its type is. */
export const present: Fact = { nullable: false, types: undefined, sqlType: undefined };
/** The literal without a type. */
export const nothing: Fact = { nullable: true, types: new Set(), sqlType: "unknown" };

/** What holds for a value that is one of these. */
export function either(facts: readonly Fact[]): Fact {
  const sqlType = commonType(facts);
  const types = facts.map((fact) => inType(fact, sqlType).types);
  const all = new Set(types.flatMap((some) => [...(some ?? [])]));
  return {
    nullable: facts.some((fact) => fact.nullable),
    types: types.every((some) => some) ? withoutEmpty(all) : undefined,
    sqlType,
  };
}

/** A literal as a value of the type, anything else as it is. */
export function inType(fact: Fact, sqlType: string | undefined): Fact {
  if (fact.sqlType !== "unknown" || !fact.types) return fact;
  return { nullable: fact.nullable, types: typesOfLiteral(fact.types, sqlType), sqlType };
}

const wholeNumbers = ["int2", "int4", "int8"];

/** Literals take the type of what they stand beside, whole numbers the widest. */
function commonType(facts: readonly Fact[]): string | undefined {
  const types = new Set(facts.map((fact) => fact.sqlType));
  if (types.size > 1) types.delete("unknown");
  const [first, ...others] = types;
  if (others.length === 0) return first;
  const areWhole = [...types].every((type) => wholeNumbers.includes(type ?? ""));
  return areWhole ? wholeNumbers.findLast((type) => types.has(type)) : undefined;
}

/** The columns of rows that come from either. */
export function eitherColumns(left: readonly Column[], right: readonly Column[]): Column[] {
  return left.map((column, at) => ({ name: column.name, ...either([column, right[at] ?? anything]) }));
}
