/** Completion of keys and values of a pipeline file, out of the JSON Schema that the server gives to every editor. */
import type { Completion, CompletionContext, CompletionResult } from "@codemirror/autocomplete";
import { keyChoices, valueChoices, type JsonSchema, type KeyChoice } from "./schema-choices.ts";
import { yamlPlaceAt, type YamlPlace } from "./yaml-place.ts";

const schemaAddress = "/docs/schemas/pipeline-1.json";
let schema: Promise<JsonSchema | null> | undefined;

/** For `autocompletion({ override: [completeFromSchema] })`. */
export async function completeFromSchema(context: CompletionContext): Promise<CompletionResult | null> {
  const line = context.state.doc.lineAt(context.pos);
  const place = yamlPlaceAt(context.state.doc.toString(), line.number - 1, context.pos - line.from);
  if (!place || (place.word === "" && !context.explicit)) return null;
  const known = await (schema ??= fetchSchema());
  if (!known) return null;
  const options = optionsAt(known, place);
  return { from: context.pos - place.word.length, options, validFor: /^[\w.-]*$/ };
}

/** Null without a connection; asked again with the next word. */
async function fetchSchema(): Promise<JsonSchema | null> {
  try {
    const answer = await fetch(schemaAddress);
    if (answer.ok) return (await answer.json()) as JsonSchema;
  } catch {
    // The bar at the top says that there is no connection.
  }
  schema = undefined;
  return null;
}

function optionsAt(known: JsonSchema, place: YamlPlace): Completion[] {
  const values =
    place.writing === "value" || place.isItem
      ? valueChoices(known, place.path).map(({ value, description }) => ({
          label: value,
          type: "enum",
          ...(description === "" ? {} : { info: description }),
        }))
      : [];
  const keys =
    place.writing === "key"
      ? keyChoices(known, place.path, place.siblings).map((choice) => keyOption(choice, place.column))
      : [];
  return [...keys, ...values];
}

function keyOption({ key, description, holds }: KeyChoice, column: number): Completion {
  const indent = " ".repeat(column + 2);
  const behind = { mapping: `:\n${indent}`, sequence: `:\n${indent}- `, value: ": " }[holds];
  return {
    label: key,
    apply: key + behind,
    type: "property",
    ...(description === "" ? {} : { info: description }),
  };
}
