/** `with`: what is given for the inputs of a template, checked as far as it is known, and each as an expression. */
import type { PlanInput } from "@forgeline/schemas/pipeline-file/plan.ts";
import { ExpressionProblem } from "../expression/problem.ts";
import { readInput, type InputValue } from "../input-values.ts";
import type { Report } from "../report.ts";
import type { Span } from "../source.ts";
import { quote, suggestion } from "../suggest.ts";
import { hasExpression } from "../template.ts";
import type { MapEntry, MapNode, ScalarNode } from "../tree.ts";
import { asExpression, literalOf } from "./replace-names.ts";

export interface GivenFor {
  /** The step or job with `uses`. */
  owner: MapNode;
  inputs: readonly PlanInput[];
  /** As it is written. */
  uses: string;
  usesSpan: Span;
}

/** Every input of the template by name. What is wrong is reported, and counts as null. */
export function givenValues(given: GivenFor, report: Report): Map<string, string> {
  const entries = entriesOf(given.owner);
  const names = given.inputs.map(({ name }) => name);
  for (const entry of entries) {
    if (names.includes(entry.key)) continue;
    const hint = names.length > 0 ? suggestion(entry.key, names, "Inputs of it") : "it has no inputs";
    const message = `the template ${given.uses} has no input ${quote(entry.key)}`;
    report.add("P504", entry.keySpan, { message, hint });
  }
  const values = given.inputs.map((input): [string, string] => {
    const entry = entries.find(({ key }) => key === input.name);
    return [input.name, entry ? valueOf(input, entry, report) : defaultOf(input, given, report)];
  });
  return new Map(values);
}

function entriesOf(owner: MapNode): MapEntry[] {
  const node = owner.entries.get("with")?.value;
  return node?.kind === "map" ? [...node.entries.values()] : [];
}

function defaultOf(input: PlanInput, { uses, usesSpan }: GivenFor, report: Report): string {
  if (input.required)
    report.add("P504", usesSpan, {
      message: `the template ${uses} needs the input ${quote(input.name)}`,
      hint: `add it under \`with\`: { ${input.name}: … }`,
    });
  return literalOf(input.default);
}

function valueOf(input: PlanInput, entry: MapEntry, report: Report): string {
  const node = entry.value;
  // What is neither text nor number nor condition is refused by its schema.
  if (node.kind !== "scalar" || node.value === null) return "null";
  if (!hasExpression(node.text)) return plainValue(input, node, report);
  // Its type is judged with all other expressions.
  entry.value = { ...node, input };
  try {
    return asExpression(node.text);
  } catch (error) {
    if (error instanceof ExpressionProblem) return "null";
    throw error;
  }
}

/** Text and choices take numbers as they are written: 22.10 stays 22.10. */
function plainValue(input: PlanInput, node: ScalarNode, report: Report): string {
  const isText = input.type === "string" || input.type === "choice";
  const read = readInput(input, isText ? node.text : (node.value as InputValue));
  if ("value" in read) return literalOf(read.value);
  report.add("P504", node.span, {
    message: `the input ${quote(input.name)} must be ${read.problem}, not ${quote(node.text)}`,
  });
  return "null";
}
