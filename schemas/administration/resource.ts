/** Accounts and announcements as administrators of the instance see and change them. */
import { z } from "zod";
import { displayText } from "../core/display-text.ts";
import { idOf } from "../core/ids.ts";
import { Plan } from "../core/plans.ts";
import { givenTime, timestamp } from "../core/time.ts";

export const AdministeredUser = z
  .object({
    id: idOf("usr"),
    username: z.string(),
    name: z.string(),
    email: z.string().describe("Verified; empty without a verified address."),
    type: z.enum(["user", "bot"]),
    plan: Plan,
    admin: z.boolean(),
    suspended: z.boolean(),
    two_factor_enabled: z.boolean(),
    url: z.string().describe("Address of this record in the API."),
    web_url: z.string(),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: "AdministeredUser" });
export type AdministeredUser = z.infer<typeof AdministeredUser>;

export const AdministeredUserUpdate = z
  .strictObject({
    suspended: z
      .boolean()
      .optional()
      .describe("`true` ends all sessions and rejects all credentials immediately."),
    admin: z.boolean().optional().describe("Whether the user is an administrator of the instance."),
    plan: Plan.optional(),
  })
  .meta({ id: "AdministeredUserUpdate", examples: [{ plan: "pro" }] });
export type AdministeredUserUpdate = z.infer<typeof AdministeredUserUpdate>;

export const PlanUpdate = z
  .strictObject({ plan: Plan })
  .meta({ id: "PlanUpdate", examples: [{ plan: "pro" }] });

const announced = {
  id: idOf("ann"),
  message: z.string(),
  level: z.enum(["info", "warning"]),
  starts_at: timestamp,
  ends_at: timestamp.nullable().describe("Null: until it is deleted."),
};
/** As everybody sees it in `GET /meta`. */
export const ShownAnnouncement = z.object(announced).meta({ id: "ShownAnnouncement" });

export const Announcement = z
  .object({
    ...announced,
    url: z.string().describe("Address of this record in the API."),
    web_url: z.string(),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: "Announcement" });
export type Announcement = z.infer<typeof Announcement>;

export const AnnouncementCreate = z
  .strictObject({
    message: displayText(1000).regex(/\S/, "must not be blank"),
    level: z.enum(["info", "warning"]).default("info"),
    starts_at: givenTime.optional().describe("Default: now."),
    ends_at: givenTime.optional().describe("Default: when it is deleted."),
  })
  .meta({
    id: "AnnouncementCreate",
    examples: [{ message: "Maintenance on Sunday at 6:00 UTC", level: "warning" }],
  });
export type AnnouncementCreate = z.infer<typeof AnnouncementCreate>;
