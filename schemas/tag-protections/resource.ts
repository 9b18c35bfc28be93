/** Rules that say who may create which tags. A protected tag is never moved or deleted. */
import { z } from "zod";
import { idOf } from "../core/ids.ts";
import {
  PushLevel,
  refPattern,
  teamNames,
  userNames,
  wantedTeamNames,
  wantedUserNames,
} from "../core/ref-rules.ts";
import { timestamp } from "../core/time.ts";

const createLevel = PushLevel.describe(
  "Lowest level that may create such a tag; `none`: only the users and teams the rule names.",
);

export const TagProtection = z
  .object({
    id: idOf("prot"),
    pattern: z.string(),
    create_level: createLevel,
    create_users: userNames,
    create_teams: teamNames,
    url: z.string(),
    web_url: z.string(),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: "TagProtection" });
export type TagProtection = z.infer<typeof TagProtection>;

export const TagProtectionCreate = z
  .strictObject({
    pattern: refPattern,
    create_level: createLevel.default("maintain"),
    create_users: wantedUserNames.default([]),
    create_teams: wantedTeamNames.default([]),
  })
  .meta({ id: "TagProtectionCreate", examples: [{ pattern: "v*", create_level: "maintain" }] });
export type TagProtectionCreate = z.output<typeof TagProtectionCreate>;

export const TagProtectionUpdate = z
  .strictObject({
    pattern: refPattern.optional(),
    create_level: createLevel.optional(),
    create_users: wantedUserNames.optional(),
    create_teams: wantedTeamNames.optional(),
  })
  .meta({ id: "TagProtectionUpdate", examples: [{ create_level: "admin" }] });
export type TagProtectionUpdate = z.output<typeof TagProtectionUpdate>;
