/** The lines of a file that conflicts: those that are merged, and those of which one has to choose. */
import { useRef, useState } from "react";
import { text } from "../../text/conflicts.ts";
import { Button } from "../../ui/button.tsx";
import { SourceLines } from "../contents/source-text.tsx";
import styles from "./conflicts.module.css";
import { pick, type Answer, type Pick, type Piece } from "./resolution.ts";
import type { BranchNames } from "./types.ts";
import { useRegionKeys } from "./use-region-keys.ts";

interface ConflictPiecesProps {
  pieces: readonly Piece[];
  names: BranchNames;
  answer: Answer | undefined;
  onAnswer: ((answer: Answer) => void) | undefined;
}

export function ConflictPieces({ pieces, names, answer, onAnswer }: ConflictPiecesProps) {
  const ref = useRef<HTMLDivElement>(null);
  const picks = answer?.way === "picks" ? answer.picks : new Map<number, Pick>();
  const choose = onAnswer && ((at: number, chosen: Pick) => onAnswer(pick(pieces, answer, [at, chosen])));
  useRegionKeys(ref, choose);
  const conflicts = pieces.flatMap(({ type }, at) => (type === "conflict" ? [at] : []));
  return (
    <div ref={ref} className={styles.pieces}>
      {pieces.map((piece, at) =>
        piece.type === "context" ? (
          <Context key={at} lines={piece.text} />
        ) : (
          <Region
            key={at}
            at={at}
            label={text.region(conflicts.indexOf(at) + 1, conflicts.length)}
            piece={piece}
            names={names}
            chosen={picks.get(at)}
            onChoose={choose && ((chosen) => choose(at, chosen))}
          />
        ),
      )}
    </div>
  );
}

interface RegionProps {
  at: number;
  label: string;
  piece: Extract<Piece, { type: "conflict" }>;
  names: BranchNames;
  chosen: Pick | undefined;
  onChoose: ((chosen: Pick) => void) | undefined;
}

function Region({ at, label, piece, names, chosen, onChoose }: RegionProps) {
  const uses = { source: text.use(names.source), target: text.use(names.target), both: text.useBoth };
  return (
    <section className={styles.region} aria-label={label} data-region={at} data-chosen={chosen}>
      <div className={styles.regionHead}>
        <strong>{label}</strong>
        {onChoose ? (
          <span className={styles.choices}>
            {(["source", "target", "both"] as const).map((each) => (
              <Button key={each} aria-pressed={chosen === each} onClick={() => onChoose(each)}>
                {uses[each]}
              </Button>
            ))}
          </span>
        ) : null}
      </div>
      {(["source", "target"] as const).map((side) => (
        <div
          key={side}
          className={styles.side}
          data-side={side}
          data-left-out={(chosen !== undefined && chosen !== side && chosen !== "both") || undefined}
        >
          <span className={styles.branch}>{names[side]}</span>
          <Lines lines={piece[side]} />
        </div>
      ))}
      {piece.base === "" ? null : (
        <details className={styles.base}>
          <summary>{text.before}</summary>
          <Lines lines={piece.base} />
        </details>
      )}
    </section>
  );
}

function Lines({ lines }: { lines: string }) {
  if (lines === "") return <p className={styles.soft}>{text.nothing}</p>;
  return (
    <pre className={styles.lines}>
      <SourceLines text={lines} />
    </pre>
  );
}

/** Lines above and below a conflict that are always shown. */
const nearLines = 3;

function Context({ lines }: { lines: string }) {
  const [isOpen, setOpen] = useState(false);
  const each = lines.split(/(?<=\n)/);
  const hidden = each.length - 2 * nearLines;
  if (isOpen || hidden <= 1)
    return (
      <pre className={styles.lines}>
        <SourceLines text={lines} />
      </pre>
    );
  return (
    <>
      <pre className={styles.lines}>
        <SourceLines text={each.slice(0, nearLines).join("")} />
      </pre>
      <div className={styles.hidden}>
        <Button kind="quiet" onClick={() => setOpen(true)}>
          {text.showLines(hidden)}
        </Button>
      </div>
      <pre className={styles.lines}>
        <SourceLines text={each.slice(-nearLines).join("")} />
      </pre>
    </>
  );
}
