/** Parts of rules for branches and of rules for tags. */
import { z } from "zod";
import { displayText } from "./display-text.ts";

export const PushLevel = z.enum(["write", "maintain", "admin", "none"]).meta({ id: "PushLevel" });
export type PushLevel = z.infer<typeof PushLevel>;

/** It is shown to whoever pushes, on a terminal. */
export const refPattern = displayText(100)
  .min(1)
  .regex(/^(?!!)/, "A rule cannot exclude: a pattern must not begin with `!`.")
  .regex(/^(?!refs\/)/, "A pattern matches the short name, without `refs/heads/` or `refs/tags/`.")
  .describe(
    "Glob on the short name, in which case matters: `*` any characters but `/`, `**` any, `?` one but `/`, `\\` takes the next character as it is.",
  );

const maxNamed = 50;
/** Names of users and bots, to be shown. */
export const userNames = z.array(z.string());
/** Names of users and bots, as they come in. */
export const wantedUserNames = z
  .array(z.string().min(1).max(201))
  .max(maxNamed)
  .describe(
    "Users and bots that are also allowed, regardless of their level; each must have write access here.",
  );
export const teamNames = z
  .array(z.string())
  .describe("`<org>/<team>`; secret teams are shown only to users who can see them.");
export const wantedTeamNames = z
  .array(z.string().min(1).max(2121))
  .max(maxNamed)
  .describe(
    "Teams of the owning organization, as `<org>/<team>`, whose members and those of teams below may besides, where they can write here.",
  );
