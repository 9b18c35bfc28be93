/** The questions of a form, as its file writes them and as pages show them. */
import type { FormField } from "@forgeline/schemas/text-templates/resource.ts";
import { z } from "zod";

const text = z.string().max(10_000);
const label = z.string().min(1).max(500);
const optional = text.nullish().transform((value) => value ?? "");
const id = z
  .string()
  .regex(/^[A-Za-z0-9_-]{1,100}$/)
  .optional();
const validations = z.object({ required: z.boolean().optional() }).nullish();
const described = { label, description: optional };
const options = z.array(z.coerce.string().pipe(label)).min(1).max(100);

const Question = z.discriminatedUnion("type", [
  z.object({ type: z.literal("markdown"), attributes: z.object({ value: text }) }),
  z.object({
    type: z.literal("input"),
    id,
    attributes: z.object({ ...described, placeholder: optional, value: optional }),
    validations,
  }),
  z.object({
    type: z.literal("textarea"),
    id,
    attributes: z.object({ ...described, placeholder: optional, value: optional, render: label.optional() }),
    validations,
  }),
  z.object({
    type: z.literal("dropdown"),
    id,
    attributes: z.object({
      ...described,
      options,
      multiple: z.boolean().optional(),
      default: z.number().int().min(0).optional(),
    }),
    validations,
  }),
  z.object({
    type: z.literal("checkboxes"),
    id,
    attributes: z.object({
      ...described,
      options: z
        .array(z.object({ label, required: z.boolean().optional() }))
        .min(1)
        .max(100),
    }),
  }),
]);
type Question = z.infer<typeof Question>;

export const Questions = z.array(Question).min(1).max(100);

export function fieldsOf(questions: readonly Question[]): FormField[] {
  return questions.map(fieldOf);
}

function fieldOf(question: Question, index: number): FormField {
  if (question.type === "markdown") return { type: "markdown", text: question.attributes.value };
  const { label: shown, description } = question.attributes;
  const asked = { id: question.id ?? `question-${index + 1}`, label: shown, description };
  if (question.type === "checkboxes") {
    const boxes = question.attributes.options.map((each) => ({
      label: each.label,
      required: each.required ?? false,
    }));
    return { type: "checkboxes", ...asked, options: boxes };
  }
  const required = question.validations?.required ?? false;
  if (question.type === "dropdown") {
    const { options: all, multiple = false, default: chosen = null } = question.attributes;
    const known = chosen !== null && chosen < all.length ? chosen : null;
    return { type: "dropdown", ...asked, options: all, multiple, chosen: known, required };
  }
  const { placeholder, value } = question.attributes;
  if (question.type === "input") return { type: "input", ...asked, placeholder, value, required };
  const language = question.attributes.render ?? null;
  return { type: "textarea", ...asked, placeholder, value, language, required };
}
