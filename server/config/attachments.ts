/** Settings of the configuration about files that belong to texts. */
import { z } from "zod";

const bytes = (text: string, standard: number) =>
  z.coerce.number().int().min(1).default(standard).describe(text);

export const attachmentSettings = {
  FORGELINE_ATTACHMENT_MAX_BYTES: bytes("Maximum size of one attachment, in bytes.", 26_214_400),
  FORGELINE_ATTACHMENT_PLACE_BYTES: bytes(
    "Maximum size of all attachments of one repository, or of one team, in bytes.",
    5_368_709_120,
  ),
  FORGELINE_ATTACHMENT_SCAN: z
    .string()
    .regex(
      /^\/\S+( \S+)*$/,
      "must be the absolute path of a program, then its arguments, with one space between",
    )
    .optional()
    .describe(
      "Program that looks for viruses in each attachment, with its arguments, such as `/usr/bin/clamdscan --no-summary -`. It gets the file on standard input, without a shell, and exits with 0 if the file is clean and with 1 if it is to be refused; uploads fail while it does anything else or takes longer than a minute. Unset: nothing is scanned.",
    ),
};

type AttachmentEnvironment = z.infer<z.ZodObject<typeof attachmentSettings>>;

export interface AttachmentLimits {
  maxBytes: number;
  /** Of all of one repository or team. */
  placeBytes: number;
  /** Program and arguments; undefined: nothing is scanned. */
  scan: readonly string[] | undefined;
}

export function toAttachmentLimits(env: AttachmentEnvironment): AttachmentLimits {
  return {
    maxBytes: env.FORGELINE_ATTACHMENT_MAX_BYTES,
    placeBytes: env.FORGELINE_ATTACHMENT_PLACE_BYTES,
    scan: env.FORGELINE_ATTACHMENT_SCAN?.split(" "),
  };
}
