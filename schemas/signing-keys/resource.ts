/** Keys that sign what jobs will execute. The private halves never leave the server. */
import { z } from "zod";
import { idOf } from "../core/ids.ts";
import { timestamp } from "../core/time.ts";

/** Of the instance, and of one repository: enough to replace one without a gap. Each costs every job a signature. */
export const maxSigningKeys = 4;

export const SigningKey = z
  .object({
    id: idOf("sgk"),
    repository: z.string().nullable().describe("Whose jobs it signs; null: those of every repository."),
    public_key: z.string().describe("Ed25519, the 32 bytes in base64."),
    trusted_line: z
      .string()
      .describe("The line that makes a runner trust it, for `FORGELINE_RUNNER_TRUSTED_KEYS`."),
    created_by: z.string().nullable().describe("Username; null when the account no longer exists."),
    url: z.string(),
    web_url: z.string(),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: "SigningKey" });
export type SigningKey = z.infer<typeof SigningKey>;
