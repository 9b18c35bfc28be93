/** An entry as a message of syslog (RFC 5424), with its length before it (RFC 5425 4.3.1). */

/** Facility 13, "log audit"; severity 6, "informational" (RFC 5424 6.2.1). */
const priority = 13 * 8 + 6;
/** RFC 5424 7.3.1. */
const maxSequenceId = 2_147_483_647;

/** `line`: JSON of the entry. `sender`: the name of this host. */
export function syslogFrame(line: string, sender: string): string {
  const { seq, timestamp } = JSON.parse(line) as { seq: number | null; timestamp: string };
  const data = seq === null ? "-" : `[meta sequenceId="${((seq - 1) % maxSequenceId) + 1}"]`;
  const message = `<${priority}>1 ${timestamp} ${sender} forgeline - audit ${data} ${line}`;
  return `${Buffer.byteLength(message)} ${message}`;
}
