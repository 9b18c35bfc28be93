/** One file that conflicts: as a whole from one branch, line by line, or as a text of one's own. */
import { $api } from "../../api/client.ts";
import { text } from "../../text/conflicts.ts";
import { Button } from "../../ui/button.tsx";
import { QueryView } from "../../ui/query-view.tsx";
import { useMergeRequestPath } from "../merge-requests/use-merge-request.ts";
import { ConflictPieces } from "./conflict-pieces.tsx";
import styles from "./conflicts.module.css";
import { EditedText } from "./edited-text.tsx";
import { leftIn, textOf, type Answer, type ConflictFile, type Piece } from "./resolution.ts";
import type { BranchNames } from "./types.ts";

interface ConflictFileProps {
  file: ConflictFile;
  names: BranchNames;
  answer: Answer | undefined;
  /** Undefined: it is only shown. */
  onAnswer: ((answer: Answer | undefined) => void) | undefined;
}

export function ConflictFileView({ file, names, answer, onAnswer }: ConflictFileProps) {
  return (
    <section className={styles.file} aria-label={file.path}>
      <div className={styles.fileHead}>
        <h3>
          <code>{file.path}</code>
        </h3>
        <span className={styles.soft}>{text.kinds[file.kind]}</span>
      </div>
      {onAnswer ? <WholeFile {...{ file, names, answer, onAnswer }} /> : null}
      {file.editable ? (
        <Lines {...{ file, names, answer, onAnswer }} />
      ) : (
        <p className={styles.soft}>{text.noText}</p>
      )}
    </section>
  );
}

function WholeFile({ file, names, answer, onAnswer }: ConflictFileProps) {
  const ways = (["source", "target", "delete"] as const).filter((way) => file.choices.includes(way));
  if (ways.length === 0) return null;
  return (
    <div className={styles.choices} role="group" aria-label={text.whole}>
      <span>{text.whole}:</span>
      {ways.map((way) => (
        <Button
          key={way}
          aria-pressed={answer?.way === way}
          onClick={() => onAnswer?.(answer?.way === way ? undefined : { way })}
        >
          {way === "delete" ? text.deleteFile : text.wholeOf(names[way])}
        </Button>
      ))}
    </div>
  );
}

function Lines({ file, names, answer, onAnswer }: ConflictFileProps) {
  const path = { ...useMergeRequestPath(), path: file.path };
  const query = $api.useQuery(
    "get",
    "/repos/{owner}/{repo}/merge-requests/{number}/conflicts/{path}",
    { params: { path } },
    { staleTime: Infinity, refetchOnWindowFocus: false },
  );
  if (answer?.way === "text" && onAnswer)
    return (
      <EditedText
        path={file.path}
        answer={answer}
        onChange={onAnswer}
        onStartOver={() => onAnswer(undefined)}
      />
    );
  return (
    <QueryView query={query} lines={10}>
      {({ pieces, text: whole }) => (
        <>
          {onAnswer ? (
            <div className={styles.choices}>
              <Button onClick={() => onAnswer(edited(pieces, whole ?? "", { answer, names }))}>
                {text.edit}
              </Button>
              {pieces && leftIn(answer) !== 0 ? <span className={styles.soft}>{text.keys}</span> : null}
            </div>
          ) : null}
          {pieces ? (
            <ConflictPieces {...{ pieces, names, answer, onAnswer }} />
          ) : (
            <OnlyVersion file={file} names={names} whole={whole ?? ""} />
          )}
        </>
      )}
    </QueryView>
  );
}

/** A text to begin with: what is chosen already, and markers where nothing is. */
function edited(
  pieces: readonly Piece[] | null,
  whole: string,
  { answer, names }: { answer: Answer | undefined; names: BranchNames },
): Answer {
  const picks = answer?.way === "picks" ? answer.picks : new Map<number, never>();
  const start = pieces ? textOf(pieces, picks, names) : whole;
  const ends = start.includes("\r\n") ? "\r\n" : "\n";
  return { way: "text", text: start.replaceAll("\r\n", "\n"), ends };
}

/** Of a file that the other branch has deleted, or that has too many conflicts to show them. */
function OnlyVersion({ file, names, whole }: { file: ConflictFile; names: BranchNames; whole: string }) {
  const isBoth = file.source !== null && file.target !== null;
  const branch = file.source === null ? names.target : names.source;
  return (
    <>
      <p className={styles.soft}>{isBoth ? text.tooMany : text.onlyVersion(branch)}</p>
      {isBoth ? null : (
        <pre className={styles.lines} tabIndex={0} aria-label={text.onlyVersion(branch)}>
          {whole}
        </pre>
      )}
    </>
  );
}
