/** Inputs that a pipeline file declares under `on.manual`: what people and programs may be asked for when they start a run. */
import { z } from "zod";
import { expected } from "./file-values.ts";

export const inputTypes = ["string", "number", "boolean", "choice"] as const;

/** At most so many in one file. */
export const maxInputs = 25;
/** Longest text that an input can be given. */
export const maxInputChars = 65_536;

const name = "the name of an input: 1 to 63 letters, digits, - and _, beginning with a letter or _";
const option = z.union([z.string().min(1, expected.text).max(200, expected.text), z.number(), z.boolean()]);

export const FileInput = z
  .strictObject({
    type: z.enum(inputTypes).describe("string, number, boolean (true or false) or choice (one of options)."),
    options: z.array(option).min(1).max(100).optional().describe("What can be chosen; only for choice."),
    default: z.union([z.string(), z.number(), z.boolean()]).optional().describe("Value where none is given."),
    required: z
      .boolean()
      .optional()
      .describe("Whoever starts a run by hand, by API or by schedule must give it. Default false."),
    description: z
      .string()
      .max(1_000, "text of at most 1,000 characters")
      .optional()
      .describe("Shown beside the field."),
  })
  .meta({
    id: "input",
    description: "A value that a run can be started with; in expressions inputs.<name>.",
  });

export const FileInputName = z.string().regex(/^[A-Za-z_][A-Za-z0-9_-]{0,62}$/, name);
export const FileInputs = z
  .record(FileInputName, FileInput)
  .meta({ id: "inputs", maxProperties: maxInputs, description: "Inputs by name." });
