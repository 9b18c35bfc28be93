/** How many files changed, and how the changes are shown. */
import { PanelLeft } from "lucide-react";
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
}

export function Toolbar({ found, whitespace, isListShown, showList, view, onView }: ToolbarProps) {
  const [, setParams] = useSearchParams();
  const setIgnored = (isIgnored: boolean) =>
    setParams(
      (before) => {
        if (isIgnored) before.set("whitespace", "ignore");
        else before.delete("whitespace");
        return before;
      },
      { replace: true, preventScrollReset: true },
    );
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
        <CheckField
          label={text.ignoreWhitespace}
          checked={whitespace === "ignore"}
          onChange={({ target }) => setIgnored(target.checked)}
        />
        {view ? <Segments label={text.view} choices={text.views} value={view} onChange={onView} /> : null}
      </div>
    </div>
  );
}

/** Only of all files: a sum of some would be taken for that of all. */
function Sum({ found }: { found: ChangedFiles }) {
  if (found.hasMore || found.isCut) return null;
  const sum = (count: "additions" | "deletions") =>
    found.files.reduce((before, file) => before + (file[count] ?? 0), 0);
  return <Counts added={sum("additions")} removed={sum("deletions")} />;
}
