/** What the JSON Schema of pipeline files allows at a place. */
import type { Segment } from "./yaml-place.ts";

/** The parts of JSON Schema that ours uses. */
export interface JsonSchema {
  $ref?: string;
  anyOf?: JsonSchema[];
  allOf?: JsonSchema[];
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  properties?: Record<string, JsonSchema>;
  additionalProperties?: boolean | JsonSchema;
  items?: JsonSchema;
  description?: string;
  definitions?: Record<string, JsonSchema>;
}

export interface KeyChoice {
  key: string;
  description: string;
  /** What stands behind it: a mapping or a sequence begins on a line of its own. */
  holds: "mapping" | "sequence" | "value";
}

export interface ValueChoice {
  value: string;
  description: string;
}

export function keyChoices(
  root: JsonSchema,
  path: readonly Segment[],
  siblings: ReadonlySet<string>,
): KeyChoice[] {
  const objects = schemasAt(root, path).filter(({ properties }) => properties);
  // Of several forms only those count that have what is written already.
  const fitting = objects.filter(({ properties }) => [...siblings].every((key) => key in (properties ?? {})));
  const choices = new Map<string, KeyChoice>();
  for (const { properties } of fitting.length > 0 ? fitting : objects)
    for (const [key, schema] of Object.entries(properties ?? {}))
      if (!siblings.has(key) && !choices.has(key))
        choices.set(key, { key, description: descriptionOf(root, schema), holds: holdsOf(root, schema) });
  return [...choices.values()];
}

export function valueChoices(root: JsonSchema, path: readonly Segment[]): ValueChoice[] {
  const choices = new Map<string, ValueChoice>();
  for (const schema of schemasAt(root, path)) {
    const values = schema.enum ?? ("const" in schema ? [schema.const] : []);
    const all = schema.type === "boolean" && values.length === 0 ? [true, false] : values;
    for (const value of all.map(String)) choices.set(value, { value, description: schema.description ?? "" });
  }
  return [...choices.values()];
}

/** Every plain schema that may hold there, references and alternatives resolved. */
function schemasAt(root: JsonSchema, path: readonly Segment[]): JsonSchema[] {
  let schemas = plainSchemas(root, root);
  for (const segment of path)
    schemas = schemas.flatMap((schema) => {
      const next = stepInto(schema, segment);
      return next ? plainSchemas(root, next) : [];
    });
  return schemas;
}

function stepInto(schema: JsonSchema, segment: Segment): JsonSchema | undefined {
  if (segment === "item") return schema.items;
  const { additionalProperties } = schema;
  const known = schema.properties?.[segment.key];
  return known ?? (typeof additionalProperties === "object" ? additionalProperties : undefined);
}

function plainSchemas(root: JsonSchema, schema: JsonSchema): JsonSchema[] {
  const parts = [...(schema.anyOf ?? []), ...(schema.allOf ?? []), ...referred(root, schema)];
  return parts.length === 0 ? [schema] : parts.flatMap((part) => plainSchemas(root, part));
}

function referred(root: JsonSchema, { $ref }: JsonSchema): JsonSchema[] {
  const found = root.definitions?.[$ref?.replace("#/definitions/", "") ?? ""];
  return found ? [found] : [];
}

function descriptionOf(root: JsonSchema, schema: JsonSchema): string {
  const own = [schema, ...(schema.allOf ?? [])].flatMap((part) => [part, ...referred(root, part)]);
  return own.find(({ description }) => description)?.description ?? "";
}

function holdsOf(root: JsonSchema, schema: JsonSchema): KeyChoice["holds"] {
  const types = plainSchemas(root, schema).flatMap(({ type }) => type ?? []);
  if (types.length > 0 && types.every((type) => type === "object")) return "mapping";
  if (types.length > 0 && types.every((type) => type === "array")) return "sequence";
  return "value";
}
