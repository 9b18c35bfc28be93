/** The inputs of a run: what was given, checked by what its file declares, and defaults for the rest. Pure. */
import type { FieldError } from "@forgeline/schemas/core/errors.ts";
import type { PipelineEvent, PipelineEventName } from "@forgeline/schemas/pipeline-file/event.ts";
import type { PlanInput } from "@forgeline/schemas/pipeline-file/plan.ts";
import { readInput, type InputValue } from "./input-values.ts";

export type GivenInputs = Readonly<Record<string, InputValue>>;

export interface ReadInputs {
  /** Every input of the file, in its order; null for one without a value. */
  values: PipelineEvent["inputs"];
  /** Names of required ones that were not given, where somebody could have given them. */
  missing: string[];
  /** Each `inputs.<name>` that is unknown or does not fit its type. */
  errors: FieldError[];
}

/** Whoever makes these runs can give inputs; all other runs have the defaults. */
const asked: ReadonlySet<PipelineEventName> = new Set(["manual", "api", "schedule", "pipeline"]);

export function readInputs(
  inputs: readonly PlanInput[],
  given: GivenInputs,
  event: PipelineEventName,
): ReadInputs {
  const errors = unknownInputs(inputs, given, event);
  const missing: string[] = [];
  const values: [string, InputValue | null][] = [];
  for (const input of inputs) {
    const value = Object.hasOwn(given, input.name) ? given[input.name] : undefined;
    // An empty field is no answer where one is required.
    const isGiven = asked.has(event) && value !== undefined && !(input.required && value === "");
    if (!isGiven && input.required && asked.has(event)) missing.push(input.name);
    const found = isGiven ? readInput(input, value) : { value: input.default };
    if ("value" in found) values.push([input.name, found.value]);
    else errors.push(inputError(input.name, "invalid", `The input ${input.name} must be ${found.problem}.`));
  }
  return { values: Object.fromEntries(values), missing, errors };
}

function unknownInputs(
  inputs: readonly PlanInput[],
  given: GivenInputs,
  event: PipelineEventName,
): FieldError[] {
  const names = inputs.map(({ name }) => name);
  const unknown = Object.keys(given).filter((name) => !asked.has(event) || !names.includes(name));
  return unknown.map((name) => {
    if (!asked.has(event))
      return inputError(name, "unknown", `A run for the event ${event} takes no inputs.`);
    const known = names.length > 0 ? ` Inputs here: ${names.join(", ")}.` : "";
    return inputError(name, "unknown", `The pipeline has no input named ${shortened(name)}.${known}`);
  });
}

const shortened = (name: string) => (name.length > 63 ? `${name.slice(0, 63).toWellFormed()}…` : name);

/** What is wrong with one input, as it is told to whoever gave it. */
export function inputError(name: string, code: string, message: string): FieldError {
  return { field: `inputs.${shortened(name)}`, code, message };
}
