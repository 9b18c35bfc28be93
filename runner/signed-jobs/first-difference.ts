/** Where two values of JSON differ first, as people write it: `.steps[0].run`. Null: nowhere. The order of members does not count. */
export function firstDifference(one: unknown, other: unknown): string | null {
  if (Array.isArray(one) && Array.isArray(other)) return inMembers(one, other, (key) => `[${key}]`);
  if (isObject(one) && isObject(other)) return inMembers(one, other, (key) => `.${key}`);
  return one === other ? null : "";
}

function inMembers(one: object, other: object, shown: (key: string) => string): string | null {
  const ones = new Map<string, unknown>(Object.entries(one));
  const others = new Map<string, unknown>(Object.entries(other));
  for (const key of new Set([...ones.keys(), ...others.keys()])) {
    const where = firstDifference(ones.get(key), others.get(key));
    if (where !== null) return `${shown(key)}${where}`;
  }
  return null;
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
