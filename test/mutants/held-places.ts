/** Mistakes in who holds a place of Git, and how long. */
import type { Mutant } from "./mutant.ts";

const tests = ["test/security/78-held-places.test.ts"];
const unit = ["test/unit/server/git/exchange-gate.test.ts"];

export const heldPlaces: readonly Mutant[] = [
  {
    name: "held-requests-come-first",
    promise: "Security 78: a fetch over HTTPS takes its place when its whole request is there.",
    file: "server/git/http/git-http.ts",
    find: "const request = isFetch ? await readRequest(sent.readBody(), room) : undefined;",
    replace:
      "const early = await deps.exchangeGate.enter({ repositoryId: repository.id, ...claimant });\n      const request = isFetch ? await readRequest(sent.readBody(), room).finally(early) : undefined;",
    tests,
    only: "no place over HTTPS",
  },
  {
    name: "held-requests-have-room",
    promise: "Security 78: requests of fetches on their way take of the room that all bodies share.",
    file: "server/git/request-room.ts",
    find: "held.push(bodies.reserve(user, step));",
    replace: "held.push(() => bodies);",
    tests,
    only: "memory",
  },
  {
    name: "held-ssh-place-for-each-request",
    promise: "Security 78: who merely may ask over SSH holds no place.",
    file: "server/git/ssh/upload-pack.ts",
    find: '  return fetching.protocol === "version=2"\n    ? serveRequests(fetching)\n',
    replace:
      '  return fetching.protocol === "version=2"\n    ? fetching.underPlace(() => serveRequests({ ...fetching, underPlace: (work) => work() }))\n',
    tests,
    only: "no place over SSH",
  },
  {
    name: "held-slow-readers-yield",
    promise: "Security 78: who does not read its pack keeps its place only until somebody waits for it.",
    file: "server/git/http/client-pace.ts",
    find: "  const taken = pace.wait();\n",
    replace: "  const taken = () => undefined;\n",
    tests,
    only: "reads nothing over HTTPS",
  },
  {
    name: "held-slow-pushes-yield",
    promise: "Security 78: who does not send its push keeps its place only until somebody waits for it.",
    file: "server/git/http/receive-pack.ts",
    find: "      arrived = pace.wait();\n",
    replace: "",
    tests,
    only: "does not send its push over HTTPS",
  },
  {
    name: "held-slow-conversations-yield",
    promise: "Security 78: who asks for nothing in the old protocol over SSH yields to who waits.",
    file: "server/git/ssh/upload-pack.ts",
    find: "  const saidAll = channel.pace.wait();\n",
    replace: "  const saidAll = () => undefined;\n",
    tests,
    only: "asks for nothing over SSH",
  },
  {
    name: "held-slow-downloads-yield",
    promise: "Security 78: who does not read an archive yields to who waits.",
    file: "server/features/contents/send-stream.ts",
    find: "        taken = pace.wait();\n",
    replace: "        taken = () => undefined;\n",
    tests,
    only: "downloads an archive",
  },
  {
    name: "held-accounts-have-a-bound",
    promise: "Security 78: an account has not all places under the names of its deploy keys.",
    file: "server/git/exchange-claim.ts",
    find: "(isOfRepository ? repository?.owner : actor.username)",
    replace: "(isOfRepository ? user : actor.username)",
    tests,
    only: "deploy keys",
  },
  {
    name: "held-strangers-have-a-bound",
    promise: "Security 78: strangers together leave places to who has an account.",
    file: "server/git/exchange-gate.ts",
    find: '    if (isStranger && running.strangers >= ofStrangers) return "strangers";\n',
    replace: "",
    tests,
    only: "strangers together",
  },
  {
    name: "held-only-in-the-way",
    promise: "Slow clients are ended for who waits for such a place, not for anybody.",
    file: "server/git/exchange-gate.ts",
    find: 'if (full === "repository") return held.repositoryId === claim.repositoryId;',
    replace: 'if (full === "repository") return true;',
    tests: unit,
  },
];
