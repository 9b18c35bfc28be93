/** Which commit brought each line of a file. */
import { Link } from "react-router";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { $api } from "../../api/client.ts";
import { text } from "../../text/contents.ts";
import { ButtonLink } from "../../ui/button.tsx";
import { NotFound } from "../../ui/not-found.tsx";
import { QueryView } from "../../ui/query-view.tsx";
import { Time } from "../../ui/time.tsx";
import { titleOf } from "../commits/commit-message.ts";
import { commitAddress, fileAddress } from "../repositories/addresses.ts";
import { useRepository, useRepositoryPath } from "../repositories/use-repository.ts";
import styles from "./blame-page.module.css";
import { CodePage } from "./code-page.tsx";
import { HighlightedText } from "./code-text.tsx";
import { textOf } from "./file-content.ts";
import type { CodeLine } from "./code-line.ts";
import { splitLines, withUnixEnds } from "./split-lines.ts";
import { useFilePlace } from "./use-file-place.ts";
import { useHighlighted } from "./use-highlighted.ts";

export function BlamePage() {
  const { ref, path } = useFilePlace();
  const repository = useRepository();
  const place = useRepositoryPath();
  const blame = $api.useQuery("get", "/repos/{owner}/{repo}/blame/{ref}/{path}", {
    params: { path: { ...place, ref, path } },
  });
  const file = $api.useQuery("get", "/repos/{owner}/{repo}/contents/{path}", {
    params: { path: { ...place, path }, query: { ref } },
  });
  if (path === "") return <NotFound />;
  return (
    <CodePage
      page="blame"
      gitRef={ref}
      path={path}
      title={text.blame}
      actions={<ButtonLink to={fileAddress(repository, "blob", { ref, path })}>{text.toFile}</ButtonLink>}
    >
      <QueryView query={blame} lines={8}>
        {(lines) => (
          <QueryView query={file}>
            {(found) =>
              Array.isArray(found) ? null : (
                <Blamed blame={lines} source={textOf(found)?.text ?? ""} path={path} />
              )
            }
          </QueryView>
        )}
      </QueryView>
    </CodePage>
  );
}

function Blamed(props: { blame: Schemas["Blame"]; source: string; path: string }) {
  const { blame, path } = props;
  const source = withUnixEnds(props.source);
  const lines = splitLines(source);
  const colored = useHighlighted(source, { name: path });
  const commits = new Map(blame.commits.map((commit) => [commit.sha, commit]));
  return (
    <div className={styles.frame}>
      {blame.ranges.map((range) => (
        <div key={range.start_line} className={styles.range}>
          <BlamedCommit commit={commits.get(range.commit)} />
          <div className={styles.lines}>
            {lines.slice(range.start_line - 1, range.end_line).map((line, index) => (
              <Line
                key={range.start_line + index}
                number={range.start_line + index}
                line={line}
                colored={colored?.[range.start_line + index - 1]}
              />
            ))}
          </div>
        </div>
      ))}
    </div>
  );
}

function BlamedCommit({ commit }: { commit: Schemas["Commit"] | undefined }) {
  const repository = useRepository();
  if (!commit) return <div className={styles.who} />;
  const title = titleOf(commit.message);
  return (
    <div className={styles.who}>
      <span className={styles.title} title={`${commit.author.name}: ${title}`}>
        <Link to={commitAddress(repository, commit.sha)}>{title}</Link>
      </span>
      <Time at={commit.created_at} />
    </div>
  );
}

function Line(props: { number: number; line: string; colored: CodeLine | undefined }) {
  return (
    <>
      <span className={styles.number}>{props.number}</span>
      <span className={styles.text}>
        {props.colored ? <HighlightedText line={props.colored} /> : props.line}
      </span>
    </>
  );
}
