/** Mistakes in what apps are given. */
import type { Mutant } from "./mutant.ts";

const tokens = "test/integration/api/oauth/tokens.test.ts";
const authorize = "test/integration/api/oauth/authorize.test.ts";

export const oauth: readonly Mutant[] = [
  {
    name: "oauth-code-minute",
    promise: "Security 57: a code works for a minute.",
    file: "server/domains/accounts/oauth/tokens.ts",
    find: "fits && !code.expired && !grant.suspended",
    replace: "fits && !grant.suspended",
    tests: [tokens],
  },
  {
    name: "oauth-verifier-without-challenge",
    promise: "Security 58: a challenge that somebody took out of the request does not go unseen.",
    file: "server/domains/accounts/oauth/tokens.ts",
    find: "return challenge === null && verifier === undefined;",
    replace: "return challenge === null;",
    tests: [tokens],
  },
  {
    name: "oauth-refresh-ends",
    promise: "A refresh token works for 180 days.",
    file: "server/domains/accounts/oauth/tokens.ts",
    find: "if (row.expired || grant.suspended) return badRefreshToken();",
    replace: "if (grant.suspended) return badRefreshToken();",
    tests: [tokens],
  },
  {
    name: "oauth-refresh-narrower",
    promise: "Security 59: a refreshed token has at most the scopes of the first.",
    file: "server/domains/accounts/oauth/tokens.ts",
    find: "scopes.every((scope) => held.includes(scope))",
    replace: "scopes.some((scope) => held.includes(scope))",
    tests: [tokens],
  },
  {
    name: "oauth-other-app",
    promise: "Security 57: codes and refresh tokens are worth nothing to another app.",
    file: "server/domains/accounts/oauth/tokens.ts",
    find: "return grant?.app_id === client.id ? grant : undefined;",
    replace: "return grant;",
    tests: [tokens],
  },
  {
    name: "oauth-address-taken-away",
    promise: "A code that was sent to an address which the app has no more is worth nothing.",
    file: "server/domains/accounts/oauth/tokens.ts",
    find: "    client.redirect_uris.includes(redirectUri) &&\n",
    replace: "",
    tests: ["test/integration/api/oauth/edit-apps.test.ts"],
  },
  {
    name: "oauth-reuse-ends-all",
    promise: "Security 57: the second use of a code ends what the first gave.",
    file: "server/domains/accounts/oauth/tokens.ts",
    find: `await endFamily(
        tx,
        { client, grant, request },
        { familyId: code.family_id, action: "oauth.code_reuse" },
      );`,
    replace: `await recordEnd(tx, { client, grant, request }, "oauth.code_reuse");`,
    tests: [tokens],
  },
  {
    name: "oauth-one-way-to-prove",
    promise: "An app proves itself by header or form, and not by both.",
    file: "server/domains/accounts/oauth/client-auth.ts",
    find: `if (form.has("client_secret") || (form`,
    replace: `if ((form`,
    tests: [tokens],
  },
  {
    name: "oauth-s256-only",
    promise: "Security 58: a challenge counts with S256 only.",
    file: "server/domains/accounts/oauth/authorize-request.ts",
    find: `(method !== "S256" || !/^`,
    replace: `(!/^`,
    tests: [authorize],
  },
  {
    name: "oauth-page-not-framed",
    promise: "Security 60: no page of somebody else shows the consent page in a frame.",
    file: "server/platform/http/page-answer.ts",
    find: "; frame-ancestors 'none'",
    replace: "",
    tests: [authorize],
  },
];
