/** A few views of one thing beside each other, of which one is shown. */
import styles from "./segments.module.css";

export interface SegmentsProps<Value extends string> {
  label: string;
  /** Value → what it is called, in this order. */
  choices: Readonly<Record<Value, string>>;
  value: Value;
  onChange: (value: Value) => void;
}

export function Segments<Value extends string>({ label, choices, value, onChange }: SegmentsProps<Value>) {
  return (
    <div className={styles.segments} role="group" aria-label={label}>
      {(Object.keys(choices) as Value[]).map((each) => (
        <button key={each} type="button" aria-pressed={each === value} onClick={() => onChange(each)}>
          {choices[each]}
        </button>
      ))}
    </div>
  );
}
