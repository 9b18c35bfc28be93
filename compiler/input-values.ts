/** What may be given for an input, and what becomes of it. Pure. */
import { maxInputChars } from "@forgeline/schemas/pipeline-file/file-input.ts";
import type { PlanInput } from "@forgeline/schemas/pipeline-file/plan.ts";
import { nameList } from "./suggest.ts";

export type InputValue = string | number | boolean;
export type ReadInput = { value: InputValue } | { problem: string };

/** By the type of the input; text that says a number or true or false counts as that. `problem` reads on after "must be". */
export function readInput({ type, options }: PlanInput, given: InputValue): ReadInput {
  switch (type) {
    case "string":
      return readText(String(given));
    case "choice":
      return options.includes(String(given))
        ? { value: String(given) }
        : { problem: `one of: ${nameList(options)}` };
    case "boolean":
      return readCondition(given);
    case "number":
      return readNumber(given);
  }
}

function readText(value: string): ReadInput {
  if (value.length > maxInputChars)
    return { problem: `text of at most ${maxInputChars.toLocaleString("en")} characters` };
  // No environment, file name or database holds these.
  if (value.includes("\0") || !value.isWellFormed())
    return { problem: "text without NUL or unpaired surrogates" };
  return { value };
}

function readCondition(given: InputValue): ReadInput {
  if (typeof given === "boolean") return { value: given };
  if (given === "true" || given === "false") return { value: given === "true" };
  return { problem: "true or false" };
}

const decimal = /^[+-]?[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?$/;

function readNumber(given: InputValue): ReadInput {
  const isNumber = typeof given === "number" || (typeof given === "string" && decimal.test(given));
  const value = Number(given);
  if (!isNumber || !Number.isFinite(value)) return { problem: "a number, such as 5 or -1.5" };
  // Beyond it, whole numbers silently become their neighbours.
  if (Math.abs(value) > Number.MAX_SAFE_INTEGER)
    return { problem: `a number between -${Number.MAX_SAFE_INTEGER} and ${Number.MAX_SAFE_INTEGER}` };
  return { value };
}
