/** What is wrong with the file, beside the marks in it: with a way to the place and one to the explanation. */
import { CircleCheck, CircleX, TriangleAlert } from "lucide-react";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { text } from "../../text/pipeline-editor.ts";
import styles from "./pipeline-editor.module.css";

type Diagnostic = Schemas["Diagnostic"];

/** `problems` null: not checked yet. */
export function ProblemList(props: {
  problems: readonly Diagnostic[] | null;
  onGoTo: (problem: Diagnostic) => void;
}) {
  const { problems, onGoTo } = props;
  return (
    <div role="status">
      {problems === null ? <span className={styles.hint}>{text.checking}</span> : null}
      {problems?.length === 0 ? (
        <span className={styles.valid}>
          <CircleCheck size={16} aria-hidden /> {text.valid}
        </span>
      ) : null}
      {problems && problems.length > 0 ? (
        <ul className={styles.problems} aria-label={text.problems}>
          {problems.map((problem) => (
            <Problem
              key={`${problem.line}:${problem.column}:${problem.code}:${problem.message}`}
              problem={problem}
              onGoTo={() => onGoTo(problem)}
            />
          ))}
        </ul>
      ) : null}
    </div>
  );
}

function Problem({ problem, onGoTo }: { problem: Diagnostic; onGoTo: () => void }) {
  const Mark = problem.severity === "error" ? CircleX : TriangleAlert;
  return (
    <li className={styles.problem} data-severity={problem.severity}>
      <Mark size={15} aria-hidden />
      <div>
        <button type="button" className={styles.line} onClick={onGoTo}>
          {text.line(problem.line)}
        </button>{" "}
        {text[problem.severity]}: {problem.message}{" "}
        <a href={`/docs${problem.docs}`} target="_blank" rel="noreferrer" data-inline>
          {problem.code}
        </a>
        {problem.hint === null ? null : <div className={styles.hint}>{problem.hint}</div>}
      </div>
    </li>
  );
}
