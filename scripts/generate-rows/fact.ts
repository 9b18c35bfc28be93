/** What is known of a value before it is there. */
export interface Fact {
  nullable: boolean;
  /** Types in TypeScript that it is one of, where they say more than the database's type; none: it is null. */
  types: ReadonlySet<string> | undefined;
}

export interface Column extends Fact {
  name: string;
}

/** Nothing is known of it. */
export const anything: Fact = { nullable: true, types: undefined };
/** A value of whatever its type is. */
export const present: Fact = { nullable: false, types: undefined };

/** What holds for a value that is one of these. */
export function either(facts: readonly Fact[]): Fact {
  const types = new Set<string>();
  for (const fact of facts) for (const type of fact.types ?? []) types.add(type);
  return {
    nullable: facts.some((fact) => fact.nullable),
    types: facts.every((fact) => fact.types) ? types : undefined,
  };
}

/** The columns of rows that come from either. */
export function eitherColumns(left: readonly Column[], right: readonly Column[]): Column[] {
  return left.map((column, at) => ({ name: column.name, ...either([column, right[at] ?? anything]) }));
}
