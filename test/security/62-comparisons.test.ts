/**
 * No secret is compared letter by letter: what is stored is a hash that is looked up, or compared with `timingSafeEqual`.
 * Every `===` in the sources with something named like a secret is found here, and is one of those that are none.
 */
import { globSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";

const name = String.raw`[\w.?!\[\]()]*(?:secret|token|hash|digest|signature|hmac|password|otp|csrf|credential|ticket|challenge|verifier)\w*(?:\([^()]*\))*`;
const comparison = new RegExp(
  String.raw`(?:\b(${name})\s*[!=]==?\s*([^\s;,)]+))|(?:([^\s(;,]+)\s*[!=]==?\s*(${name}))`,
  "gi",
);
/** Compared with these, something is only asked whether it is there at all, or of which kind. */
const nothing = /^(?:undefined|null|""|0|"[\w-]*"|true|false)$/;

/** By file and what is compared: none of them is a secret. */
const harmless: Record<string, string> = {
  "server/domains/collaboration/suggestions/edits.ts located.digest digest":
    "of a suggestion, which everybody who may ask is shown",
  "server/domains/collaboration/suggestions/located.ts each.digest digest": "as above",
  "runner/signed-jobs/verify-job.ts hash statement.changedPathsHash":
    "of paths that the server sent; the signature was checked before",
  "server/platform/credentials/credential.ts -8) checksum(token":
    "whether what was sent is mistyped; both are of what was sent",
  "runner/connection/link.ts close.code closeCodes.credential": "numbers of WebSocket's",
  'server/domains/accounts/oauth/tokens.ts update(verifier).digest("base64url") challenge':
    "PKCE: what was public from the start",
  'runner/artifacts/fetch-artifacts.ts update(bytes).digest("hex") parts[number]':
    "a checksum of what was fetched, which the runner was told",
  "server/domains/operation/audit/checkpoints.ts found hash":
    "hashes of entries, which everybody who may ask is shown",
  "server/domains/operation/audit/checkpoints.ts anchor.hash hash": "as above",
  "server/domains/operation/audit/anchors.ts open.hash before": "as above",
  "server/domains/operation/audit/anchors.ts one.hash other.before": "as above",
  "server/domains/operation/audit/verify.ts before last.hash": "as above",
  "server/domains/operation/audit/verify.ts head.hash until.hash": "as above",
  "server/domains/operation/audit/verify.ts row.start_hash from.hash": "as above",
  'server/domains/hosting/lfs/verified-stream.ts hash.digest("hex") expected.oid':
    "of what was sent, and what it was said to be",
  'runner/workspace/lfs/fetch-lfs.ts hash.digest("hex") oid':
    "of what was fetched, and what it was asked for as",
  "server/domains/accounts/identity/resume.ts credential nobody": "the word for none",
  'launcher/backup/restore.ts hash.digest("hex") manifest.list_sha256':
    "of the list of files, and what the manifest says of it",
  "server/domains/accounts/identity/service.ts entry.actor.tokenId tokenId": "identifiers",
  'server/platform/access/requirement.ts requirement.limitedTokens "allowed"': "a word of contracts",
  "server/edges/watch/hub.ts c.access.credentialId tokenId": "identifiers",
  "server/edges/shells/hub.ts viewer.credentialId id": "identifiers",
};

async function comparisons(): Promise<string[]> {
  const found: string[] = [];
  for (const file of globSync("{server,runner,launcher}/**/*.ts", {
    // What is generated for the runner is nothing but bytes in one long word.
    exclude: (path) => path === "node_modules" || path === "generated",
  })) {
    const text = (await readFile(file, "utf8")).replaceAll(/\/\*[\s\S]*?\*\/|(?<=\s)\/\/.*$/gm, "");
    for (const [, a, b, c, d] of text.matchAll(comparison)) {
      const [left = "", right = ""] = a === undefined ? [c, d] : [a, b];
      if (!nothing.test(left) && !nothing.test(right)) found.push(`${file} ${left} ${right}`);
    }
  }
  return found;
}

test("the sources compare no secret with ===", async () => {
  expect((await comparisons()).filter((line) => !(line in harmless))).toEqual([]);
});

test("the rule sees what it is for", () => {
  const bad = [
    "if (token === given) {",
    "a.secret_hash !== hashToken(b)",
    "return digest == expected;",
    "x === row.csrfToken",
  ];
  for (const line of bad) expect([line, [...line.matchAll(comparison)].length]).toEqual([line, 1]);
});

/** Said of tokens; none of them is one. */
const aboutTokens = new Set(["token_scopes text", "token_limit text"]);

test("a token is looked up by its hash, so that where it differs takes no other time", async () => {
  const schema = await readFile("server/platform/db/schema.sql", "utf8");
  const columns = [...schema.matchAll(/^  "?(\w*(?:token|secret|code)\w*)"? (\w+)/gm)].map(
    ([, column, type]) => `${column} ${type}`,
  );
  expect(
    [...new Set(columns)]
      .filter((column) => !aboutTokens.has(column))
      .filter((column) => !/_hash bytea$|^sealed_\w+ bytea$| (integer|boolean)$/.test(column))
      .sort(),
  ).toEqual([]);
});
