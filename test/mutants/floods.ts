/** Mistakes in what bounds the messages of viewers and runners: Security 74 and 80. */
import type { Mutant } from "./mutant.ts";

const sockets = "server/sockets";
const viewer = ["test/unit/server/sockets/log-watch-viewer.test.ts"];
const viewerFlood = ["test/integration/logs/watch-flood.test.ts"];
const runnerFlood = ["test/integration/runner-hub/floods.test.ts"];
const budget = ["test/unit/server/sockets/runner-budget.test.ts"];

export const floods: readonly Mutant[] = [
  {
    name: "floods-invented-streams-refused",
    promise: "Security 74: a viewer that names a stream which its run does not have is refused.",
    file: `${sockets}/log-watch-viewer.ts`,
    find: "if (strangers.size > 0) void",
    replace: "if (strangers.size < 0) void",
    tests: viewerFlood,
  },
  {
    name: "floods-invented-streams-kept",
    promise: "Security 74: no more streams are kept in mind than a run may have.",
    file: `${sockets}/log-watch-viewer.ts`,
    find: "resumeAt.size + strangers.size > Math.max(",
    replace: "strangers.size > Math.max(",
    tests: viewer,
  },
  {
    name: "floods-unread-viewer-asks",
    promise: "Security 74: who does not read what was sent gets no more for asking.",
    file: `${sockets}/log-watch-viewer.ts`,
    find: `    if (socket.bufferedAmount >= backlogBytes)
      return options.refuse(`,
    replace: `    if (socket.bufferedAmount < 0)
      return options.refuse(`,
    tests: viewer,
  },
  {
    name: "floods-signs-of-a-viewer-count",
    promise: "Security 74: every message of a viewer counts, one that says nothing too.",
    file: `${sockets}/log-watch.ts`,
    find: `    socket.on("ping", () => void mayGoOn());\n`,
    replace: "",
    tests: viewerFlood,
  },
  {
    name: "floods-frames-in-pieces",
    promise: "Security 74: a frame of a viewer comes in a few pieces, or not at all.",
    file: `${sockets}/log-watch-upgrade.ts`,
    find: "    ...pieces.viewer,\n",
    replace: "",
    tests: ["test/integration/api/logs/watch-socket.test.ts"],
    only: "in too many pieces",
  },
  {
    name: "floods-unexpected-is-dear",
    promise: "Security 80: what no lease gives reason to say costs a runner more.",
    file: `${sockets}/runner-budget.ts`,
    find: "isExpected(session, message) ? costs.expected : costs.unexpected",
    replace: "isExpected(session, message) ? costs.expected : costs.expected",
    tests: budget,
  },
  {
    name: "floods-lease-gives-so-much-reason",
    promise: "Security 80: a lease gives reason to so many messages, and not to any number.",
    file: `${sockets}/runner-budget.ts`,
    find: "lease?.epoch !== epoch || lease.messagesLeft === 0",
    replace: "lease?.epoch !== epoch",
    tests: budget,
  },
  {
    name: "floods-is-closed",
    promise: "Security 80: a runner that has used up its budget is closed.",
    file: `${sockets}/runner-hub.ts`,
    find: "    if (budget.spend(cost)) return true;\n",
    replace: "    if (budget.spend(cost) || cost > 0) return true;\n",
    tests: runnerFlood,
    only: "a runner that floods",
  },
  {
    name: "floods-stays-away",
    promise: "Security 80: a runner that has used up its budget comes back later, and not at once.",
    file: `${sockets}/runner-upgrade.ts`,
    find: "    if (waitMs === 0) return;\n",
    replace: "    if (waitMs >= 0) return;\n",
    tests: runnerFlood,
  },
  {
    name: "floods-refused-without-a-look",
    promise: "Security 80: who stays away by order costs the database nothing when it comes back too early.",
    file: `${sockets}/runner-upgrade.ts`,
    find: "    if (knownId !== undefined) refuseEarly(knownId);\n",
    replace: "",
    tests: runnerFlood,
    only: "a runner that floods",
  },
  {
    name: "floods-requests-wait-their-turn",
    promise: "Security 78: who asks for much at once waits for their own requests, and nobody else does.",
    file: "server/http/request-places.ts",
    find: "      if (hasRoom(line)) return place(key, line);\n",
    replace: "      if (line.running < Infinity) return place(key, line);\n",
    tests: ["test/integration/limits/request-places.test.ts"],
  },
  {
    name: "floods-long-line-moves-one-by-one",
    promise:
      "Security 78: of whom hundreds wait, one is worked on at a time, so that others are answered soon.",
    file: "server/http/request-places.ts",
    find: "(waiting.size > limits.longLine ? 1 : limits.atOnce)",
    replace: "limits.atOnce",
    tests: ["test/unit/server/http/request-places.test.ts"],
  },
  {
    name: "floods-slow-body-keeps-no-place",
    promise: "Security 78: a body that does not come keeps no other request of its user waiting.",
    file: "server/http/bind-route.ts",
    find: "  exchange.leave();\n  const body",
    replace: "  const body",
    tests: ["test/integration/limits/request-places.test.ts"],
  },
  {
    name: "floods-slow-reader-keeps-no-place",
    promise: "Security 78: who reads an answer slowly keeps no other request of theirs waiting.",
    file: "server/http/bind-route.ts",
    find: "  if (contract.alternatives) onHeaders(res, exchange.leave);\n",
    replace: "",
    tests: ["test/integration/api/logs/unread-logs.test.ts"],
  },
  {
    name: "floods-git-keeps-no-place",
    promise: "Security 78: a request that waits for Git keeps no other request of its user waiting.",
    file: "server/git/admission.ts",
    find: "    asking.onGit?.();\n",
    replace: "",
    tests: ["test/security/78-git-burst.test.ts"],
  },
];
