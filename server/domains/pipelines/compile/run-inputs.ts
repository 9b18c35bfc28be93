/** The inputs of a run: what was given, checked by what its file declares, and defaults for the rest. Pure. */
import { readInput, type InputValue } from "@forgeline/compiler/input-values.ts";
import type { FieldError } from "@forgeline/schemas/core/errors.ts";
import type { PipelineEvent, PipelineEventName } from "@forgeline/schemas/pipeline-file/event.ts";
import type { PlanInput } from "@forgeline/schemas/pipeline-file/plan.ts";
import { invalidField, invalidFields } from "../../../platform/app-error.ts";

export type GivenInputs = Readonly<Record<string, InputValue>>;

export interface ResolvedInputs {
  /** Every input of the file, in its order; null for one without a value. */
  values: PipelineEvent["inputs"];
  /** Names of required ones that were not given, where somebody could have given them. */
  missing: string[];
}

/** Whoever makes these runs can give inputs; all other runs have the defaults. */
const asked: ReadonlySet<PipelineEventName> = new Set(["manual", "api", "schedule"]);
/** A body has room for thousands that are wrong. */
const maxErrors = 50;

/** Throws `validation_failed` that names each `inputs.<name>` which is unknown, does not fit its type, or is required and missing. */
export function requireInputs(
  inputs: readonly PlanInput[],
  given: GivenInputs,
  event: PipelineEventName,
): PipelineEvent["inputs"] {
  const { values, missing, errors } = read(inputs, given, event);
  const required = missing.map((name) => fieldError(name, "required", `The input ${name} is required.`));
  refuse([...errors, ...required]);
  return values;
}

/** As `requireInputs`, but tells which required ones are missing. */
export function resolveInputs(
  inputs: readonly PlanInput[],
  given: GivenInputs,
  event: PipelineEventName,
): ResolvedInputs {
  const { values, missing, errors } = read(inputs, given, event);
  refuse(errors);
  return { values, missing };
}

function read(inputs: readonly PlanInput[], given: GivenInputs, event: PipelineEventName) {
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
    else errors.push(fieldError(input.name, "invalid", `The input ${input.name} must be ${found.problem}.`));
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
      return fieldError(name, "unknown", `A run for the event ${event} takes no inputs.`);
    const known = names.length > 0 ? ` Inputs here: ${names.join(", ")}.` : "";
    return fieldError(name, "unknown", `The pipeline has no input named ${shortened(name)}.${known}`);
  });
}

const shortened = (name: string) => (name.length > 63 ? `${name.slice(0, 63).toWellFormed()}…` : name);

function fieldError(name: string, code: string, message: string): FieldError {
  return { field: `inputs.${shortened(name)}`, code, message };
}

function refuse(errors: readonly FieldError[]): void {
  const [first] = errors;
  if (first && errors.length === 1) throw invalidField(first.field, first.code, first.message);
  if (first) throw invalidFields(errors.slice(0, maxErrors));
}
