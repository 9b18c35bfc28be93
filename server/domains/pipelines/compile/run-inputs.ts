/** The inputs of a run, as requests give them: what is wrong with them is refused, all at once. Pure. */
import {
  inputError,
  readInputs,
  type GivenInputs,
  type ReadInputs,
} from "@forgeline/compiler/given-inputs.ts";
import type { FieldError } from "@forgeline/schemas/core/errors.ts";
import type { PipelineEvent, PipelineEventName } from "@forgeline/schemas/pipeline-file/event.ts";
import type { PlanInput } from "@forgeline/schemas/pipeline-file/plan.ts";
import { invalidField, invalidFields } from "../../../platform/app-error.ts";

/** A body has room for thousands that are wrong. */
const maxErrors = 50;

/** Throws `validation_failed` that names each `inputs.<name>` which is unknown, does not fit its type, or is required and missing. */
export function requireInputs(
  inputs: readonly PlanInput[],
  given: GivenInputs,
  event: PipelineEventName,
): PipelineEvent["inputs"] {
  const { values, missing, errors } = readInputs(inputs, given, event);
  const required = missing.map((name) => inputError(name, "required", `The input ${name} is required.`));
  refuse([...errors, ...required]);
  return values;
}

/** As `requireInputs`, but tells which required ones are missing. */
export function resolveInputs(
  inputs: readonly PlanInput[],
  given: GivenInputs,
  event: PipelineEventName,
): Omit<ReadInputs, "errors"> {
  const { errors, ...resolved } = readInputs(inputs, given, event);
  refuse(errors);
  return resolved;
}

function refuse(errors: readonly FieldError[]): void {
  const [first] = errors;
  if (first && errors.length === 1) throw invalidField(first.field, first.code, first.message);
  if (first) throw invalidFields(errors.slice(0, maxErrors));
}
