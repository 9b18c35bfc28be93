/**
 * The small values of the pipeline file: names, texts, durations, sizes, images, environment, labels. The message of
 * a check is what the compiler tells the author was expected, and reads on after "must be".
 */
import { z } from "zod";
import { FileImageAuth } from "./file-secrets.ts";
import { maxLabelChars, maxLabels } from "../runners/label.ts";

export const idPattern = /^[a-z0-9][a-z0-9_-]{0,62}$/;
export const expected = {
  id: "an id: 1 to 63 of a-z, 0-9, - and _, beginning with a letter or digit",
  text: "text of 1 to 200 characters",
  duration: "a duration such as 30s, 10m or 1h30m",
  size: "a size such as 512Mi or 2Gi",
  variable: "a variable name: letters, digits and _, not beginning with a digit",
};

export const FileId = z
  .string()
  .regex(idPattern, expected.id)
  .meta({ id: "id", description: "Lower-case letters, digits, - and _; at most 63 characters." });
export const FileText = z
  .string()
  .min(1, expected.text)
  .max(200, expected.text)
  .meta({ id: "text", description: "Display text; 1 to 200 characters." });
export const FileScalar = z.union([z.string(), z.number(), z.boolean()]).meta({ id: "scalar" });
export const FileStrings = z
  .union([z.string(), z.array(z.string()).max(100)])
  .meta({ id: "strings", description: "One text, or a list of texts." });
export const FileDuration = z
  .string(expected.duration)
  .regex(/^([0-9]+(s|m|h|d))+$/, expected.duration)
  .meta({ id: "duration", description: "Numbers with s, m, h or d: 30s, 10m, 1h30m, 7d." });
export const FileSize = z
  .string(expected.size)
  .regex(/^[0-9]+(\.[0-9]+)?(Ki|Mi|Gi)$/, expected.size)
  .meta({ id: "size", description: "A number with Ki, Mi or Gi: 512Mi, 1.5Gi." });

export const FileImage = z
  .union([
    z.string().min(1, "the name of an image"),
    z.strictObject({
      name: z.string().min(1, "the name of an image").describe("The image, for example node:22-bookworm."),
      pull: z
        .enum(["if-missing", "always"])
        .optional()
        .describe("always: ask the registry even for an image of the runner itself. Default if-missing."),
      auth: FileImageAuth.optional(),
      user: z.union([z.string(), z.int()]).optional().describe("User name or number that the steps run as."),
      entrypoint: z
        .array(z.string())
        .optional()
        .describe("Services only: the program to start instead of the image's; [] starts command itself."),
    }),
  ])
  .meta({ id: "image", description: "A container image: its name, or a mapping." });

export const FileEnv = z
  .record(z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/, expected.variable), FileScalar)
  .meta({
    id: "env",
    description:
      "Environment variables. Values may hold ${{ }}. Names that begin with CI_ belong to the server.",
  });

export const FileRunner = z
  .union([
    z
      .array(
        z
          .string()
          .min(1, "a label such as os=linux")
          .meta({ maxLength: maxLabelChars + 1 }),
      )
      .max(maxLabels),
    z.record(z.string(), FileScalar).meta({ maxProperties: maxLabels }),
  ])
  .meta({
    id: "runner",
    description:
      "Labels that the runner must all have: [os=linux, 'gpu=*'] or { os: linux, gpu: '*' }. With ! before it, a label that it must not have: ['!gpu=*'].",
  });

export const FileShell = z.enum(["sh", "bash", "pwsh", "none"]).meta({
  id: "shell",
  description:
    "Shell for `run`; none: the program in its first line, after #!. Omitted: bash where the image has it, else sh.",
});
export type FileShell = z.infer<typeof FileShell>;

export const FileClone = z
  .union([
    z.literal(false),
    z.strictObject({
      depth: z.int().min(0).optional().describe("Commits of history; 0 is all. Default 50."),
      filter: z.enum(["none", "blob:none", "tree:0"]).optional().describe("Partial clone. Default none."),
      tags: z.boolean().optional().describe("Fetch tags too. Default false."),
      lfs: z.boolean().optional().describe("Fetch large files (LFS). Default false."),
      submodules: z
        .union([z.boolean(), z.literal("recursive")])
        .optional()
        .describe("Fetch submodules too; recursive: and theirs. Default false."),
    }),
  ])
  .meta({ id: "clone", description: "How the commit is checked out; false for an empty workspace." });

export const FileResources = z
  .strictObject({
    cpu: z.number().gt(0, "a number above 0").optional().describe("CPU cores, for example 0.5 or 2."),
    memory: FileSize.optional().describe("Memory limit; more than this ends the job as failed/oom."),
    shm: FileSize.optional().describe("Size of /dev/shm."),
    disk: FileSize.optional().describe("Disk of the job: workspace, logs and all that its containers write."),
  })
  .meta({ id: "resources", description: "Limits of the container; the runner may cap them." });

export const FileRetry = z
  .union([
    z.int().min(0).max(10),
    z.strictObject({
      max: z.int().min(0).max(10).describe("How often to try again."),
      on: z
        .array(
          z.union([
            z.enum(["infra", "image_pull", "service", "timeout", "script"]),
            z
              .string()
              .regex(
                /^exit:[0-9]{1,3}(-[0-9]{1,3})?$/,
                "infra, image_pull, service, timeout, script, exit:<code> or exit:<from>-<to>",
              ),
          ]),
        )
        .min(1)
        .optional()
        .describe("Reasons to try again. Default [infra, image_pull]."),
      delay: FileDuration.optional().describe("Wait before the first retry. Default 5s."),
      factor: z.number().min(1).max(10).optional().describe("Growth of the wait. Default 2."),
      max_delay: FileDuration.optional().describe("Longest wait. Default 5m."),
    }),
  ])
  .meta({ id: "retry", description: "A number (any reason but cancel), or which reasons and how often." });
