/** Mistakes with streams of audit logs. */
import type { Mutant } from "./mutant.ts";

const folder = "server/domains/automation/audit-streams";
const https = ["test/integration/api/audit-streams/https.test.ts"];
const others = ["test/integration/api/audit-streams/other-targets.test.ts"];

export const auditStreamMutants: readonly Mutant[] = [
  {
    name: "audit-streams-skip-refused",
    promise: "What the target does not accept is sent again.",
    file: `${folder}/https-target.ts`,
    find: "if (response.status >= 200 && response.status < 300) return;",
    replace: "if (response.status >= 200) return;",
    tests: https,
  },
  {
    name: "audit-streams-token-elsewhere",
    promise: "A token never goes to another host.",
    file: `${folder}/target-settings.ts`,
    find: "old?.url !== undefined && new URL(old.url).origin === origin",
    replace: "old?.url !== undefined && new URL(old.url).origin !== null",
    tests: https,
  },
  {
    name: "audit-streams-one-token",
    promise: "A receiver that does not know a new token yet gets the one before.",
    file: `${folder}/open-target.ts`,
    find: "usesPrevious ? [token, previousToken] : [token]",
    replace: "usesPrevious ? [token] : [token]",
    tests: https,
  },
  {
    name: "audit-streams-any-revision",
    promise: "A change of a stream takes effect while it sends.",
    file: `${folder}/sending.store.ts`,
    find: "where id = $1 and revision = $2 and sent_number <= $3 returning id",
    replace: "where id = $1 and $2::int is not null and sent_number <= $3 returning id",
    tests: https,
  },
  {
    name: "audit-streams-written-is-accepted",
    promise: "What a receiver of syslog may not have read is sent again.",
    file: `${folder}/syslog-target.ts`,
    find: "if (connection) await onConnection(signal, (on) => on.finish());",
    replace: "connection?.destroy();",
    tests: others,
  },
  {
    name: "audit-streams-other-names",
    promise: "A batch that is sent again to a bucket has the same name.",
    file: `${folder}/bucket-target.ts`,
    find: 'return `${timestamp.slice(0, 10).replaceAll("-", "/")}/${first}-${last}.jsonl`;',
    replace:
      'return `${timestamp.slice(0, 10).replaceAll("-", "/")}/${first}-${last}-${newId("evt")}.jsonl`;',
    tests: others,
  },
  {
    name: "audit-streams-any-authority",
    promise: "Only certificates of the authority that was given are accepted.",
    file: "server/platform/outbound/dial-tls.ts",
    find: "authority === undefined ? deps.secureContext : createSecureContext({ ca: authority })",
    replace: "deps.secureContext",
    tests: others,
  },
  {
    name: "audit-streams-note-early",
    promise: "After a crash nothing is missing at the target.",
    file: `${folder}/send-waiting.ts`,
    find: "let sent = row.sent_number;",
    replace: "let sent = row.sent_number + 1;",
    tests: https,
  },
];
