/** `on.manual.inputs`: checked, and as the plan and expressions have them. Numbers among options and texts stay as they are written. */
import { inputTypes, maxInputChars, maxInputs } from "@forgeline/schemas/pipeline-file/file-input.ts";
import type { PlanInput } from "@forgeline/schemas/pipeline-file/plan.ts";
import {
  anyType,
  booleanType,
  mapType,
  numberType,
  objectType,
  stringType,
  type Type,
} from "./expression/types.ts";
import { readInput, type InputValue } from "./input-values.ts";
import { inputsPath } from "./path-kinds.ts";
import type { Report } from "./report.ts";
import { quote } from "./suggest.ts";
import { child, nodeAt, spanOfKey, spanOfValue, type MapNode, type TreeNode } from "./tree.ts";

/** In the order of the file; those that are sound. */
export function planInputs(tree: TreeNode): PlanInput[] {
  return entriesOf(tree).flatMap(({ key, value }) => {
    const input = inputOf(key, value);
    return input === null ? [] : [input];
  });
}

function entriesOf(tree: TreeNode) {
  const inputs = nodeAt(tree, inputsPath);
  return inputs?.kind === "map" ? [...inputs.entries.values()] : [];
}

/** `default` is as it is written, until it is checked. */
function inputOf(name: string, node: TreeNode): PlanInput | null {
  const type = inputTypes.find((known) => known === textOf(child(node, "type")));
  if (type === undefined) return null;
  const required = child(node, "required");
  return {
    name,
    type,
    options: optionsOf(node),
    default: defaultOf(type, child(node, "default")),
    required: required?.kind === "scalar" && required.value === true,
    description: textOf(child(node, "description")) ?? null,
  };
}

function optionsOf(node: TreeNode): string[] {
  const options = child(node, "options");
  return options?.kind === "seq" ? options.items.map((item) => textOf(item) ?? "") : [];
}

/** Text and choices take numbers as they are written: 22.10 stays 22.10. */
function defaultOf(type: PlanInput["type"], node: TreeNode | undefined): InputValue | null {
  if (node?.kind !== "scalar") return null;
  return type === "string" || type === "choice" ? node.text : node.value;
}

function textOf(node: TreeNode | undefined): string | undefined {
  return node?.kind === "scalar" ? node.text : undefined;
}

/** `inputs` in expressions. `written`: the whole file, so that an input with a mistake makes no second one. */
export function typeOfInputs(written: TreeNode): Type {
  const inputs = nodeAt(written, inputsPath);
  if (inputs && inputs.kind !== "map") return mapType(anyType);
  // One that is not given may be null, which every type can be compared with.
  const members = entriesOf(written).map(({ key, value }): [string, Type] => {
    const type = inputOf(key, value)?.type;
    return [key, type === undefined ? anyType : types[type]];
  });
  return objectType('"inputs" of this file', Object.fromEntries(members));
}

const types: Readonly<Record<PlanInput["type"], Type>> = {
  string: stringType,
  choice: stringType,
  number: numberType,
  boolean: booleanType,
};

/** `sound`: without the parts that the schemas refuse; `written`: with them. */
export function checkInputs({ sound, written }: { sound: MapNode; written: TreeNode }, report: Report): void {
  const inputs = planInputs(sound);
  if (inputs.length > maxInputs)
    report.add("P305", spanOfKey(sound, inputsPath), {
      message: `${inputs.length} inputs; at most ${maxInputs} are allowed`,
    });
  for (const input of inputs) {
    const path = [...inputsPath, input.name];
    const wrote = nodeAt(written, path) ?? sound;
    checkOptions(input, { sound, wrote }, report);
    if (input.default === null) continue;
    checkDefault(input, sound, report);
    if (input.required)
      report.add("P113", spanOfKey(sound, [...path, "required"]), {
        message: '"required: true" and "default" are mutually exclusive',
        hint: "an input with a default need not be given: remove one of the two",
      });
  }
}

interface Place {
  sound: MapNode;
  /** The input as it is written. */
  wrote: TreeNode;
}

function checkOptions({ name, type, options }: PlanInput, { sound, wrote }: Place, report: Report): void {
  const path = [...inputsPath, name];
  const hasOptions = child(wrote, "options") !== undefined;
  if (type === "choice" && !hasOptions)
    report.add("P108", spanOfKey(sound, path), {
      message: `input ${quote(name)} is missing the key "options"`,
      hint: "list what can be chosen: `options: [staging, production]`",
    });
  if (type !== "choice" && hasOptions)
    report.add("P113", spanOfKey(sound, [...path, "options"]), {
      message: `"type: ${type}" and "options" are mutually exclusive`,
      hint: "to let people choose from a list, write `type: choice`",
    });
  for (const [index, option] of options.entries()) {
    if (options.indexOf(option) === index) continue;
    report.add("P111", spanOfValue(sound, [...path, "options", index]), {
      message: `the option ${quote(option)} is there twice`,
      hint: "keep one of them",
    });
  }
}

function checkDefault(input: PlanInput, sound: MapNode, report: Report): void {
  const { type, options } = input;
  if (input.default === null || (type === "choice" && options.length === 0)) return;
  // Of every text of the file is told that it must not have NUL; its length is all that is left.
  if (type === "string" && String(input.default).length <= maxInputChars) return;
  // The command line can only send text; a file can write the value itself.
  const isQuoted = typeof input.default === "string" && (type === "number" || type === "boolean");
  const read = readInput(input, input.default);
  const span = spanOfValue(sound, [...inputsPath, input.name, "default"]);
  if ("problem" in read)
    report.add("P103", span, {
      message: `"default" must be ${read.problem}, not ${quote(String(input.default))}`,
    });
  else if (isQuoted)
    report.add("P103", span, {
      message: `"default" must be ${type === "number" ? "a number" : "true or false"}, not text`,
      hint: `write it without quotes: ${String(read.value)}`,
    });
}
