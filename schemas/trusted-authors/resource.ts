/** People whose merge requests from forks run without being asked about. */
import { z } from "zod";
import { idOf } from "../core/ids.ts";
import { timestamp } from "../core/time.ts";

/** After so long somebody has to say it again. */
export const trustDays = 90;

const person = z.object({ id: idOf("usr"), username: z.string() });

export const TrustedAuthor = z
  .object({
    user: person,
    trusted_by: person.nullable().describe("Who said so; null: the account was deleted."),
    trusted_at: timestamp,
    expires_at: timestamp.describe(`${trustDays} days after it was said last.`),
  })
  .meta({ id: "TrustedAuthor" });
export type TrustedAuthor = z.infer<typeof TrustedAuthor>;
