/** Fields of records whose form is not known yet: what is of another type counts as absent. Readers judge what comes out. */

export type Fields = Readonly<Record<string, unknown>>;

export function fieldsOf(value: unknown): Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Fields) : {};
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function textOf(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}

export function idOf(value: unknown): string | null {
  return typeof value === "number" || typeof value === "string" ? String(value) : null;
}

/** More than what is kept of a text here, so that it is still known to be too long. */
const maxTextChars = 100_000;

export function bodyOf(value: unknown): string | null {
  return textOf(value)?.slice(0, maxTextChars) ?? null;
}
