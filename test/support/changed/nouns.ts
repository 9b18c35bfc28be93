/** What a source file is about, in the words that its tests are called by. */
import { basename, dirname } from "node:path";
import { hasWords, wordsOf } from "./words.ts";

/** Folders below which each folder, or each file, has a noun as its name. */
const shelves = [
  "server/domains/accounts",
  "server/domains/organizations",
  "server/domains/hosting",
  "server/domains/pipelines",
  "server/domains/operation",
  "server/domains/upkeep",
  "server/edges/rest",
  "schemas",
  "cli/commands",
  "web/src/features",
  "workflows/definitions",
  "workflows/activities",
];

/** What tests call a folder's matter where they do not call it by the folder's name; the longest path counts. */
export const testAliases: Readonly<Record<string, readonly string[]>> = {
  bench: ["bench"],
  docs: ["docs", "conventions/pages"],
  "runner/egress": ["76-egress", "76-elsewhere"],
  "runner/engine/docker": ["71-image", "72-81-files"],
  "runner/engine/docker/egress.ts": ["76-elsewhere"],
  "runner/engine/docker/filter-probe.ts": ["76-elsewhere"],
  "runner/engine/docker/readiness.ts": ["engine-services"],
  "runner/engine/docker/services.ts": ["engine-services"],
  "runner/engine/job-file.ts": ["72-81-files"],
  "schemas/core": ["conventions"],
  "schemas/emails": ["web/sign-in"],
  "schemas/owners": ["get-user"],
  "schemas/pipeline-file": ["compiler"],
  "schemas/runner-protocol": ["runner-hub", "runner"],
  "server/domains/accounts/identity": ["sessions", "tokens", "job-token"],
  "server/domains/accounts/identity/resume.ts": ["lfs/protocol", "open-logs"],
  "server/domains/accounts/sign-in": ["sign-in", "two-factor"],
  "server/domains/hosting/git-access": ["git/access", "git/ssh", "78-held-slots", "78-request-room"],
  "server/domains/hosting/lfs": ["git/lfs", "29-30-lfs", "30-lfs"],
  "server/domains/hosting/pushes": ["push", "content-rules", "pre-receive"],
  "server/domains/hosting/pushes/reconcile-pushes.ts": ["crash", "killed-git", "neighbours"],
  "server/domains/pipelines/compile": ["pipelines"],
  "server/domains/pipelines/leases": ["runner-hub"],
  "server/domains/pipelines/runs": ["pipelines", "workflows"],
  "server/domains/pipelines/runs/attempt-events.ts": ["runner-hub"],
  "server/domains/pipelines/runs/steps.store.ts": [
    "runner-hub/fencing",
    "runner-hub/lapsed-leases",
    "runner-hub/lease",
  ],
  "server/domains/policy": ["access", "visibility", "hidden"],
  "server/domains/policy/level.store.ts": ["access", "hidden", "transfers", "02-git-scopes"],
  "server/edges/docs": ["conventions/pages"],
  "server/edges/git-http": ["78-held-slots", "78-request-room"],
  "server/edges/git-ssh": ["git/ssh", "78-held-slots", "78-request-room", "82-haves"],
  "server/edges/http": ["conventions", "bad-requests"],
  "server/edges/http/upgrade.ts": ["conventions", "logs/open-logs", "watch-socket", "users/sessions"],
  "server/edges/lfs": ["git/lfs", "lfs"],
  "server/edges/oauth": ["oauth"],
  "server/edges/openapi": ["openapi", "conventions"],
  "server/edges/pages": ["web/frame", "conventions/pages"],
  "server/edges/rest/bind-route.ts": ["conventions", "request-slots", "open-logs", "unread-logs"],
  "server/edges/rest/contents": ["contents", "78-held-slots"],
  "server/edges/runners": ["runner-hub"],
  "server/edges/sso": ["sso"],
  "server/edges/watch": ["watch-socket", "logs"],
  "server/platform/credentials": ["sessions", "tokens"],
  "server/platform/db": ["database", "db"],
  "server/platform/git": ["78-held-slots", "78-request-room"],
  "server/platform/git/processes/admission.ts": ["78-git-burst", "78-held-slots"],
  "server/platform/git/processes/run-git.ts": ["neighbours", "78-git-burst"],
  "server/platform/http": ["conventions", "bad-requests"],
  "server/platform/http/body-memory.ts": ["body-memory"],
  "server/platform/objects": ["objects"],
  "server/platform/outbox": ["relay"],
  "server/edges/watch/upgrade.ts": ["logs/open-logs", "watch-socket"],
  "web/src/app": ["web/frame"],
  "web/src/features/oauth": ["web/settings"],
  "web/src/features/branches": ["web/repository"],
  "web/src/features/commits": ["web/repository"],
  "web/src/features/components": ["web/frame"],
  "web/src/features/contents": ["web/repository"],
  "web/src/features/create": ["web/repository"],
  "web/src/features/home": ["web/frame"],
  "web/src/features/pipeline-editor": ["web/pipelines"],
  "web/src/features/repositories": ["web/repository"],
  "workflows/definitions/profiles.ts": ["refused-runs"],
};

/** None where a file belongs to no noun, as most of `server/platform/` do. */
export function nounsOf(path: string): string[] {
  const also = Object.keys(testAliases)
    .filter((folder) => path === folder || path.startsWith(`${folder}/`))
    .toSorted((a, b) => b.length - a.length)[0];
  const shelf = shelves.find((folder) => path.startsWith(`${folder}/`));
  const own = shelf === undefined ? undefined : stem(path.slice(shelf.length + 1).split("/")[0] ?? "");
  if (own === "core") return [...(testAliases["schemas/core"] ?? [])];
  return [
    ...new Set([
      ...(own === undefined ? [] : [own]),
      ...(also === undefined ? [] : (testAliases[also] ?? [])),
    ]),
  ];
}

/** Too common to lead anywhere. */
const emptyWords = new Set(
  "access create file get hub index list main new read record resource route run service store test the to type use write".split(
    " ",
  ),
);

/** Single words of a file's name and of its folder's. */
export function nameWordsOf(path: string): string[] {
  const words = wordsOf(`${basename(dirname(path))}/${stem(basename(path))}`);
  return [...new Set(words)].filter((word) => word.length > 2 && !emptyWords.has(word));
}

/** Whether a test file's path speaks of the noun. */
export function isNamedAfter(test: string, noun: string): boolean {
  return hasWords(wordsOf(bare(test)), wordsOf(noun));
}

/** Whether a folder or the file itself is called so, and nothing more. */
export function isNamed(test: string, noun: string): boolean {
  const said = (path: string) =>
    `/${path
      .split("/")
      .map((part) => wordsOf(part).join("-"))
      .join("/")}/`;
  return said(bare(test)).includes(said(noun));
}

function bare(test: string): string {
  return test.replace(/^test\//, "").replace(/\.test\.ts$/, "");
}

function stem(name: string): string {
  return name.replace(/(?:\.module)?\.[a-z]+$/, "").replace(/^\d+_/, "");
}
