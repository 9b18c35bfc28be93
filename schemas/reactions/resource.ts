/** Reactions to texts: one sign of a fixed set. */
import { z } from "zod";
import { timestamp } from "../core/time.ts";
import { Person } from "../users/person.ts";

export const reactionNames = ["+1", "-1", "laugh", "hooray", "confused", "heart", "rocket", "eyes"] as const;
export const ReactionName = z.enum(reactionNames);
export type ReactionName = z.infer<typeof ReactionName>;

const count = z.number().int();

/** In the record of each text. */
export const Reactions = z
  .object({
    total_count: count,
    "+1": count,
    "-1": count,
    laugh: count,
    hooray: count,
    confused: count,
    heart: count,
    rocket: count,
    eyes: count,
    viewer: z.array(ReactionName).describe("Those of the caller."),
  })
  .meta({ id: "Reactions" });
export type Reactions = z.infer<typeof Reactions>;

export const Reaction = z
  .object({ name: ReactionName, user: Person, created_at: timestamp })
  .meta({ id: "Reaction" });
export type Reaction = z.infer<typeof Reaction>;

export const ReactionCreate = z
  .strictObject({ name: ReactionName })
  .meta({ id: "ReactionCreate", examples: [{ name: "heart" }] });
