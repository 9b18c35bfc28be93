/** Mails of the instance, as administrators see them. */
import { z } from "zod";
import { idOf } from "../core/ids.ts";
import { timestamp } from "../core/time.ts";

export const Mail = z
  .object({
    id: idOf("mail"),
    kind: z.string(),
    to: z.string(),
    subject: z.string(),
    text: z.string().nullable().describe("Null once the mail was handed to the mail server."),
    state: z
      .enum(["kept", "waiting", "sent", "failed"])
      .describe("`kept`: no mail server is configured; the mail stays here for seven days."),
    attempts: z.number().int(),
    error: z.string().nullable().describe("The last response of the mail server."),
    url: z.string(),
    web_url: z.string(),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: "Mail" });
export type Mail = z.infer<typeof Mail>;
