/** A changed file: its head, which stays in sight, and what changed in it once it comes near. */
import { memo, useEffect, useMemo, useState } from "react";
import { fileId, type Anchor } from "./anchors.ts";
import { FileBody } from "./file-body.tsx";
import styles from "./file-diff.module.css";
import { FileHead } from "./file-head.tsx";
import { estimatedRem, leavesLinesOut } from "./fold.ts";
import { scrollSteadily } from "./scroll-steadily.ts";
import { emptySlots, type DiffSlots } from "./slots.ts";
import type { DiffSource, FileDiff as ChangedFile, Whitespace } from "./source.ts";
import { useNear } from "./use-near.ts";
import type { DiffView } from "./view-choice.ts";

export interface FileDiffProps extends Whitespace {
  file: ChangedFile;
  source: DiffSource;
  view: DiffView;
  slots: DiffSlots | undefined;
  /** Where the address names this file or a line of it. */
  anchor: Anchor | undefined;
}

export const FileDiff = memo(function FileDiff(props: FileDiffProps) {
  const { file, source, anchor, slots } = props;
  const { ref, isNear } = useNear<HTMLElement>();
  const useFolded = slots?.useFolded ?? emptySlots.useFolded;
  const { isOpen, setOpen } = useOpen(anchor, useFolded(file));
  const [whole, setWhole] = useState(false);
  const isDrawn = isNear || anchor !== undefined;
  useEffect(() => {
    if (!anchor || anchor.line || !ref.current) return;
    return scrollSteadily(ref.current, { block: "start" });
  }, [anchor, ref]);
  const hasMore = useMemo(() => isDrawn && leavesLinesOut(file), [isDrawn, file]);
  const height = `${estimatedRem(file)}rem`;
  const id = fileId(file.path);
  return (
    <section
      ref={ref}
      id={id}
      className={styles.file}
      style={{ containIntrinsicBlockSize: `auto ${height}` }}
      aria-labelledby={`${id}-name`}
      data-diff-file
    >
      <FileHead
        {...{ file, id, isOpen, setOpen }}
        showWhole={isOpen && !whole && hasMore ? () => setWhole(true) : undefined}
        after={source.after}
        slot={slots?.ofFile?.(file, setOpen)}
      />
      {isOpen ? (
        <div className={styles.body} style={isDrawn ? undefined : { blockSize: height }}>
          {isDrawn ? <FileBody {...props} whole={whole} /> : null}
        </div>
      ) : null}
    </section>
  );
});

/** As somebody chose, and open again when an address names it. */
function useOpen(anchor: Anchor | undefined, isFolded: boolean) {
  const [chosen, setChosen] = useState<{ isOpen: boolean; at: Anchor | undefined }>();
  const isNamed = anchor !== undefined && anchor !== chosen?.at;
  return {
    isOpen: isNamed || (chosen ? chosen.isOpen : !isFolded),
    setOpen: (isOpen: boolean) => setChosen({ isOpen, at: anchor }),
  };
}
