/** Members called `__proto__`: zod leaves them out of what it parses, so that they would be ignored rather than refused. */

/** Paths of them in a JSON value. */
export function protoMembers(value: unknown, path: readonly string[] = []): string[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, each]) =>
    key === "__proto__" ? [[...path, key].join(".")] : protoMembers(each, [...path, key]),
  );
}
