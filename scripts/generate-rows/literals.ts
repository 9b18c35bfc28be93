/** Types in TypeScript of literals, by the type that the database gives to them. */

const emptyList = "never[]";
const emptyObject = "Record<string, never>";

/** `words`: as texts, in quotes. Undefined: no more is known than the type itself says. */
export function typesOfLiteral(
  words: ReadonlySet<string>,
  sqlType: string | undefined,
): ReadonlySet<string> | undefined {
  if (sqlType === undefined) return words.size === 0 ? words : undefined;
  if (isJson(sqlType)) return allOf(words, { [`"[]"`]: emptyList, [`"{}"`]: emptyObject });
  if (sqlType.startsWith("_")) return allOf(words, { [`"{}"`]: emptyList });
  return words;
}

export function isJson(sqlType: string | undefined): boolean {
  return sqlType === "json" || sqlType === "jsonb";
}

function allOf(words: ReadonlySet<string>, known: Record<string, string>): ReadonlySet<string> | undefined {
  const types = [...words].map((word) => known[word]);
  return types.some((type) => type === undefined) ? undefined : new Set(types as string[]);
}

/** Without the empty list and the empty object where another type holds them too. */
export function withoutEmpty(types: ReadonlySet<string>): ReadonlySet<string> {
  const others = [...types].filter((type) => type !== emptyList && type !== emptyObject);
  return new Set(
    [...types].filter(
      (type) =>
        !(type === emptyList && others.some((other) => other.endsWith("[]"))) &&
        !(type === emptyObject && others.some((other) => other.startsWith("Record<string,"))),
    ),
  );
}
