/** What a repository proposes as text of new issues and merge requests. */
import { z } from "zod";

/** Of one template. */
export const maxTemplateBytes = 64 * 1024;
/** Of one kind, in one repository; others are not read. */
export const maxTemplates = 50;

const asked = {
  id: z.string().describe("Unique in the form."),
  label: z.string(),
  description: z.string(),
};
const required = z.boolean();

export const FormField = z
  .discriminatedUnion("type", [
    z.object({ type: z.literal("markdown"), text: z.string().describe("Markdown, shown and not sent.") }),
    z.object({
      type: z.literal("input"),
      ...asked,
      placeholder: z.string(),
      value: z.string().describe("What it begins with."),
      required,
    }),
    z.object({
      type: z.literal("textarea"),
      ...asked,
      placeholder: z.string(),
      value: z.string(),
      language: z.string().nullable().describe("The answer is code in this language; null: it is Markdown."),
      required,
    }),
    z.object({
      type: z.literal("dropdown"),
      ...asked,
      options: z.array(z.string()),
      multiple: z.boolean(),
      chosen: z.number().int().nullable().describe("Index of the option that it begins with."),
      required,
    }),
    z.object({
      type: z.literal("checkboxes"),
      ...asked,
      options: z.array(z.object({ label: z.string(), required })),
    }),
  ])
  .meta({ id: "FormField" });
export type FormField = z.infer<typeof FormField>;

export const TextTemplate = z
  .object({
    path: z.string().describe("In the default branch."),
    name: z.string(),
    about: z.string().describe("What it is for."),
    title: z.string().describe("What the title begins with."),
    body: z.string().describe("Markdown; empty where there is a form."),
    labels: z.array(z.string()).describe("Names of labels, which need not exist."),
    assignees: z.array(z.string()),
    form: z.array(FormField).nullable().describe("Questions instead of a text."),
  })
  .meta({ id: "TextTemplate" });
export type TextTemplate = z.infer<typeof TextTemplate>;

export const TemplateError = z
  .object({
    path: z.string(),
    line: z.number().int().nullable(),
    message: z.string(),
  })
  .meta({ id: "TemplateError" });
export type TemplateError = z.infer<typeof TemplateError>;

export const TextTemplates = z
  .object({
    templates: z.array(TextTemplate).describe("In the order of their paths."),
    errors: z.array(TemplateError).describe("Files that cannot be used, and why."),
  })
  .meta({ id: "TextTemplates" });
export type TextTemplates = z.infer<typeof TextTemplates>;
