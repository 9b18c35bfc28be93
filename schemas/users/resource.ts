/** People and bots as the REST interface shows them. */
import { z } from "zod";
import { idOf } from "../core/ids.ts";
import { timestamp } from "../core/time.ts";

const shared = {
  id: idOf("usr"),
  username: z.string(),
  name: z.string().describe("Display name; empty when none is set."),
  avatar_url: z.string(),
  type: z.enum(["user", "bot"]),
  url: z.string().describe("Address of this record in the API."),
  web_url: z.string(),
  created_at: timestamp,
  updated_at: timestamp,
};

export const User = z.object(shared).meta({ id: "User" });
export type User = z.infer<typeof User>;

/** What a user sees of the own account. */
export const OwnUser = z
  .object({
    ...shared,
    email: z.string(),
    plan: z.enum(["free", "pro", "organization", "enterprise"]),
    two_factor_enabled: z.boolean(),
  })
  .meta({ id: "OwnUser" });
export type OwnUser = z.infer<typeof OwnUser>;
