/** The files to choose from, each with how far it is. */
import { CircleAlert, CircleCheck } from "lucide-react";
import { text } from "../../text/conflicts.ts";
import styles from "./conflicts.module.css";
import { leftIn, type Answers, type ConflictFile } from "./resolution.ts";

interface ConflictFilesProps {
  files: readonly ConflictFile[];
  answers: Answers;
  current: number;
  onChoose: (index: number) => void;
}

export function ConflictFiles({ files, answers, current, onChoose }: ConflictFilesProps) {
  return (
    <nav aria-label={text.files}>
      <ul className={styles.files}>
        {files.map(({ path, kind }, index) => {
          const left = leftIn(answers.get(path));
          return (
            <li key={path}>
              <button
                type="button"
                aria-current={index === current || undefined}
                onClick={() => onChoose(index)}
              >
                {left === 0 ? (
                  <CircleCheck size={16} aria-hidden className={styles.good} />
                ) : (
                  <CircleAlert size={16} aria-hidden className={styles.bad} />
                )}
                <span>
                  <code>{path}</code>
                  <small>
                    {left === 0 ? text.resolved : left === undefined ? text.kinds[kind] : text.left(left)}
                  </small>
                </span>
              </button>
            </li>
          );
        })}
      </ul>
    </nav>
  );
}
