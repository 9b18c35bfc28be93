/**
 * Examples in the OpenAPI document. A schema with `examples` of its own gives the first; all others are put together from their
 * parts, with texts of `example-texts.ts`. `test/contract/openapi-examples.test.ts` checks each against its schema.
 */
import { errorCatalogue, type ErrorCode } from "@forgeline/schemas/core/errors.ts";
import { exampleTexts } from "./example-texts.ts";
import type { JsonSchema } from "./components.ts";

/** Position of a text: its component and property; both may be unknown. */
interface TextPosition {
  component: string;
  property: string;
}

export interface Examples {
  /** Of a body or a part of one. */
  of(schema: JsonSchema): unknown;
  /** For a parameter of `path`; undefined if no value would be a good example. */
  ofParameter(path: string, name: string, schema: JsonSchema): unknown;
}

/** `addresses`: component → where one record of it is read, for its `url`; read when it is needed. */
export function createExamples(
  components: () => Record<string, JsonSchema>,
  addresses: Readonly<Record<string, string>>,
): Examples {
  function make(schema: JsonSchema, position: TextPosition, within: readonly string[]): unknown {
    if (schema.$ref) {
      const component = schema.$ref.replace("#/components/schemas/", "");
      // A schema nested in itself is left out, or the example would be endless.
      if (within.includes(component)) return undefined;
      const target = components()[component];
      return target && make(target, { ...position, component }, [...within, component]);
    }
    const given = schema["examples"];
    if (Array.isArray(given) && given.length > 0) return given[0];
    if ("const" in schema) return schema["const"];
    if (Array.isArray(schema["enum"])) {
      const named = exampleTexts[`${position.component}.${position.property}`];
      return named ?? (schema["enum"] as unknown[])[0];
    }
    const choices = (schema["anyOf"] ?? schema["oneOf"]) as JsonSchema[] | undefined;
    if (choices) {
      const choice = choices.find(({ type }) => type !== "null");
      return choice && make(choice, position, within);
    }
    const address = position.property === "url" ? addresses[position.component] : undefined;
    if (address !== undefined) return `${exampleTexts["base_url"]}${address}`;
    return byType(schema, position, (part, property) =>
      make(part, { component: position.component, property }, within),
    );
  }
  return {
    of: (schema) => make(schema, { component: "", property: "" }, []),
    ofParameter(path, name, schema) {
      if (schema["examples"]) return make(schema, { component: "", property: name }, []);
      const given = exampleTexts[`${path} ${name}`] ?? identifier(schema) ?? exampleTexts[`{${name}}`];
      if (given !== undefined) return given;
      if (schema.type === "string" && !schema["enum"]) return undefined;
      return make(schema, { component: "", property: name }, []);
    },
  };
}

type MakePart = (part: JsonSchema, property: string) => unknown;

function byType(schema: JsonSchema, position: TextPosition, part: MakePart): unknown {
  const type = Array.isArray(schema.type) ? schema.type.find((each) => each !== "null") : schema.type;
  if (type === "string") return textFor(schema, position);
  if (type === "integer" || type === "number")
    return schema["default"] ?? Math.max(Number(schema["minimum"] ?? 1), 1);
  if (type === "boolean") return schema["default"] ?? false;
  if (type === "array") {
    const item = part((schema["items"] as JsonSchema | undefined) ?? {}, position.property);
    return item === undefined ? [] : [item];
  }
  if (type !== "object") return null;
  const entries = Object.entries(schema.properties ?? {}).map(([name, each]) => [name, part(each, name)]);
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}

function textFor(schema: JsonSchema, { component, property }: TextPosition): string {
  const own = identifier(schema) ?? exampleTexts[`${component}.${property}`];
  if (own !== undefined) return own;
  if (schema["format"] === "date-time") return "2026-03-01T09:30:00.000Z";
  if (schema["pattern"] === "^[0-9a-f]{40}$") return "8a6f1c0d4e2b97f35a1c6e0b2d4f89a7c3e5b610";
  if (schema["pattern"] === "^[0-9a-f]{64}$") return "8a6f1c0d4e2b97f3".repeat(4);
  return exampleTexts[property] ?? "text";
}

/** An id with the prefix in its pattern, such as `repo_…`. */
function identifier(schema: JsonSchema): string | undefined {
  const { pattern } = schema;
  if (typeof pattern !== "string") return undefined;
  const prefix = /^\^([a-z]+)_\[[^\]]+\]\{26\}\$$/.exec(pattern)?.[1];
  return prefix && `${prefix}_01jd3a7qx0c4mvb8ekz2hs9rwt`;
}

const errorExtras: Partial<Record<ErrorCode, object>> = {
  insufficient_scope: { required_scopes: ["repo:write"] },
  rate_limit_exceeded: { reset_at: "2026-03-01T10:00:00.000Z" },
  validation_failed: { errors: [{ field: "name", code: "required", message: "Required." }] },
};

/** By code; each is the whole body of an answer. */
export function errorExamples(): Record<string, { value: object }> {
  const codes = Object.keys(errorCatalogue) as ErrorCode[];
  return Object.fromEntries(
    codes.map((error) => {
      const documentation_url = `https://forgeline.example/docs/errors#${error}`;
      const { message, status } = errorCatalogue[error];
      const request = status >= 500 ? { request_id: "5f0c8a52-6f0e-4c57-9b0e-3d1a7c2e9f64" } : {};
      return [error, { value: { error, message, documentation_url, ...errorExtras[error], ...request } }];
    }),
  );
}
