/** Changed files: how many, how they are shown, the list at the side, and each of them. */
import { useDeferredValue, useState } from "react";
import { useSearchParams } from "react-router";
import { text } from "../../text/diffs.ts";
import { Notice } from "../../ui/notice.tsx";
import { QueryView } from "../../ui/query-view.tsx";
import type { ChangedFilesViewProps } from "./changed-files-view.tsx";
import styles from "./diff-viewer.module.css";
import { FileDiff } from "./file-diff.tsx";
import { FileList } from "./file-list.tsx";
import { MoreFiles } from "./more-files.tsx";
import type { Whitespace } from "./source.ts";
import { Toolbar } from "./toolbar.tsx";
import { useAnchor } from "./use-anchor.ts";
import { useChangedFiles, type ChangedFiles } from "./use-changed-files.ts";
import { useFileKeys } from "./use-file-keys.ts";
import { useMedia } from "./use-media.ts";
import { chooseView, chosenView } from "./view-choice.ts";

/** Narrower windows show lines below each other, and the list of files only when asked. */
const wide = "(min-width: 64rem)";

export function DiffViewer({ source, slots }: ChangedFilesViewProps) {
  const [params] = useSearchParams();
  const whitespace = params.get("whitespace") === "ignore" ? "ignore" : "show";
  const query = useChangedFiles(source, whitespace);
  return (
    <QueryView query={query} lines={8}>
      {(found) =>
        found.total === 0 ? (
          <div className={styles.viewer}>
            {slots?.ofToolbar?.()}
            <p>{text.nothingChanged}</p>
            {slots?.afterFiles?.(found)}
          </div>
        ) : (
          <Found {...{ found, source, slots, whitespace }} />
        )
      }
    </QueryView>
  );
}

interface FoundProps extends Whitespace, Pick<ChangedFilesViewProps, "source"> {
  found: ChangedFiles;
  slots: ChangedFilesViewProps["slots"] | undefined;
}

function Found({ found, source, slots, whitespace }: FoundProps) {
  const isWide = useMedia(wide);
  const [chosen, setChosen] = useState(chosenView);
  const [hasList, setHasList] = useState<boolean>();
  const anchor = useAnchor(found);
  const filesRef = useFileKeys(found);
  // The button is pressed at once; thousands of lines follow when they are drawn.
  const view = useDeferredValue(isWide ? chosen : "unified");
  const isListShown = found.total > 1 && (hasList ?? isWide);
  return (
    <div className={styles.viewer}>
      <Toolbar
        {...{ found, whitespace, isListShown }}
        slot={slots?.ofToolbar?.()}
        showList={setHasList}
        view={isWide ? chosen : undefined}
        onView={(next) => {
          chooseView(next);
          setChosen(next);
        }}
      />
      <div className={styles.parts} data-has-list={isListShown || undefined}>
        {isListShown ? <FileList found={found} current={anchor?.path} /> : null}
        <div className={styles.files} ref={filesRef}>
          {found.files.map((file) => (
            <FileDiff
              key={file.path}
              {...{ file, source, view, slots, whitespace }}
              anchor={anchor?.path === file.path ? anchor : undefined}
            />
          ))}
          <MoreFiles found={found} />
          {slots?.afterFiles?.(found)}
          {found.isCut && !found.hasMore ? <Notice tone="warn">{text.moreFiles(found.total)}</Notice> : null}
        </div>
      </div>
    </div>
  );
}
