/** What somebody is told of what is theirs, and what of all that comes by mail (`docs/notifications.md`). */
import { z } from "zod";
import { idOf, ownerName } from "../core/ids.ts";

/** Of one person. */
export const maxOrganizationAddresses = 100;

export const mailDigests = ["immediately", "hourly", "daily"] as const;
export const weekdays = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"] as const;
export type Weekday = (typeof weekdays)[number];

const time = z
  .string()
  .regex(/^([01][0-9]|2[0-3]):[0-5][0-9]$/, "A time as HH:MM.")
  .meta({ examples: ["08:00"] });

export const QuietHours = z
  .strictObject({
    from: time.describe("`HH:MM`.").meta({ examples: ["19:00"] }),
    to: time.describe("`HH:MM`; if it is not after `from`, that time on the next day."),
    days: z
      .array(z.enum(weekdays))
      .min(1)
      .max(weekdays.length)
      .refine((days) => new Set(days).size === days.length, "Each day once.")
      .describe("The days on which they begin."),
  })
  .meta({ id: "QuietHours" });
export type QuietHours = z.infer<typeof QuietHours>;

/** When mails are sent; of people, and of what teams share. */
export const mailTimes = {
  digest: z
    .enum(mailDigests)
    .describe("`immediately`: one mail for each event; `hourly`, `daily`: one for all since the last."),
  digest_at: time.describe("When a daily one is sent, `HH:MM`. At first: 08:00."),
  time_zone: z
    .string()
    .min(1)
    .max(64)
    .describe("IANA name of the zone of these times. At first: UTC.")
    .meta({ examples: ["Europe/Berlin"] }),
  quiet_hours: QuietHours.nullable().describe(
    "What would be sent in this time is sent at its end, together; null: there are none.",
  ),
};

export const OrganizationAddress = z
  .strictObject({
    organization: ownerName.describe("Name of the organization.").meta({ examples: ["analytical"] }),
    email_id: idOf("eml").describe("A verified address of yours."),
  })
  .meta({ id: "OrganizationAddress" });
export type OrganizationAddress = z.infer<typeof OrganizationAddress>;

const fields = {
  mail_participating: z
    .boolean()
    .describe("Mails of what involves you: every reason but `watching`. At first: true."),
  mail_watching: z.boolean().describe("Mails of repositories that you watch. At first: true."),
  email_id: idOf("eml")
    .nullable()
    .describe("The verified address of yours that they go to; null: the primary one."),
  organization_addresses: z
    .array(OrganizationAddress)
    .max(maxOrganizationAddresses)
    .refine(
      (all) => new Set(all.map(({ organization }) => organization.toLowerCase())).size === all.length,
      "Each organization once.",
    )
    .describe(
      "Where mails about repositories of single organizations go instead; `email_id` is for all others. What is given replaces all of them.",
    ),
  ...mailTimes,
  auto_watch: z
    .boolean()
    .describe("Whether you watch repositories that you create or are given. At first: true."),
};

export const NotificationSettings = z.object(fields).meta({ id: "NotificationSettings" });
export type NotificationSettings = z.infer<typeof NotificationSettings>;

export const NotificationSettingsUpdate = z
  .strictObject(fields)
  .partial()
  .meta({
    id: "NotificationSettingsUpdate",
    examples: [{ digest: "daily", digest_at: "17:30", time_zone: "Europe/Berlin" }],
  });
export type NotificationSettingsUpdate = z.infer<typeof NotificationSettingsUpdate>;
