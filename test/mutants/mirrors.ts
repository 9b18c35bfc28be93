/** Mistakes with mirrors. */
import type { Mutant } from "./mutant.ts";

const api = "test/integration/api/mirrors";
const security = "test/security/16-17-mirror-sources.test.ts";

export const mirrorMutants: readonly Mutant[] = [
  {
    name: "mirrors-deletes-what-was-not-fetched",
    promise: "A ref that the source lists is never taken for deleted, whether it was fetched or not.",
    file: "server/domains/automation/mirrors/take-source.ts",
    find: "const oid = fetched.get(ref) ?? here.get(ref);",
    replace: "const oid = fetched.get(ref);",
    tests: [`${api}/mirrors.test.ts`],
  },
  {
    name: "mirrors-takes-pushes",
    promise: "Nobody pushes to a mirror.",
    file: "server/domains/hosting/pushes/pushes.store.ts",
    find: "when r.mirror and $14 <> 'mirror_sync' then 'mirrored'",
    replace: "when false then 'mirrored'",
    tests: [`${api}/mirrors.test.ts`],
  },
  {
    name: "mirrors-takes-large-files",
    promise: "Nobody uploads large files to a mirror.",
    file: "server/domains/hosting/lfs/admission.ts",
    find: 'if (repository.mirror && access !== "repo_read")',
    replace: 'if (repository.mirror && access === "repo_admin")',
    tests: [`${api}/mirrors.test.ts`],
  },
  {
    name: "mirrors-password-for-another-host",
    promise: "A password stays with the host that it was given for.",
    file: "server/domains/automation/mirrors/credentials.ts",
    find: "old?.protocol === source.protocol && old.host === source.host && old.port === source.port;",
    replace: "old?.protocol === source.protocol;",
    tests: [`${api}/sources.test.ts`],
  },
  {
    name: "mirrors-password-for-another-lfs-server",
    promise: "A server that a list of Git LFS objects names gets no credentials of the source.",
    file: "server/domains/automation/mirrors/lfs-server.ts",
    find: "return originOf(href) === originOf(base) ? withoutFraming(headers) : {};",
    replace: "return withoutFraming(headers);",
    tests: [security],
  },
  {
    name: "mirrors-relay-for-everybody",
    promise: "Other programs on the machine do not use the credentials of a mirror.",
    file: "server/platform/git/remote/https-relay.ts",
    find: "return given.length === expected.length && timingSafeEqual(given, expected);",
    replace: "return given.length <= expected.length || timingSafeEqual(given, expected);",
    tests: [security],
  },
  {
    name: "mirrors-mail-for-each-failure",
    promise: "An outage is told once.",
    file: "server/domains/automation/mirrors/sync-lifecycle.ts",
    find: "now.failures < alertAfter || now.alerted_at) return;",
    replace: "now.failures < alertAfter) return;",
    tests: [`${api}/failures.test.ts`],
  },
  {
    name: "mirrors-without-back-off",
    promise: "After failures, scheduled syncs wait.",
    file: "server/domains/automation/mirrors/sync-lifecycle.ts",
    find: "if (mirror.waits) return undefined;",
    replace: "",
    tests: [`${api}/failures.test.ts`],
  },
  {
    name: "mirrors-forgets-what-was-replaced",
    promise: "What is replaced at the source is kept for 30 days.",
    file: "server/domains/automation/mirrors/kept-objects.ts",
    find: "if (branches.has(oid)) lost.add(oid);",
    replace: "if (!branches.has(oid)) continue;",
    tests: [`${api}/mirrors.test.ts`],
  },
  {
    name: "mirrors-large-source-between-two-looks",
    promise: "A source that is too large is refused, however fast it comes.",
    file: "server/platform/git/remote/fetch-refs.ts",
    find: "if ((await scratch.receivedBytes()) > watch.limits.maxBytes)",
    replace: "if ((await scratch.receivedBytes()) < 0)",
    tests: [`${api}/limits.test.ts`],
  },
];
