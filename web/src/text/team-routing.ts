/** Words of where notifications of a team go. */
import type { Schemas } from "@forgeline/client/schemas.ts";

type Rule = Schemas["RoutingRule"];
type State = NonNullable<Schemas["TeamRouting"]["address"]>["state"];

export const text = {
  title: "Notifications",
  titleOf: (team: string) => `Notifications of ${team}`,
  lead: "What concerns the team as a whole. Whoever is named, assigned or asked in person is told in any case.",
  rules: "Rules",
  rulesLead: "The first rule that fits decides. If none fits, each member is told.",
  noRules: "No rules: each member is told.",
  rule: (number: number) => `Rule ${number}`,
  target: "Tell",
  targets: {
    members: "Each member",
    address: "The shared address",
    webhook: "Webhooks of the organization",
    nobody: "Nobody",
  } satisfies Record<Rule["to"], string>,
  targetHint:
    "Webhooks get the event team_notification, where an owner chose it. Where the address or the webhooks cannot be told, each member is.",
  events: "When",
  event: {
    team_mention: "A text mentions the team",
    review_requested: "The team is asked for a review",
  } satisfies Record<NonNullable<Rule["events"]>[number], string>,
  repositories: "In these repositories",
  repositoriesHint: "Names, separated by commas. Empty: in all that the team reads.",
  everywhere: "all repositories",
  addRule: "Add a rule",
  removeRule: (number: number) => `Remove rule ${number}`,
  moveUp: (number: number) => `Move rule ${number} up`,
  address: "Shared address",
  addressHint:
    "Whoever reads there confirms it by a link first. Mails have titles and links, no texts. Empty: none.",
  noAddress: "None",
  states: {
    unconfirmed: "Nobody has confirmed it yet: until then, members are told.",
    confirmed: "Confirmed",
    unsubscribed: "Somebody ended mails to it: members are told instead.",
  } satisfies Record<State, string>,
  resend: "Send the link again",
  resent: "A mail with a link is on its way.",
  times: "Mails to the shared address",
  save: "Save",
  saved: "Saved.",
  sending: "Sent",
} as const;
