/** The text of a file that conflicts, written by hand. */
import { text } from "../../text/conflicts.ts";
import { Button } from "../../ui/button.tsx";
import { TextArea } from "../../ui/field.tsx";
import styles from "./conflicts.module.css";
import { leftIn, type Answer } from "./resolution.ts";

interface EditedTextProps {
  path: string;
  answer: Extract<Answer, { way: "text" }>;
  onChange: (answer: Answer) => void;
  onStartOver: () => void;
}

export function EditedText({ path, answer, onChange, onStartOver }: EditedTextProps) {
  const left = leftIn(answer) ?? 0;
  return (
    <div className={styles.edited}>
      <TextArea
        label={text.editLabel(path)}
        hint={left === 0 ? text.resolved : `${text.left(left)}. ${text.editHint}`}
        rows={24}
        value={answer.text}
        spellCheck={false}
        autoCapitalize="off"
        autoFocus
        onChange={(event) => onChange({ ...answer, text: event.target.value })}
      />
      <div>
        <Button onClick={onStartOver}>{text.startOver}</Button>
      </div>
    </div>
  );
}
