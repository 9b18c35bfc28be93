/** The text of an issue from the answers to a form, as GitHub writes it: a heading for each question, and the answer below. */
import type { Schemas } from "@forgeline/client/schemas.ts";

export type FormField = Schemas["FormField"];
/** By the id of the question: words, or the options that were chosen. */
export type Answers = Readonly<Record<string, string | readonly string[]>>;

export const noAnswer = "_No response_";

export function composeForm(fields: readonly FormField[], answers: Answers): string {
  return fields
    .flatMap((field) =>
      field.type === "markdown" ? [] : [`### ${field.label}\n\n${answerTo(field, answers[field.id])}\n`],
    )
    .join("\n");
}

type Question = Exclude<FormField, { type: "markdown" }>;

function answerTo(field: Question, given: Answers[string] | undefined): string {
  const chosen = typeof given === "string" ? [given] : (given ?? []);
  if (field.type === "checkboxes")
    return field.options.map(({ label }) => `- [${chosen.includes(label) ? "x" : " "}] ${label}`).join("\n");
  const words = field.type === "dropdown" ? chosen.join(", ") : chosen.join("").trimEnd();
  if (words.trim() === "") return noAnswer;
  return field.type === "textarea" && field.language !== null ? fenced(words, field.language) : words;
}

/** With a fence that the code does not have. */
function fenced(code: string, language: string): string {
  const longest = Math.max(2, ...(code.match(/`+/g) ?? []).map(({ length }) => length));
  const fence = "`".repeat(longest + 1);
  return `${fence}${language}\n${code}\n${fence}`;
}

/** What a form begins with. */
export function firstAnswers(fields: readonly FormField[]): Answers {
  const known = fields.flatMap((field): [string, string | string[]][] => {
    if (field.type === "input" || field.type === "textarea") return [[field.id, field.value]];
    if (field.type !== "dropdown" || field.chosen === null) return [];
    const option = field.options[field.chosen] ?? "";
    return [[field.id, field.multiple ? [option] : option]];
  });
  return Object.fromEntries(known);
}
