/**
 * PostgreSQL's text and JSON hold neither NUL nor half of a surrogate pair. What people send us is refused with such
 * characters; what comes out of Git or a runner is kept with the replacement character in their place.
 */
const replacement = "\uFFFD";

export function isStorable(text: string): boolean {
  return !text.includes("\0") && text.isWellFormed();
}

export function storableText(text: string): string {
  return isStorable(text) ? text : text.toWellFormed().replaceAll("\0", replacement);
}

/** JSON whose every text, keys included, is storable. */
export function storableJson(value: unknown): string {
  return JSON.stringify(value, storableMember);
}

/** For `JSON.stringify`. */
function storableMember(_key: string, value: unknown): unknown {
  if (typeof value === "string") return storableText(value);
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const entries = Object.entries(value);
  if (entries.every(([key]) => isStorable(key))) return value;
  return Object.fromEntries(entries.map(([key, member]) => [storableText(key), member as unknown]));
}

/** A copy of a JSON value in which every text, keys included, is storable. */
export function storableValue<T>(value: T): T;
export function storableValue(value: unknown): unknown {
  if (typeof value === "string") return storableText(value);
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((member: unknown) => storableValue(member));
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [storableText(key), storableValue<unknown>(member)]),
  );
}

/** Paths of the texts in a JSON value that are not storable, keys included; "" for the value itself. */
export function unstorablePaths(value: unknown, path: readonly string[] = []): string[] {
  if (typeof value === "string") return isStorable(value) ? [] : [path.join(".")];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, each]) =>
    isStorable(key) ? unstorablePaths(each, [...path, key]) : [path.join(".")],
  );
}
