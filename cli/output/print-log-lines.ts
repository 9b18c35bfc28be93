/** A log for people: above the lines of each step, which job and step it is. */
import { colors } from "./colors.ts";
import { createLineSplitter } from "./line-splitter.ts";
import { jobPaint } from "./style.ts";
import { terminalSafe } from "./terminal-safe.ts";

interface Line {
  stream_id: string;
  job: string;
  job_id: string;
  attempt: number;
  step: string;
  text: string;
}

/** `stream`: lines of JSON. `labels`: what jobs are called, by their ids. */
export async function printLogLines(
  stream: AsyncIterable<unknown>,
  labels: ReadonlyMap<string, string>,
  out: Pick<NodeJS.WriteStream, "write"> = process.stdout,
): Promise<void> {
  let current = "";
  const jobs: string[] = [];
  const splitter = createLineSplitter((text) => {
    const line = JSON.parse(text) as Line;
    const { stream_id: id, job, job_id: jobId } = line;
    if (!jobs.includes(jobId)) jobs.push(jobId);
    if (id !== current) {
      const name = jobPaint(jobs.indexOf(jobId))(terminalSafe(labels.get(jobId) ?? job));
      out.write(`${current === "" ? "" : "\n"}${name} ${headingOf(line)}\n`);
    }
    current = id;
    out.write(`${terminalSafe(line.text)}\n`);
  });
  for await (const chunk of stream) splitter.push(chunk as Uint8Array);
  splitter.end();
}

function headingOf({ step, attempt }: Line): string {
  const more = attempt > 1 ? colors.dim(` (attempt ${attempt})`) : "";
  return `${colors.dim("▸")} ${colors.bold(terminalSafe(step))}${more}`;
}
