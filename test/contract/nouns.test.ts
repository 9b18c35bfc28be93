/**
 * A noun has the same name everywhere, so that `git ls-files | grep NOUN` shows all of it. The nouns are the folders of `schemas/`;
 * what is called otherwise, and what lies where another noun is, is named here with its reason.
 */
import { globSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { hasWords, wordsOf } from "../support/changed/words.ts";

const root = join(import.meta.dirname, "../..");

/** Folders of `schemas/` that are no nouns of the REST API. */
const noNouns = new Set(["core", "generated", "metrics", "pipeline-file", "runner-protocol", "package"]);

/** Folders whose content is named after nouns, each with the names that are not in `schemas/`, and why. */
const shelves: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "server/domains/accounts": {
    domain: "the domain's face",
    identity: "who makes a request; no operation of its own",
    passwords: "of sessions and users; no operation of its own",
    "sign-in": "guards all ways of signing in, not sessions alone",
  },
  "server/domains/automation": {
    "audit-logs": "joins audit-exports and audit-streams to the domain",
    domain: "the domain's face",
    "repository-imports": "joins imports to the domain",
    traces: "sent to the operator's endpoint; no operation of their own",
  },
  "server/domains/hosting": {
    "create-contents": "wires branches, commits and contents",
    domain: "the domain's face",
    followers: "the domains that build on repositories",
    forks: "operations of repositories",
    "git-access": "asked by Git clients alone; no operation",
    protections: "branch-protections and tag-protections are one thing with two addresses",
    pushes: "comes in through Git",
  },
  "server/domains/operation": { announcements: "operations of instance", domain: "the domain's face" },
  "server/domains/organizations": { domain: "the domain's face" },
  "server/domains/pipelines": {
    compile: "of pipelines; no operation of its own",
    "create-run-history": "wires what is read of runs as they went",
    domain: "the domain's face",
    leases: "spoken of with runners alone",
    "merge-request-runs": "runs of merge requests; approvals has the operation",
    placements: "of stages of runs; no operation of its own",
    runs: "the pipelines of the API; the domain has that name",
  },
  "server/domains/upkeep": { domain: "the domain's face", repair: "at the server's start" },
  "server/edges/rest": {
    "api-router": "joins them",
    "bind-route": "joins them",
    moved: "what was renamed, or went elsewhere, of whatever noun",
    "register-routes": "joins them",
    "route-binder": "joins them",
    "route-index": "finds theirs by address",
    "sign-in": "what sessions, passkeys and two-factor answer with in common",
  },
  "cli/commands": {
    convert: "files of other systems on this machine; no server is asked",
    exec: "runs pipelines on this machine; no server is asked",
    login: "keeps a token on this machine",
    trust: "a certificate on this machine",
  },
  "web/src/features": {
    components: "for developers: every part of the interface on one page",
    create: "the page on which a repository or organization is made",
    diffs: "changed files, on pages of commits and comparisons",
    home: "the first page",
    markdown: "texts of other nouns: how they are shown and written",
    "pipeline-editor": "a page of pipelines, loaded alone",
    "repository-settings": "a page of repositories, loaded alone",
    runs: "the page of one of the pipelines",
    settings: "the pages of one's own account",
    "sign-in": "the pages of sessions, passkeys and two-factor",
  },
  "test/integration/api": {
    conventions: "what all operations have in common",
    traces: "sent to the operator's endpoint; no operation of their own",
  },
  "test/integration/cli": {
    convert: "files of other systems on this machine; no server is asked",
    "exec-given": "a second file of exec",
    exec: "runs pipelines without a server",
    lint: "needs no server, and so no instance of pipelines.test.ts",
    login: "and what else needs no run",
    "merge-request-talk": "what merge-requests says of reviews, branches and forks",
    plan: "works with and without a server, and compares both",
    "plan-files": "a second file of plan",
  },
};

const protections = "`protections`, for both: they are one thing with two addresses";
const ownAccount = "set up in a browser; the command line has none";

/** Where a noun has a folder or a file at any depth, the nouns that have none, and where they are instead. */
const elsewhere: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "server/domains": { "branch-protections": protections, "tag-protections": protections },
  "server/edges/rest": {},
  "cli/commands": {
    "branch-protections": protections,
    emails: ownAccount,
    mails: "`administration/instance`, two commands of administrators",
    passkeys: ownAccount,
    sessions: ownAccount,
    "ssh-keys": ownAccount,
    "tag-protections": protections,
    "two-factor": ownAccount,
    "viewed-files": "marks are set where files are read; `mr diff --since` shows what changed",
  },
  "web/src/features": {},
  "test/integration": {
    "branch-protections": protections,
    comments: "`issues` and `merge-requests`, where they are written",
    instance: "`administration/administration`, where its settings are changed",
    invitations: "`organizations/organization-members`: who accepts becomes one",
    mails: "`users/emails`, which looks at what was sent",
    subscriptions: "`notifications`: they decide what is told",
    "tag-protections": protections,
    "text-templates": "`issues`, which are written by them",
    "trusted-authors": "`merge-requests/pipelines`, whose runs they are about",
  },
};

const nouns = new Set((await namesIn("schemas")).filter((name) => !noNouns.has(name)));

test.each(Object.entries(shelves))("%s uses the nouns of schemas/", async (shelf, named) => {
  expect(strangersIn(await namesIn(shelf))).toEqual(Object.keys(named).toSorted());
});

test("another word for the same thing is noticed", () => {
  expect(strangersIn(["teams", "repos", "deploy-keys", "orgs"])).toEqual(["orgs", "repos"]);
});

const withOperations = globSync("schemas/*/routes.ts", { cwd: root })
  .map((path) => path.split("/")[1] ?? "")
  .toSorted();

test.each(Object.entries(elsewhere))("in %s something is called after each noun", (shelf, named) => {
  expect(withOperations.length).toBeGreaterThan(30);
  const paths = globSync("**/*.{ts,tsx}", { cwd: join(root, shelf) });
  expect(absentFrom(paths, withOperations)).toEqual(Object.keys(named));
});

test("a noun that no file is called after is noticed", () => {
  const paths = ["users/service.ts", "repositories/user-page.tsx", "organizations/members.ts", "ssh-key.ts"];
  const wanted = ["organization-members", "ssh-keys", "teams", "users"];
  expect(absentFrom(paths, wanted)).toEqual(["organization-members", "teams"]);
});

/** Nouns that no part of a path has among its words, be it in the singular. */
function absentFrom(paths: readonly string[], wanted: readonly string[]): string[] {
  const parts = new Set(paths.flatMap((path) => path.split("/").map((part) => part.replace(/\..*$/, ""))));
  const named = [...parts].map(wordsOf);
  return wanted.filter((noun) => !named.some((words) => hasWords(words, wordsOf(noun))));
}

function strangersIn(names: readonly string[]): string[] {
  return names.filter((name) => !nouns.has(name)).toSorted();
}

/** Folders, and files without what follows their first dot. */
async function namesIn(folder: string): Promise<string[]> {
  const entries = await readdir(join(root, folder));
  return [...new Set(entries.map((name) => name.replace(/\..*$/, "")))];
}
