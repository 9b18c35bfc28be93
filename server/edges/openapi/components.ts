/** zod schemas as JSON Schema; a schema with an id becomes a component and is referenced. */
import { z } from "zod";

export interface JsonSchema {
  type?: string | string[];
  description?: string;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  $ref?: string;
  [keyword: string]: unknown;
}

type Direction = "input" | "output";

export interface Components {
  /** A reference where the schema has an id, else the schema itself. */
  schemaOf(schema: z.ZodType, direction: Direction): JsonSchema;
  /** The schema itself, also where it has an id. */
  inline(schema: z.ZodType, direction: Direction): JsonSchema;
  all(): Record<string, JsonSchema>;
}

export function createComponents(): Components {
  const known = new Map<string, JsonSchema>();
  /** Most schemas are used by many operations, and converting one takes a millisecond. */
  const converted = {
    input: new WeakMap<z.ZodType, JsonSchema>(),
    output: new WeakMap<z.ZodType, JsonSchema>(),
  };

  function add(name: string, schema: JsonSchema, direction: Direction): string {
    if (name.startsWith("__")) throw new Error("a recursive schema needs .meta({ id })");
    const text = JSON.stringify(schema);
    const existing = known.get(name);
    if (existing && JSON.stringify(existing) !== text) {
      // If the accepted and returned forms of one id differ, the accepted form gets its own name.
      if (direction === "output") throw new Error(`two different schemas have the id ${name}`);
      known.set(`${name}Input`, schema);
      return `${name}Input`;
    }
    known.set(name, schema);
    return name;
  }

  function schemaOf(schema: z.ZodType, direction: Direction): JsonSchema {
    const before = converted[direction].get(schema);
    if (before) return before;
    const made = convert(schema, direction);
    converted[direction].set(schema, made);
    return made;
  }

  function convert(schema: z.ZodType, direction: Direction): JsonSchema {
    // Wrapped, so that a schema with an id is a reference like any other.
    const raw = z.toJSONSchema(z.object({ root: schema }), { io: direction, target: "draft-2020-12" });
    const definitions = (raw.$defs ?? {}) as Record<string, JsonSchema>;
    const names = new Map(Object.keys(definitions).map((name) => [`#/$defs/${name}`, name]));
    const point = (node: unknown): unknown => {
      if (Array.isArray(node)) return node.map(point);
      if (typeof node !== "object" || node === null) return node;
      return Object.fromEntries(
        Object.entries(node).map(([key, value]) => {
          if (key !== "$ref" || typeof value !== "string") return [key, point(value)];
          return [key, `#/components/schemas/${names.get(value) ?? value}`];
        }),
      );
    };
    for (const [name, definition] of Object.entries(definitions)) {
      const { id: _, ...rest } = definition;
      names.set(`#/$defs/${name}`, add(name, point(rest) as JsonSchema, direction));
    }
    const properties = point(raw.properties ?? {}) as Record<string, JsonSchema>;
    return properties["root"] ?? {};
  }

  return {
    schemaOf,
    inline(schema, direction) {
      const found = schemaOf(schema, direction);
      if (!found.$ref) return found;
      return known.get(found.$ref.replace("#/components/schemas/", "")) ?? found;
    },
    all: () => Object.fromEntries([...known].sort(([a], [b]) => (a < b ? -1 : 1))),
  };
}
