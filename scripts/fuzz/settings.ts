/** `schemathesis.toml` of a run: whom it speaks to, what it names, and what it does not ask. */
import type { FuzzSeeds } from "./seed.ts";

/** Of whatever else it met, the account and the token that ask would end the run: fixed values, and no chains of calls. */
const dangerous = ["revokeToken", "suspendUser", "updateAdministeredUser"];

/** After the call with a token their subject is gone, for whoever asks without one too. */
const onceOnly = ["deleteRepository", "restoreRepository"];

/**
 * What JSON Schema allows and a rule it cannot tell refuses: names that are not there or are taken words, secrets that prove
 * nothing, an `Idempotency-Key` that comes again with another body, pages beyond the last one that can be read.
 */
const mayRefuse = ["deleteContents", "setSso", "disableTwoFactor", "searchIssues", "searchMergeRequests"];
const checkable = 'checks.positive_data_acceptance.expected-statuses = ["2XX", 400, 401, 403, 404, 429]';
const refusable = 'checks.positive_data_acceptance.expected-statuses = ["2XX", 401, 403, 404, 409, 422, 429]';

export interface FuzzSettings {
  caFile: string;
  seeds: FuzzSeeds;
  /** Which values the coverage phase tries; `all` are the wrong ones too. */
  coverage: "positive" | "all";
}

/** Every other parameter is whatever schemathesis thinks of. */
// oxlint-disable-next-line house/max-own-lines -- a file from top to bottom, as it is read
export function settingsFile({ caFile, seeds, coverage }: FuzzSettings): string {
  const { owner, repo, spare, org, spareOrg, team, bot, username, spareToken } = seeds;
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
    revokeToken: { "path.id": spareToken },
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
    "[phases.coverage.generation]",
    `mode = ${text(coverage)}`,
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
      // Whatever was just made, these are about another.
      operation(
        id,
        `parameters = { ${pairs(parameters).join(", ")} }\nchecks.ensure_resource_availability.enabled = false`,
      ),
    ),
    `[[operations]]\ninclude-method = ["POST", "PUT", "PATCH"]\n${refusable}\n`,
    ...mayRefuse.map((id) => operation(id, refusable)),
    // The team or bot that all are about is not in an organization that was just made; a repeated Idempotency-Key answers
    // with a branch or tag that was deleted since.
    `[[operations]]\ninclude-path-regex = ${text("^/orgs/[^/]+/(teams|bots)/|/(branches|tags)/")}\n${"checks.ensure_resource_availability.enabled = false"}\n`,
    // Their cursors are only taken from where they were given.
    `[[operations]]\ninclude-path-regex = ${text("/(audit-log/verify|admin/work|logs/search)$")}\n${checkable}\n`,
    ...onceOnly.map((id) => operation(id, "checks.ignored_auth.enabled = false")),
    ...dangerous.map((id) => operation(id, "phases.stateful.enabled = false")),
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
