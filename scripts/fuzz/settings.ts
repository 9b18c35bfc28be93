/** `schemathesis.toml` of a run: whom it speaks to, what it names, and what it leaves out. */
import type { FuzzSeeds } from "./seed.ts";

/** Operations that would end the run, since they could meet the account or the token that asks. */
const leftOut = {
  revokeToken: "ends the token that asks",
  suspendUser: "suspends the account that asks",
  updateAdministeredUser: "suspends the account that asks, or takes its administration",
};

/** What is valid by itself and still refused, since it names what is not there, or proves nothing. */
const mayRefuse = ["deleteContents", "putContents", "updateTeam", "changePassword", "disableTwoFactor"];
const refusable = 'checks.positive_data_acceptance.expected-statuses = ["2XX", 401, 403, 404, 409, 422, 429]';

/** Every other parameter is whatever schemathesis thinks of. */
export function settingsFile({ caFile, seeds }: { caFile: string; seeds: FuzzSeeds }): string {
  const { owner, repo, spare, org, spareOrg, team, bot, username } = seeds;
  const repository = (name: string) => ({ "path.repo": name });
  const elsewhere: Record<string, Record<string, string>> = {
    deleteRepository: repository(spare.deleted),
    restoreRepository: repository(spare.deleted),
    updateRepository: repository(spare.changed),
    archiveRepository: repository(spare.archived),
    unarchiveRepository: repository(spare.archived),
    requestTransfer: repository(spare.given),
    acceptTransfer: repository(spare.given),
    deleteOrganization: { "path.org": spareOrg },
  };
  return [
    `tls-verify = ${text(caFile)}`,
    'headers = { Authorization = "Bearer ${FORGELINE_FUZZ_TOKEN}" }',
    "request-timeout = 60.0",
    'suppress-health-check = ["all"]',
    "",
    "[generation]",
    'database = ":memory:"',
    // The token above is the credential; made-up cookies beside it would be two at once.
    "with-security-parameters = false",
    // No text of ours may hold NUL (422); that is said once and not in each text's schema.
    "allow-x00 = false",
    "",
    table("parameters", {
      "path.owner": owner,
      "path.repo": repo,
      "path.org": org,
      "path.team": team,
      "path.bot": bot,
      "path.username": username,
    }),
    ...Object.entries(elsewhere).map(([id, parameters]) =>
      operation(id, `parameters = { ${pairs(parameters).join(", ")} }`),
    ),
    // The same Idempotency-Key comes again with another body, besides.
    `[[operations]]\ninclude-method = "POST"\n${refusable}\n`,
    ...[...mayRefuse, "updateRepository"].map((id) => operation(id, refusable)),
    // The team or bot that all are about is not in an organization that was just made.
    `[[operations]]\ninclude-path-regex = ${text("^/orgs/[^/]+/(teams|bots)/")}\n${"checks.ensure_resource_availability.enabled = false"}\n`,
    ...Object.entries(leftOut).map(([id, why]) => operation(id, `enabled = false # ${why}`)),
  ].join("\n");
}

function operation(id: string, setting: string): string {
  return `[[operations]]\ninclude-operation-id = ${text(id)}\n${setting}\n`;
}

function table(name: string, values: Record<string, string>): string {
  return `[${name}]\n${pairs(values).join("\n")}\n`;
}

function pairs(values: Record<string, string>): string[] {
  return Object.entries(values).map(([key, value]) => `${text(key)} = ${text(value)}`);
}

/** A basic string of TOML; its escapes are those of JSON. */
function text(value: string): string {
  return JSON.stringify(value);
}
