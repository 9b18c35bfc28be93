/** What a search of logs found: each line with its place, which is a link to it. */
import type { ReactNode } from "react";
import { Link } from "react-router";
import { text } from "../../text/log-search.ts";
import { Button } from "../../ui/button.tsx";
import { ProblemNotice } from "../../ui/notice.tsx";
import { formatBytes } from "../../ui/size.ts";
import { Skeleton } from "../../ui/skeleton.tsx";
import styles from "./found-lines.module.css";
import { useFoundLines, type LogMatch, type WantedLines } from "./use-found-lines.ts";

/** Nothing while there are no words to look for. */
export function FoundLines({ wanted }: { wanted: WantedLines }) {
  const search = useFoundLines(wanted);
  if (wanted.q === "") return null;
  const pages = search.data?.pages ?? [];
  const matches = pages.flatMap((page) => page.matches);
  const searched = pages.reduce((sum, page) => sum + page.searched_bytes, 0);
  const none = search.hasNextPage ? text.noneYet(formatBytes(searched)) : text.none;
  return (
    <div className={styles.found}>
      {search.data ? (
        <p role="status" className={styles.count}>
          {matches.length === 0 ? none : text.found(matches.length)}
        </p>
      ) : null}
      <ol className={styles.lines}>
        {matches.map((match) => (
          <FoundLine
            key={`${match.stream_id}:${match.offset}`}
            match={match}
            hasRun={wanted.run === undefined}
          />
        ))}
      </ol>
      {search.isFetching ? <Skeleton lines={2} /> : null}
      {search.error ? <ProblemNotice error={search.error} /> : null}
      {search.hasNextPage && !search.isFetching ? (
        <div>
          <Button onClick={() => void search.fetchNextPage()}>{text.more}</Button>
        </div>
      ) : null}
    </div>
  );
}

function FoundLine({ match, hasRun }: { match: LogMatch; hasRun: boolean }) {
  const { pathname, hash } = new URL(match.web_url);
  return (
    <li>
      <Link to={{ pathname, hash }} preventScrollReset={!hasRun}>
        {hasRun ? `${text.run(match.pipeline_number)} ` : ""}
        {text.place(match.job_label, match.step, match.number)}
      </Link>
      <code className={styles.text}>
        {marked(match)}
        {match.is_cut ? " …" : ""}
      </code>
    </li>
  );
}

function marked({ text: line, ranges }: LogMatch): ReactNode[] {
  const parts: ReactNode[] = [];
  let at = 0;
  for (const { start, end } of ranges) {
    parts.push(line.slice(at, start), <mark key={start}>{line.slice(start, end)}</mark>);
    at = end;
  }
  return [...parts, line.slice(at)];
}
