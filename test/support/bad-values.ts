/** What a field of a request's body must not take, made from its JSON Schema. */
import { Ajv2020, type SchemaObject, type ValidateFunction } from "ajv/dist/2020.js";
import { createExamples } from "@forgeline/server/edges/openapi/examples.ts";

export interface FieldSchema {
  $ref?: string;
  type?: string | string[];
  properties?: Record<string, FieldSchema>;
  items?: FieldSchema;
  anyOf?: FieldSchema[];
  maxLength?: number;
  enum?: unknown[];
  [keyword: string]: unknown;
}

export interface BadBody {
  what: string;
  /** Field as errors name it, such as `credential.id` or `scopes.0`. */
  field: string;
  body: unknown;
}

const anyText = { type: "string" };
const wrongTypes = [null, true, 1, -1, 1.5, 1e300, "text", "", [], [[]], {}, { a: { b: [1] } }];
const unstorable = {
  NUL: "a\0b",
  "a high surrogate": "a\ud800b",
  "a low surrogate": "\udc00",
  "NUL alone": "\0",
};
/** In front of these stands who or what it is; a text that turns others around may not be one. */
const nameFields = new Set([
  "name",
  "display_name",
  "title",
  "username",
  "owner",
  "new_owner",
  "description",
]);
const turning = {
  "a right-to-left override": "a\u202eb",
  "an isolate": "\u2067a",
  "a hidden mark": "a\u200fb",
};

export interface SchemaReader {
  resolve(schema: FieldSchema): FieldSchema;
  isValid(schema: FieldSchema, value: unknown): boolean;
  /** Some value that is valid. */
  example(schema: FieldSchema): unknown;
}

const withReferences = (schema: FieldSchema) =>
  JSON.parse(JSON.stringify(schema).replaceAll('"#/components/', '"document#/components/')) as SchemaObject;

/** Reads schemas of an OpenAPI document. */
export function schemaReader(document: { components: object }): SchemaReader {
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  ajv.addSchema(document, "document");
  const compiled = new WeakMap<FieldSchema, ValidateFunction>();
  const { schemas: components } = document.components as { schemas: Record<string, FieldSchema> };
  return {
    resolve(schema) {
      const target = schema.$ref && components[schema.$ref.replace("#/components/schemas/", "")];
      return target || schema;
    },
    example: createExamples(() => components, {}).of,
    isValid(schema, value) {
      // To compile one takes a hundred times as long as to ask it.
      const validate = compiled.get(schema) ?? ajv.compile(withReferences(schema));
      compiled.set(schema, validate);
      return validate(value);
    },
  };
}

/** Each differs from `body`, which is valid, in one field, also in one that is nested or that it does not have. */
export function badBodies(reader: SchemaReader, given: FieldSchema, body: unknown, name = ""): BadBody[] {
  const schema = reader.resolve(given);
  const whole = body ?? reader.example(schema);
  const choices = [schema, ...(schema.anyOf ?? []).map(reader.resolve)];
  const own = badValues(reader, schema, name).map(({ what, value }) => ({ what, field: "", body: value }));
  const below = (field: string, found: BadBody[], put: (value: unknown) => unknown) =>
    found.map((each) => ({
      what: each.what,
      field: each.field === "" ? field : `${field}.${each.field}`,
      body: put(each.body),
    }));
  const object = choices.find(({ properties }) => properties);
  const fields = Object.entries(object?.properties ?? {}).flatMap(([field, part]) => {
    const values = whole as Record<string, unknown> | null;
    return below(field, badBodies(reader, part, values?.[field], field), (value) => ({
      ...values,
      [field]: value,
    }));
  });
  if (object?.["additionalProperties"] === false)
    fields.push({
      what: "a field that nobody knows",
      field: "no_such_field",
      body: { ...(whole as object), no_such_field: "x" },
    });
  // Of a list that must be empty, the list itself is wrong.
  const items = choices.find((choice) => choice.items && choice["maxItems"] !== 0)?.items;
  const first = Array.isArray(whole) ? (whole[0] as unknown) : undefined;
  const entries = items ? below("0", badBodies(reader, items, first, name), (value) => [value]) : [];
  return [...own, ...fields, ...entries];
}

function badValues(reader: SchemaReader, schema: FieldSchema, name: string) {
  const values = wrongTypes.map((value) => ({ what: `${JSON.stringify(value)}`, value: value as unknown }));
  const isText = reader.isValid(anyText, "") && texts(schema).length > 0;
  if (isText) {
    const longest = Math.max(...texts(schema).map(({ maxLength }) => maxLength ?? 0));
    values.push({ what: "a text that is too long", value: "x".repeat(longest > 0 ? longest + 1 : 101) });
    if (nameFields.has(name)) values.push(...named(turning));
  }
  const refused = values.filter(({ value }) => !reader.isValid(schema, value));
  return isText ? [...refused, ...named(unstorable)] : refused;
}

function texts(schema: FieldSchema): FieldSchema[] {
  return [schema, ...(schema.anyOf ?? [])].filter(({ type }) => type === "string");
}

function named(values: Record<string, string>): { what: string; value: unknown }[] {
  return Object.entries(values).map(([what, value]) => ({ what, value }));
}
