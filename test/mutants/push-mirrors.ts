/** Mistakes with push mirrors. */
import type { Mutant } from "./mutant.ts";

const api = "test/integration/api/push-mirrors";
const folder = "server/domains/automation/push-mirrors";
const security = "test/security/16-17-push-mirror-targets.test.ts";

export const pushMirrorMutants: readonly Mutant[] = [
  {
    name: "push-mirrors-overwrites-others",
    promise: "What somebody else has changed at the target is left as it is, without force.",
    file: `${folder}/plan-push.ts`,
    find: "rules.force || isOurs(at.before, known.get(ref))) plan.updates.push(at);",
    replace: "rules.force || known.has(ref)) plan.updates.push(at);",
    tests: [`${api}/push-mirrors.test.ts`],
  },
  {
    name: "push-mirrors-deletes-others",
    promise: "A ref that somebody else has moved at the target is not deleted there, without force.",
    file: `${folder}/plan-push.ts`,
    find: "if (rules.prune && (rules.force || isOurs(at.before, known)))",
    replace: "if (rules.prune && (rules.force || known))",
    tests: [`${api}/push-mirrors.test.ts`],
  },
  {
    name: "push-mirrors-forgets-what-it-sends",
    promise: "What a target took without saying so is known as ours.",
    file: `${folder}/send-refs.ts`,
    find: "await noteSending(db, mirror.id, values);",
    replace: "",
    tests: [`${api}/failures.test.ts`],
  },
  {
    name: "push-mirrors-without-lease",
    promise: "A ref is pushed only over the value that was seen at the target.",
    file: "server/platform/git/remote/push-refs.ts",
    find: 'return `--force-with-lease=${ref}:${before === zeroId ? "" : before}`;',
    replace: "return before === ref ? ref : `--force`;",
    tests: [security],
  },
  {
    name: "push-mirrors-commits-before-large-files",
    promise: "Commits are not pushed where their large files were refused.",
    file: `${folder}/lfs-target.ts`,
    find: "await expectTaken(await outbound.exchange(upload.href, request));",
    replace: "await outbound.exchange(upload.href, request).catch(() => undefined);",
    tests: [security],
  },
  {
    name: "push-mirrors-fetching-may-push",
    promise: "The way out to a source lets nothing be pushed.",
    file: "server/platform/git/remote/https-relay.ts",
    find: 'const services = { fetch: ["git-upload-pack"],',
    replace: 'const services = { fetch: ["git-upload-pack", "git-receive-pack"],',
    tests: [security],
  },
  {
    name: "push-mirrors-waits-for-a-talker",
    promise: "A target that talks for ever is left.",
    file: "server/platform/git/remote/push-refs.ts",
    find: "if (now !== undefined && now !== last) {",
    replace: "if (text !== last) {",
    tests: [security],
  },
  {
    name: "push-mirrors-tries-on-each-push",
    promise: "After a failure a push begins nothing until the wait is over.",
    file: `${folder}/push-syncs.store.ts`,
    find: "(coalesce(m.requested, 'push') = 'push' and",
    replace: "(m.requested is null and",
    tests: [`${api}/failures.test.ts`],
  },
  {
    name: "push-mirrors-overwrites-after-restore",
    promise: "After a restore no push mirror overwrites what is newer at its target.",
    file: "server/domains/upkeep/repair/service.ts",
    find: "      await pauseMirrors(deps, findings);\n",
    replace: "",
    tests: ["test/integration/repair/push-mirrors.test.ts"],
  },
  {
    name: "push-mirrors-old-state-of-another-target",
    promise: "What was pushed to one target says nothing about another one.",
    file: `${folder}/service.ts`,
    find: 'if (names.includes("url")) await forgetAll(tx, id);',
    replace: "",
    tests: [`${api}/push-mirrors.test.ts`],
  },
  {
    name: "push-mirrors-forget-what-arrived",
    promise: "What arrived of a sync that was cut off is ours still when the next one is cut off, too.",
    file: `${folder}/send-refs.ts`,
    find: "  await noteEqual(db, mirror.id, arrived(plan, known));\n",
    replace: "",
    tests: [`${api}/failures.test.ts`],
  },
];
