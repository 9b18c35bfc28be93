/** What one job may take on a runner. */
import type { Schemas } from "@forgeline/client/schemas.ts";
import { text } from "../../text/runners.ts";
import { Facts } from "../../ui/facts.tsx";
import { Section } from "../../ui/page.tsx";
import { formatBytes, formatCount } from "../../ui/size.ts";

type Limits = NonNullable<Schemas["Runner"]["limits"]>;

export function RunnerLimits({ limits, lastSeenAt }: { limits: Limits | null; lastSeenAt: string | null }) {
  const why = lastSeenAt === null ? text.neverConnected : text.limitsUnknown;
  return (
    <Section title={text.limits}>
      {limits === null ? <p>{why}</p> : <Facts facts={factsOf(limits)} />}
    </Section>
  );
}

function factsOf(limits: Limits) {
  const { files, open_files: openFiles, step_log_bytes: log, job_seconds: seconds } = limits;
  return [
    { name: text.memory, value: unlessAsked(limits.memory_bytes, formatBytes) },
    { name: text.cores, value: unlessAsked(limits.cpu, String) },
    { name: text.disk, value: formatBytes(limits.disk_bytes) },
    { name: text.files, value: files === null ? text.unlimited : formatCount(files) },
    { name: text.processes, value: formatCount(limits.processes) },
    { name: text.openFiles, value: openFiles === null ? text.asDaemonSays : formatCount(openFiles) },
    { name: text.stepLog, value: log === null ? text.asServerSays : formatBytes(log) },
    { name: text.time, value: seconds === null ? text.asFileSays : text.seconds(formatCount(seconds)) },
  ];
}

function unlessAsked(limit: { max: number; default: number }, format: (value: number) => string): string {
  const max = format(limit.max);
  return limit.default < limit.max ? text.unlessAsked(max, format(limit.default)) : max;
}
