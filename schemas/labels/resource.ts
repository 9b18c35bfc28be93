/** Labels of a repository, for its issues and merge requests. */
import { z } from "zod";
import { displayText } from "../core/display-text.ts";
import { idOf } from "../core/ids.ts";
import { timestamp } from "../core/time.ts";

export const maxLabels = 1000;

/** Those that people are offered, and of which one is taken where they name none. */
export const labelColors = [
  "d73a4a",
  "e99695",
  "d93f0b",
  "fbca04",
  "fef2c0",
  "0e8a16",
  "a2eeef",
  "006b75",
  "1d76db",
  "c5def5",
  "5319e7",
  "d876e3",
] as const;

export const Label = z
  .object({
    id: idOf("lbl"),
    name: z.string(),
    color: z.string().describe("Six hexadecimal digits."),
    description: z.string(),
    scope: z
      .string()
      .nullable()
      .describe(
        "What stands before the last `::` of the name; null without one. An issue has at most one label of each scope.",
      ),
    url: z.string(),
    web_url: z.string(),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: "Label" });
export type Label = z.infer<typeof Label>;

const fields = {
  name: displayText(100)
    .min(1)
    .regex(/^[^,]*$/, "A comma is not allowed: lists of labels are separated by commas."),
  color: z
    .string()
    .regex(/^[0-9A-Fa-f]{6}$/, "Six hexadecimal digits are needed, without #.")
    .describe("Six hexadecimal digits, without `#`."),
  description: displayText(200),
};

export const LabelCreate = z
  .strictObject({
    name: fields.name,
    color: fields.color.optional().describe("Default: one of twelve colors, chosen by the name."),
    description: fields.description.default(""),
  })
  .meta({
    id: "LabelCreate",
    examples: [{ name: "priority::high", color: "d73a4a", description: "To be done first" }],
  });
export type LabelCreate = z.output<typeof LabelCreate>;

export const LabelUpdate = z
  .strictObject(fields)
  .partial()
  .meta({ id: "LabelUpdate", examples: [{ name: "priority::urgent" }] });
export type LabelUpdate = z.output<typeof LabelUpdate>;
