/** Mistakes in what people hold in their hands: the command line, the client, the pages. */
import type { Mutant } from "./mutant.ts";

const watch = "test/unit/web/watch-session.test.ts";

export const clients: readonly Mutant[] = [
  {
    name: "clients-token-for-its-server",
    promise: "The command line sends a kept token only to the server that it was given for.",
    file: "cli/connection/settings.ts",
    find: "const same = kept.url === url ? kept : {};",
    replace: "const same = kept;",
    tests: ["test/unit/cli/connection/settings.test.ts"],
  },
  {
    name: "clients-remote-of-another-port",
    promise: "The command line takes no repository of another server for one of ours.",
    file: "cli/connection/repository.ts",
    find: "parsed.host !== new URL(serverUrl).host",
    replace: "parsed.hostname !== new URL(serverUrl).hostname",
    tests: ["test/unit/cli/connection/repository.test.ts"],
  },
  {
    name: "clients-terminal-stays-ours",
    promise: "Security 48: no control character of a log reaches a terminal, those of eight bits included.",
    file: "cli/output/terminal-safe.ts",
    find: "code !== 0x7f && !(code >= 0x80 && code < 0xa0))",
    replace: "code !== 0x7f)",
    tests: ["test/unit/cli/output/terminal-safe.test.ts"],
  },
  {
    name: "clients-hidden-text-in-terminals",
    promise: "Security 70: what turns text is shown by its number.",
    file: "cli/output/terminal-safe.ts",
    find: String.raw`\u200f\u2028-\u202e\u2060`,
    replace: String.raw`\u200f\u2060`,
    tests: ["test/unit/cli/output/terminal-safe.test.ts"],
  },
  {
    name: "clients-each-byte-once",
    promise: "S1: a viewer hands over each byte of a log once, over however many connections.",
    file: "clients/ts/watch-session.ts",
    find: "raw.subarray(Math.max(0, have - frame.offset))",
    replace: "raw",
    tests: [watch],
  },
  {
    name: "clients-refused-for-good",
    promise: "A viewer whom the server refused does not come again.",
    file: "clients/ts/watch-session.ts",
    find: "new Set([4400, 4401, 4403])",
    replace: "new Set([4400, 4401])",
    tests: [watch],
  },
  {
    name: "clients-log-turns-no-text",
    promise: "Security 66, 70: a log turns no text in the page.",
    file: "web/src/features/runs/log/sgr.ts",
    find: String.raw`\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, "")`,
    replace: String.raw`\u007f-\u009f]/g, "")`,
    tests: ["test/unit/web/sgr.test.ts", "test/security/70-hidden-text.test.ts"],
  },
  {
    name: "clients-endless-sequence",
    promise: "Security 66: text behind an escape sequence that never ends is shown.",
    file: "web/src/features/runs/log/sgr.ts",
    find: "  return Math.min(from, text.length);\n",
    replace: "  return text.length;\n",
    tests: ["test/unit/web/sgr.test.ts"],
  },
];
