/** A user as records of others name one: what a page needs to show who it was. */
import { z } from "zod";
import { idOf } from "../core/ids.ts";

export const Person = z
  .object({
    id: idOf("usr"),
    username: z.string(),
    name: z.string().describe("Display name; empty when none is set."),
    avatar_url: z.string(),
    type: z.enum(["user", "bot"]),
    url: z.string(),
    web_url: z.string(),
  })
  .meta({ id: "Person" });
export type Person = z.infer<typeof Person>;
