/** Values of the file that is being made, as YAML will show them. */
export type Plain = string | number | boolean | null | Plain[] | PlainMap;
export interface PlainMap {
  [key: string]: Plain;
}

/** As text of one line; lists and mappings as JSON. */
export function textOf(value: Plain | undefined): string {
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

/** A mapping without what there is nothing of: null, empty lists and empty mappings. */
export function present(values: Readonly<Record<string, Plain | undefined>>): PlainMap {
  const result: PlainMap = {};
  for (const [key, value] of Object.entries(values)) {
    if (value === undefined || value === null) continue;
    if (typeof value === "object" && Object.keys(value).length === 0) continue;
    result[key] = value;
  }
  return result;
}

/** `on` as a list where no event has a filter. */
export function shortOn(on: PlainMap): Plain {
  const names = Object.keys(on);
  return Object.values(on).every((value) => value === null) ? names : on;
}
