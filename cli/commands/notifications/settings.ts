/** `forgeline notification settings`: what you get by mail, and when. */
import { Option, type Command } from "commander";
import type { ForgelineClient } from "@forgeline/client/client.ts";
import { mailDigests, weekdays } from "@forgeline/client/generated/choices.ts";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { valueOf } from "../../connection/api.ts";
import { contextOf } from "../../context.ts";
import { omitUndefined } from "../../options/omit-undefined.ts";
import { collectPair } from "../../options/pairs.ts";
import { renderFields } from "../../output/fields.ts";
import { emailId, organizationAddresses, shownAddresses } from "./addresses.ts";
import { quietHours } from "./quiet-hours.ts";

type Settings = Schemas["NotificationSettings"];
type Update = Schemas["NotificationSettingsUpdate"];
type Email = Schemas["Email"];

interface SettingsOptions {
  participating?: "on" | "off";
  watching?: "on" | "off";
  autoWatch?: "on" | "off";
  email?: string;
  orgEmail?: Record<string, string>;
  digest?: Settings["digest"];
  at?: string;
  timeZone?: string;
  quiet?: string;
  quietDays?: string;
}

export function addSettings(notification: Command): void {
  const onOrOff = (flags: string, description: string) =>
    new Option(flags, description).choices(["on", "off"]);
  notification
    .command("settings")
    .description("Show what you get by mail and watch by itself, or change it with options")
    .addOption(onOrOff("--participating <choice>", "mails of what involves you"))
    .addOption(onOrOff("--watching <choice>", "mails of repositories that you watch"))
    .addOption(onOrOff("--auto-watch <choice>", "watch repositories that you create or are given"))
    .option("--email <address>", "a verified address of yours, or `primary`")
    .option(
      "--org-email <org=address>",
      "a verified address of yours for mails of one organization, or `usual`; may be repeated",
      collectPair,
    )
    .addOption(
      new Option("--digest <when>", "a mail for each event, or one for all since the last").choices(
        mailDigests,
      ),
    )
    .option("--at <hh:mm>", "when a daily digest is sent")
    .option("--time-zone <name>", "of these times, such as Europe/Berlin")
    .option("--quiet <from-to>", "hours in which nothing is sent, such as 22:00-07:00, or `off`")
    .option("--quiet-days <days>", `on which they begin: ${weekdays.join(",")}; all if left out`)
    .action(settings);
}

async function settings(options: SettingsOptions, command: Command): Promise<void> {
  const { api, print } = await contextOf(command);
  const emails = await valueOf(api.GET("/user/emails", { params: { query: { per_page: 100 } } }));
  const known = await valueOf(api.GET("/user/notification-settings"));
  const body = changesOf(options, { known, emails });
  const found = Object.keys(body).length === 0 ? known : await change(api, body);
  print(found, () => renderSettings(found, emails));
}

function change(api: ForgelineClient, body: Update): Promise<Settings> {
  return valueOf(api.PATCH("/user/notification-settings", { body }));
}

function changesOf(
  options: SettingsOptions,
  { known, emails }: { known: Settings; emails: readonly Email[] },
): Update {
  const { digest, at, timeZone, participating, watching, autoWatch } = options;
  return omitUndefined({
    mail_participating: participating && participating === "on",
    mail_watching: watching && watching === "on",
    auto_watch: autoWatch && autoWatch === "on",
    email_id: emailId(options.email, emails),
    organization_addresses:
      options.orgEmail && organizationAddresses(options.orgEmail, known.organization_addresses, emails),
    digest,
    digest_at: at,
    time_zone: timeZone,
    quiet_hours: quietHours(options),
  });
}

function renderSettings(found: Settings, emails: readonly Email[]): string {
  const address = emails.find(({ id, primary }) =>
    found.email_id === null ? primary : id === found.email_id,
  );
  const quiet = found.quiet_hours;
  return renderFields([
    ["what involves you", found.mail_participating ? "on" : "off"],
    ["what you watch", found.mail_watching ? "on" : "off"],
    ["address", address?.email ?? "none: nothing is sent"],
    ["of organizations", shownAddresses(found.organization_addresses, emails)],
    ["digest", found.digest === "daily" ? `daily at ${found.digest_at}` : found.digest],
    ["quiet hours", quiet ? `${quiet.from}-${quiet.to}, ${quiet.days.join(", ")}` : "none"],
    ["time zone", found.time_zone],
    ["watch new repositories of yours", found.auto_watch ? "on" : "off"],
  ]);
}
