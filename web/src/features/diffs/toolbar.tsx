/** How many files changed, and how the changes are shown. */
import { PanelLeft } from "lucide-react";
import { useState, type ReactNode } from "react";
import { useSearchParams } from "react-router";
import { text } from "../../text/diffs.ts";
import { IconButton } from "../../ui/button.tsx";
import { CheckField } from "../../ui/field.tsx";
import { Segments } from "../../ui/segments.tsx";
import { Counts } from "./counts.tsx";
import styles from "./diff-viewer.module.css";
import type { Whitespace } from "./source.ts";
import type { ChangedFiles } from "./use-changed-files.ts";
import type { DiffView } from "./view-choice.ts";

export interface ToolbarProps extends Whitespace {
  found: ChangedFiles;
  isListShown: boolean;
  showList: (isShown: boolean) => void;
  /** Undefined where the window leaves no choice. */
  view: DiffView | undefined;
  onView: (view: DiffView) => void;
  slot: ReactNode;
}

export function Toolbar(props: ToolbarProps) {
  const { found, whitespace, isListShown, showList, view, onView } = props;
  return (
    <div className={styles.toolbar}>
      {found.total > 1 ? (
        <IconButton
          label={isListShown ? text.hideFiles : text.showFiles}
          aria-expanded={isListShown}
          onClick={() => showList(!isListShown)}
        >
          <PanelLeft aria-hidden />
        </IconButton>
      ) : null}
      <h2>
        {text.changedFiles(found.total, found.isCut)} <Sum found={found} />
      </h2>
      <div className={styles.choices}>
        {props.slot}
        <IgnoreWhitespace whitespace={whitespace} />
        {view ? <Segments label={text.view} choices={text.views} value={view} onChange={onView} /> : null}
      </div>
    </div>
  );
}

/** The address says it, so that it can be passed on; the mark is there at once, and not when the address has changed. */
function IgnoreWhitespace({ whitespace }: Whitespace) {
  const [, setParams] = useSearchParams();
  const [shown, setShown] = useState({ for: whitespace, isOn: whitespace === "ignore" });
  if (shown.for !== whitespace) setShown({ for: whitespace, isOn: whitespace === "ignore" });
  const choose = (isOn: boolean) => {
    setShown({ for: whitespace, isOn });
    const change = (before: URLSearchParams) => {
      if (isOn) before.set("whitespace", "ignore");
      else before.delete("whitespace");
      return before;
    };
    setParams(change, { replace: true, preventScrollReset: true });
  };
  return (
    <CheckField
      label={text.ignoreWhitespace}
      checked={shown.isOn}
      onChange={({ target }) => choose(target.checked)}
    />
  );
}

/** Only of all files: a sum of some would be taken for that of all. */
function Sum({ found }: { found: ChangedFiles }) {
  if (found.hasMore || found.isCut) return null;
  const sum = (count: "additions" | "deletions") =>
    found.files.reduce((before, file) => before + (file[count] ?? 0), 0);
  return <Counts added={sum("additions")} removed={sum("deletions")} />;
}
