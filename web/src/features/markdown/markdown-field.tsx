/** A field for a text in Markdown: what was typed, or what it will look like. */
import { useEffect, useRef, useState, type KeyboardEvent, type ReactNode } from "react";
import { text } from "../../text/markdown.ts";
import { TextArea } from "../../ui/field.tsx";
import { Segments } from "../../ui/segments.tsx";
import { keepDraft, readDraft } from "./draft.ts";
import { editText, type Tool } from "./edit-text.ts";
import styles from "./markdown-field.module.css";
import { MarkdownText } from "./markdown-text.tsx";
import { MarkdownTools } from "./markdown-tools.tsx";
import type { MarkdownPlace } from "./targets.ts";

export interface MarkdownFieldProps {
  label: string;
  value: string;
  onChange: (value: string) => void;
  /** Where the text will stand; the preview follows it. */
  place: MarkdownPlace;
  /**
   * Keeps what was typed while the tab is open, also if its page is left. Setting the value to "" forgets it; a caller that does
   * not, such as a form that edits, calls `forgetDraft` after it has saved.
   */
  draftKey?: string | undefined;
  /** On Ctrl+Enter; otherwise that sends the form. */
  onSubmit?: (() => void) | undefined;
  required?: boolean | undefined;
  rows?: number | undefined;
  name?: string | undefined;
  hint?: ReactNode;
  /** Beside the buttons for Markdown. */
  tools?: ReactNode;
  problem?: string | undefined;
}

const keys: Readonly<Record<string, Tool>> = { b: "bold", i: "italic", k: "link" };

export function MarkdownField({ label, value, onChange, place, rows = 6, ...rest }: MarkdownFieldProps) {
  const { draftKey, onSubmit, required = false, hint = text.hint, tools, ...field } = rest;
  const area = useRef<HTMLTextAreaElement>(null);
  const [view, setView] = useState<"write" | "preview">("write");
  const isWriting = view === "write";
  useDraft(draftKey, value, onChange);
  const use = (tool: Tool) => area.current && applyTool(area.current, tool);
  const press = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (!(event.ctrlKey || event.metaKey) || event.altKey || event.nativeEvent.isComposing) return;
    const tool = event.shiftKey ? undefined : keys[event.key.toLowerCase()];
    if (tool === undefined && event.key !== "Enter") return;
    event.preventDefault();
    // Ctrl+K opens the palette elsewhere.
    event.stopPropagation();
    if (tool) use(tool);
    else if (onSubmit) onSubmit();
    else event.currentTarget.form?.requestSubmit();
  };
  return (
    <div className={styles.field}>
      <div className={styles.bar}>
        <Segments
          label={text.viewsOf(label)}
          choices={{ write: text.write, preview: text.preview }}
          value={view}
          onChange={setView}
        />
        {isWriting ? (
          <div className={styles.tools}>
            {tools}
            <MarkdownTools onUse={use} />
          </div>
        ) : null}
      </div>
      <div hidden={!isWriting}>
        <TextArea
          {...field}
          {...{ label, hint, rows, value }}
          ref={area}
          // A field that is not shown cannot say what is wrong with it.
          required={required && isWriting}
          onChange={(event) => onChange(event.target.value)}
          onKeyDown={press}
        />
      </div>
      {isWriting ? null : (
        <div className={styles.preview}>
          {value.trim() === "" ? (
            <p className={styles.nothing}>{text.nothing}</p>
          ) : (
            <MarkdownText source={value} place={place} />
          )}
        </div>
      )}
    </div>
  );
}

/** Typed as if by hand, so that Ctrl+Z takes it back. */
function applyTool(area: HTMLTextAreaElement, tool: Tool): void {
  const edit = editText(tool, area.value, { from: area.selectionStart, to: area.selectionEnd });
  area.focus();
  area.setSelectionRange(edit.from, edit.to);
  document.execCommand("insertText", false, edit.words);
  area.setSelectionRange(edit.selection.from, edit.selection.to);
}

function useDraft(key: string | undefined, value: string, onChange: (value: string) => void): void {
  const known = useRef<string>(undefined);
  useEffect(() => {
    if (key === undefined) return;
    // Read once for each key; from then on it is what the field holds.
    if (known.current !== key) {
      known.current = key;
      const draft = readDraft(key);
      if (draft !== undefined && draft !== value) onChange(draft);
      return;
    }
    keepDraft(key, value);
  }, [key, value, onChange]);
}
