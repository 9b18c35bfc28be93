/** Repositories whose jobs may be privileged: root on the machine of a runner that takes such jobs. */
import { z } from "zod";
import { timestamp } from "../core/time.ts";

export const PrivilegedRepository = z
  .object({
    owner: z.string(),
    name: z.string(),
    full_name: z.string(),
    allowed_by: z.string().nullable().describe("User name; null if the user was deleted."),
    allowed_at: timestamp,
  })
  .meta({ id: "PrivilegedRepository" });
export type PrivilegedRepository = z.infer<typeof PrivilegedRepository>;
