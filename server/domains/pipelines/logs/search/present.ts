/** A found line as the API shows it. */
import type { LogMatch } from "@forgeline/schemas/logs/search.ts";
import type { RepositoryRef } from "../../../policy/domain.ts";
import type { RunStream } from "../run-state.ts";
import type { FoundLine } from "./find-words.ts";
import type { SearchedRun } from "./search.store.ts";
import { runAddress } from "../../runs/run-address.ts";

export interface MatchPlace {
  repository: Pick<RepositoryRef, "owner" | "name">;
  run: Pick<SearchedRun, "id" | "number">;
  stream: RunStream;
  webUrl: string;
}

/** `line` counts from 0 in the stream. */
export function presentMatch(place: MatchPlace, found: FoundLine & { offset: number }): LogMatch {
  const { stream, run } = place;
  return {
    pipeline_id: run.id,
    pipeline_number: run.number,
    stage: stream.stage,
    job: stream.job,
    job_label: stream.job_label,
    job_id: stream.job_id,
    attempt: stream.attempt,
    step: stream.name,
    stream_id: stream.id,
    number: found.line + 1,
    offset: found.offset,
    text: found.text,
    is_cut: found.isCut,
    ranges: found.ranges,
    web_url: addressOf(place, found.line + 1),
  };
}

/** As `web/src/features/runs/run-hash.ts` reads it. */
function addressOf({ repository, run, stream, webUrl }: MatchPlace, line: number): string {
  // The key of a combination is that of the others too.
  const job = stream.job_label === stream.job ? stream.job : stream.job_id;
  const named = stream.kind === "setup" ? "setup" : `~${stream.name}`;
  const step = stream.step === null ? named : String(stream.step);
  const place = `${encodeURIComponent(job)}@${stream.attempt}:${encodeURIComponent(step)}:${line}`;
  return `${runAddress(webUrl, `${repository.owner}/${repository.name}`, run.number)}#${place}`;
}
