/** Words of what somebody gets by mail. */
import type { Schemas } from "@forgeline/client/schemas.ts";

type Settings = Schemas["NotificationSettings"];

export const text = {
  title: "Notifications",
  lead: "What comes into your inbox can come by mail, too. What you do yourself is never mailed to you.",
  repositories: "Repositories",
  autoWatch: "Watch repositories that I create or am given",
  autoWatchHint: "You are told of everything in them. Those that you have already stay as they are.",
  which: "Mails",
  participating: "Of what involves you",
  participatingHint: "You are named, assigned or asked, you take part, or you subscribed.",
  watching: "Of repositories that you watch",
  address: "To",
  primary: (address: string | undefined) =>
    address === undefined ? "Your primary address (you have none yet)" : `Your primary address (${address})`,
  organizations: "Addresses for organizations",
  organizationsHint: "Mails about repositories of an organization can go to another address of yours.",
  usualAddress: "As all others",
  noAddress: "Nothing is sent until you have a confirmed address.",
  addAddress: "Your e-mail addresses",
  when: "When",
  digest: "Send",
  digests: {
    immediately: "One mail for each event",
    hourly: "One mail an hour with all that happened",
    daily: "One mail a day with all that happened",
  } satisfies Record<Settings["digest"], string>,
  digestAt: "Daily at",
  timeForm: "Hours and minutes, such as 08:00",
  timeZone: "Time zone",
  timeZoneHint: "For example Europe/Berlin.",
  quiet: "Quiet hours",
  quietOn: "Send nothing at certain hours",
  quietHint: "What happens then is sent at their end, in one mail.",
  from: "From",
  to: "Until",
  toHint: "If it is not after the beginning: on the next day.",
  days: "Beginning on",
  day: {
    mon: "Monday",
    tue: "Tuesday",
    wed: "Wednesday",
    thu: "Thursday",
    fri: "Friday",
    sat: "Saturday",
    sun: "Sunday",
  } satisfies Record<NonNullable<Settings["quiet_hours"]>["days"][number], string>,
} as const;
