/** Where that goes which concerns a team as a team (`docs/notifications.md`). */
import { z } from "zod";
import { timestamp } from "../core/time.ts";
import { QuietHours, mailTimes } from "../notifications/settings.ts";
import { emailAddress } from "../users/resource.ts";

/** For which reasons a team is told. */
export const teamReasons = ["team_mention", "review_requested"] as const;
export type TeamReason = (typeof teamReasons)[number];

export const routingTargets = ["members", "address", "webhook", "nobody"] as const;
export type RoutingTarget = (typeof routingTargets)[number];

export const maxRoutingRules = 20;

const events = z
  .array(z.enum(teamReasons))
  .min(1)
  .max(teamReasons.length)
  .nullable()
  .describe(
    "`team_mention`: a text names the team; `review_requested`: the team is asked for a review; null: both.",
  );
const to = z
  .enum(routingTargets)
  .describe(
    "`members`: each member's inbox; `address`: the shared address; `webhook`: the event `team_notification` of the organization's webhooks; `nobody`.",
  );

export const RoutingRule = z
  .object({
    events,
    repositories: z
      .array(z.string())
      .nullable()
      .describe("Names of repositories of the organization; null: all that the team reads."),
    to,
  })
  .meta({ id: "RoutingRule" });
export type RoutingRule = z.infer<typeof RoutingRule>;

const RoutingRuleSet = z
  .strictObject({
    events: events.default(null),
    repositories: z
      .array(z.string().min(1).max(100))
      .min(1)
      .max(100)
      .nullable()
      .default(null)
      .describe(
        "Names of repositories of the organization that the team reads; null: all that the team reads.",
      )
      .meta({ examples: [["api"]] }),
    to,
  })
  .meta({ id: "RoutingRuleSet" });

export const TeamRouting = z
  .object({
    rules: z.array(RoutingRule).describe("The first one that fits decides; if none does: `members`."),
    address: z
      .object({
        email: z.string(),
        state: z
          .enum(["unconfirmed", "confirmed", "unsubscribed"])
          .describe(
            "Mails go there only while it is `confirmed`; otherwise members are told. `unconfirmed` also where whoever had it asked manages the team no more.",
          ),
      })
      .nullable()
      .describe("The shared address of the team."),
    ...mailTimes,
    updated_at: timestamp.nullable().describe("null: nobody has set it yet."),
  })
  .meta({ id: "TeamRouting" });
export type TeamRouting = z.infer<typeof TeamRouting>;

export const TeamRoutingSet = z
  .strictObject({
    rules: z
      .array(RoutingRuleSet)
      .max(maxRoutingRules)
      .describe("In their order: the first one that fits decides."),
    address: emailAddress
      .nullable()
      .default(null)
      .describe(
        "The shared address, or null. A new one gets a mail with a link that confirms it, valid for three days.",
      ),
    resend_confirmation: z
      .boolean()
      .default(false)
      .describe("Sends that mail again to an address that is not confirmed."),
    digest: mailTimes.digest.default("immediately"),
    digest_at: mailTimes.digest_at.default("08:00"),
    time_zone: mailTimes.time_zone.default("UTC"),
    quiet_hours: QuietHours.nullable()
      .default(null)
      .describe("What would be sent to the address in this time is sent at its end, together."),
  })
  .meta({
    id: "TeamRoutingSet",
    examples: [
      {
        rules: [
          { events: ["team_mention"], repositories: ["api"], to: "address" },
          { events: null, repositories: null, to: "members" },
        ],
        address: "core@example.org",
        digest: "hourly",
      },
    ],
  });
export type TeamRoutingSet = z.infer<typeof TeamRoutingSet>;
