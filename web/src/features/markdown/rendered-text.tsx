/**
 * A text in Markdown as a page shows it; fetched when one is first shown (`markdown-text.tsx`). The package `markdown/` makes a
 * tree of harmless elements of it, which become React nodes: nothing that its writer wrote becomes markup of ours.
 */
import { toJsxRuntime } from "hast-util-to-jsx-runtime";
import { useEffect, useId, useMemo } from "react";
import { Fragment, jsx, jsxs } from "react/jsx-runtime";
import { parse } from "@forgeline/markdown/parse.ts";
import { idPrefix } from "@forgeline/markdown/sanitize-schema.ts";
import { toggleTask } from "@forgeline/markdown/tasks.ts";
import { text } from "../../text/markdown.ts";
import { decodePart } from "../contents/decode-part.ts";
import { components } from "./elements.tsx";
import { findSuggestions } from "./find-suggestions.ts";
import type { MarkdownTextProps } from "./markdown-text.tsx";
import styles from "./markdown.module.css";
import { refOf } from "./targets.ts";
import { TextContext } from "./text-context.ts";

export function RenderedText({ source, place, onToggle }: MarkdownTextProps) {
  useEffect(() => {
    // The browser looked for it before it was there.
    const wanted = decodePart(window.location.hash.slice(1));
    if (wanted.startsWith(idPrefix)) document.getElementById(wanted)?.scrollIntoView();
  }, []);
  const ownId = useId().replaceAll(/[^\w-]/g, "");
  // Addresses within a file are for everybody, so they must not depend on the page around it.
  const textId = place.directory === undefined ? ownId : "";
  const { repository, references = false } = place;
  const ref = refOf(place);
  const parsed = useMemo(
    () =>
      parse(source, {
        repository: repository?.full_name,
        ref,
        references,
        textId,
        instance: window.location.origin,
      }),
    [source, repository?.full_name, ref, references, textId],
  );
  const suggestions = useMemo(() => findSuggestions(parsed.root), [parsed]);
  const nodes = useMemo(
    () => toJsxRuntime(parsed.root, { Fragment, jsx, jsxs, components, passNode: true }),
    [parsed],
  );
  const toggle =
    onToggle && ((index: number, checked: boolean) => onToggle(toggleTask(source, index, checked)));
  return (
    <TextContext value={{ place, textId, toggle, suggestions }}>
      <div className={styles.markdown}>
        {parsed.isPlain ? <p className={styles.plain}>{text.plain}</p> : null}
        {nodes}
      </div>
    </TextContext>
  );
}
