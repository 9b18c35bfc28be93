/** A field for YAML: coloured, completed, and with what is wrong marked at its line. Fetched when it is needed. */
import {
  autocompletion,
  closeBrackets,
  closeBracketsKeymap,
  completionKeymap,
} from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { yaml } from "@codemirror/lang-yaml";
import { bracketMatching, indentUnit } from "@codemirror/language";
import { linter, lintGutter, lintKeymap, type Diagnostic as Mark } from "@codemirror/lint";
import { EditorState, type Extension, type Text } from "@codemirror/state";
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  keymap,
  lineNumbers,
} from "@codemirror/view";
import { useEffect, useRef, type RefObject } from "react";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { editorTheme } from "./editor-theme.ts";
import { completeFromSchema } from "./schema-completion.ts";
import styles from "./pipeline-editor.module.css";

type Diagnostic = Schemas["Diagnostic"];
const quietBeforeCheckMs = 350;

export interface EditorControls {
  /** Both from 1. */
  goTo: (line: number, column: number) => void;
}

export interface YamlEditorProps {
  label: string;
  /** Where it begins; what is typed then is its own. */
  initial: string;
  onChange: (text: string) => void;
  /** Asked when nothing was typed for a moment. */
  check: (text: string) => Promise<readonly Diagnostic[]>;
  controls: RefObject<EditorControls | null>;
}

export function YamlEditor(props: YamlEditorProps) {
  const place = useRef<HTMLDivElement>(null);
  const latest = useRef(props);
  useEffect(() => {
    latest.current = props;
  });
  useEffect(() => {
    const { initial, label, controls } = latest.current;
    if (!place.current) return undefined;
    const view = new EditorView({
      doc: initial,
      parent: place.current,
      extensions: [
        basics,
        editorTheme(),
        EditorView.contentAttributes.of({ "aria-label": label }),
        EditorView.updateListener.of((update) => {
          if (update.docChanged) latest.current.onChange(update.state.doc.toString());
        }),
        linter((from) => marksOf(from, latest.current.check), { delay: quietBeforeCheckMs }),
      ],
    });
    controls.current = { goTo: (line, column) => goTo(view, line, column) };
    return () => {
      controls.current = null;
      view.destroy();
    };
  }, []);
  return <div ref={place} className={styles.editor} />;
}

/** Tab leaves the field, as in any form: lines are indented by themselves. */
const basics: Extension = [
  lineNumbers(),
  lintGutter(),
  highlightActiveLine(),
  highlightActiveLineGutter(),
  history(),
  drawSelection(),
  bracketMatching(),
  closeBrackets(),
  indentUnit.of("  "),
  EditorState.tabSize.of(2),
  EditorView.lineWrapping,
  yaml(),
  autocompletion({ override: [completeFromSchema], icons: false }),
  keymap.of([...closeBracketsKeymap, ...completionKeymap, ...lintKeymap, ...historyKeymap, ...defaultKeymap]),
];

async function marksOf(view: EditorView, check: YamlEditorProps["check"]): Promise<Mark[]> {
  const { doc } = view.state;
  return (await check(doc.toString())).map((each) => {
    const from = offsetOf(doc, each.line, each.column);
    return {
      from,
      to: Math.max(from, offsetOf(doc, each.end_line, each.end_column)),
      severity: each.severity,
      source: each.code,
      message: each.hint === null ? each.message : `${each.message} (${each.hint})`,
    };
  });
}

function offsetOf(doc: Text, line: number, column: number): number {
  const { from, to } = doc.line(Math.min(Math.max(line, 1), doc.lines));
  return Math.min(from + Math.max(column - 1, 0), to);
}

function goTo(view: EditorView, line: number, column: number): void {
  const anchor = offsetOf(view.state.doc, line, column);
  view.dispatch({ selection: { anchor }, effects: EditorView.scrollIntoView(anchor, { y: "center" }) });
  view.focus();
}
