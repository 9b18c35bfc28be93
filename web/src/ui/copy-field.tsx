/** A text to take along, with a button that copies it. */
import { Check, Copy } from "lucide-react";
import { useState } from "react";
import { text } from "../text/general.ts";
import styles from "./copy-field.module.css";

/** `shown`: the label stands above it; else what is around says what it is. */
export function CopyField({
  value,
  label,
  shown = false,
}: {
  value: string;
  label: string;
  shown?: boolean;
}) {
  const field = (
    <div className={styles.field}>
      <input readOnly value={value} aria-label={label} onFocus={(event) => event.target.select()} />
      <CopyButton value={value} label={label} />
    </div>
  );
  if (!shown) return field;
  return (
    <div className={styles.labelled}>
      <span aria-hidden>{label}</span>
      {field}
    </div>
  );
}

/** Several lines, such as commands. */
export function CopyBlock({ value, label }: { value: string; label: string }) {
  return (
    <div className={styles.block}>
      {/* A region that scrolls must be reachable by keyboard. */}
      <pre tabIndex={0} aria-label={label}>
        <code>{value}</code>
      </pre>
      <CopyButton value={value} label={label} />
    </div>
  );
}

/** What it copies stands beside it. */
export function CopyButton({ value, label }: { value: string; label: string }) {
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(value);
    setCopied(true);
    setTimeout(() => setCopied(false), 2_000);
  };
  return (
    <>
      <button
        type="button"
        className={styles.copy}
        onClick={() => void copy()}
        aria-label={`${text.copy}: ${label}`}
      >
        {copied ? <Check size={16} aria-hidden /> : <Copy size={16} aria-hidden />}
      </button>
      <span className="visually-hidden" role="status">
        {copied ? text.copied : ""}
      </span>
    </>
  );
}
