/** A field for a text in Markdown: what was typed, or what it will look like. */
import {
  useEffect,
  useRef,
  useState,
  type ClipboardEvent,
  type DragEvent,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
} from "react";
import { text } from "../../text/markdown.ts";
import { TextArea } from "../../ui/field.tsx";
import { Segments } from "../../ui/segments.tsx";
import { AttachmentButton } from "./attachment-button.tsx";
import { keepDraft, readDraft } from "./draft.ts";
import { editText, type Tool } from "./edit-text.ts";
import styles from "./markdown-field.module.css";
import { MarkdownText } from "./markdown-text.tsx";
import { MarkdownTools } from "./markdown-tools.tsx";
import type { MarkdownPlace } from "./targets.ts";
import { UploadList } from "./upload-list.tsx";
import { uploadPlaceOf, useUploads } from "./use-uploads.ts";

export interface MarkdownFieldProps {
  label: string;
  value: string;
  onChange: (value: string) => void;
  /** Where the text will stand: the preview follows it, and files are uploaded for it. */
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
  const files = useFiles(place, area, { value, onChange });
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
            {files.isPossible ? <AttachmentButton onFiles={files.attach} /> : null}
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
          {...files.handlers}
        />
      </div>
      <UploadList {...files.uploads} />
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

/** Files that are chosen, pasted or dropped into the field; each leaves its Markdown where the cursor is by then. */
function useFiles(
  place: MarkdownPlace,
  area: RefObject<HTMLTextAreaElement | null>,
  field: Pick<MarkdownFieldProps, "value" | "onChange">,
) {
  const target = uploadPlaceOf(place);
  const uploads = useUploads(target);
  const latest = useRef(field);
  useEffect(() => {
    latest.current = field;
  });
  const insert = (markdown: string) => {
    const { value, onChange } = latest.current;
    const at = area.current?.selectionStart ?? value.length;
    const before = value.slice(0, at);
    const gap = before === "" || /\s$/.test(before) ? "" : "\n";
    const after = `${before}${gap}${markdown}\n${value.slice(at)}`;
    // Another one may be there before this is drawn.
    latest.current = { value: after, onChange };
    onChange(after);
  };
  const attach = (list: readonly File[]) => uploads.add(list, insert);
  const take = (event: ClipboardEvent | DragEvent, data: DataTransfer | null) => {
    const list = [...(data?.files ?? [])];
    if (list.length === 0) return;
    event.preventDefault();
    attach(list);
  };
  const handlers = {
    onPaste: (event: ClipboardEvent) => take(event, event.clipboardData),
    onDrop: (event: DragEvent) => take(event, event.dataTransfer),
  };
  return { isPossible: target !== undefined, uploads, attach, handlers: target ? handlers : {} };
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
