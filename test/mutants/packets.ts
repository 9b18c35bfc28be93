/** Mistakes in what bounds the packets of a fetch: Security 78. */
import type { Mutant } from "./mutant.ts";

export const packets: readonly Mutant[] = [
  {
    name: "packets-give-turns",
    promise: "Security 78: a large request of a fetch is read in turns, and others have theirs between.",
    file: "server/platform/git/transfer/packet-lines.ts",
    find: "    if (count % packetsInOneTurn === 0) await nextTurn();\n",
    replace: "",
    tests: ["test/unit/server/platform/git/transfer/packet-lines.test.ts"],
  },
  {
    name: "packets-are-counted",
    promise: "Security 78: a request of a fetch has no more packets than anybody needs.",
    file: "server/platform/git/transfer/packet-lines.ts",
    find: "    if (count > maxPackets) throw tooManyPackets();\n",
    replace: "",
    tests: ["test/unit/server/platform/git/transfer/packet-lines.test.ts"],
  },
  {
    name: "packets-over-ssh-are-counted",
    promise: "Security 78: nor has one over SSH.",
    file: "server/edges/git-ssh/packet-requests.ts",
    find: "      if (packets > maxPackets) throw tooManyPackets();\n",
    replace: "",
    tests: ["test/unit/server/edges/git-ssh/requests.test.ts"],
  },
  {
    name: "packets-pieces-are-copied",
    promise:
      "Security 78: a request that comes byte by byte costs its bytes of memory, and no object for each.",
    file: "server/platform/git/processes/byte-buffer.ts",
    find: "      if (needed > bytes.length) {",
    replace: "      if (size === 0) bytes = piece;\n      else if (needed > bytes.length) {",
    tests: ["test/unit/server/edges/git-ssh/requests.test.ts"],
  },
  {
    name: "packets-prefixes-are-not-cut",
    promise: "Where too many prefixes were named all refs are told, as Git does, and not those of the first.",
    file: "server/platform/git/refs/ls-refs-request.ts",
    find: "question.prefixes.length < tooManyPrefixes ? question",
    replace: "question.prefixes.length <= tooManyPrefixes ? question",
    tests: ["test/unit/server/platform/git/refs/ref-prefixes.test.ts"],
  },
  {
    name: "packets-question-has-a-size",
    promise: "Security 78: a question for refs has as many bytes as prefixes that count, and no more.",
    file: "server/platform/git/refs/ls-refs-request.ts",
    find: "request.length > maxBytes",
    replace: "request.length < 0",
    tests: ["test/unit/server/platform/git/refs/ref-prefixes.test.ts"],
  },
  {
    name: "packets-prefixes-give-turns",
    promise: "Security 78: tens of thousands of prefixes are compared in turns.",
    file: "server/platform/git/refs/ref-prefixes.ts",
    find: "    if (n % prefixesInOneTurn === prefixesInOneTurn - 1) await nextTurn();\n",
    replace: "",
    tests: ["test/unit/server/platform/git/refs/ref-prefixes.test.ts"],
  },
  {
    name: "packets-types-give-turns",
    promise: "Security 78: the types of all that a request names are read in turns.",
    file: "server/platform/git/objects/object-types.ts",
    find: "    if (types.length % idsInOneTurn === 0) await nextTurn();\n",
    replace: "",
    tests: ["test/unit/server/platform/git/transfer/haves.test.ts"],
  },
  {
    name: "packets-ssh-refusals-are-told",
    promise: "Security 78: over SSH a refused request is told in Git's protocol, once something was sent.",
    file: "server/edges/git-ssh/upload-pack.ts",
    find: "    if (error instanceof AppError) await channel.send(fetchRefusal(error));\n",
    replace: "",
    tests: ["test/security/78-packet-floods.test.ts"],
    only: "over SSH",
  },
];
