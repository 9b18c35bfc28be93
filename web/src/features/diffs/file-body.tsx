/** What changed in a file: its lines, two pictures, or in words. What is long or seldom read waits until somebody asks. */
import { useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { text } from "../../text/diffs.ts";
import { Button } from "../../ui/button.tsx";
import { ProblemNotice } from "../../ui/notice.tsx";
import { formatBytes } from "../../ui/size.ts";
import { shortName } from "../commits/commit-id.ts";
import { linesName } from "./anchors.ts";
import { DiffTable } from "./diff-table.tsx";
import styles from "./file-diff.module.css";
import type { FileDiffProps } from "./file-diff.tsx";
import { canShowLines, changedMode, foldedAs, isImageChange } from "./fold.ts";
import { ImageChange } from "./image-change.tsx";
import { isReachable } from "./gaps.ts";
import { parsePatch, type Hunk } from "./parse-patch.ts";
import { pathOf } from "./raw-path.ts";
import { emptySlots, type LineName } from "./slots.ts";
import type { FileDiff } from "./source.ts";

export interface FileBodyProps extends FileDiffProps {
  whole: boolean;
}

/** Of a patch; longer ones would hold up the page. */
const maxChars = 3_000_000;

export function FileBody(props: FileBodyProps) {
  const { file, anchor, source, slots, whitespace } = props;
  const folded = foldedAs(file);
  const useWantedLines = slots?.useWantedLines ?? emptySlots.useWantedLines;
  const wantedLines = useWantedLines(file);
  const [isWanted, setWanted] = useState(false);
  // Stays when the address names something else.
  if ((anchor?.line || wantedLines.length > 0) && !isWanted) setWanted(true);
  const isShown = folded === undefined || isWanted;
  const isMissing = file.patch_omitted === "too_large";
  const whole = useQuery({
    queryKey: ["patch", ...source.key, whitespace, file.path],
    queryFn: () => source.fetchFile({ path: file.path, whitespace }),
    enabled: isShown && isMissing,
    staleTime: "static",
  });
  if (isShown && (!isMissing || whole.data))
    return <Change {...props} file={whole.data ?? file} wantedLines={wantedLines} />;
  return (
    <>
      {slots?.aboveLines?.(file, isShownLater)}
      {isShown && whole.error ? (
        <ProblemNotice error={whole.error} />
      ) : (
        <div className={styles.note}>
          {folded ? <span>{text.folded[folded]}</span> : null}
          <Button busy={whole.isFetching} aria-label={text.loadOf(file.path)} onClick={() => setWanted(true)}>
            {text.load}
          </Button>
        </div>
      )}
    </>
  );
}

const isShownLater = () => true;

function Change({ file, view, whole, anchor, slots, whitespace, wantedLines }: ChangeProps) {
  const hunks = useMemo(() => parsePatch((file.patch ?? "").slice(0, maxChars)), [file.patch]);
  const isTable = isTableOf(file, hunks);
  const line = anchor?.line && linesName(anchor.line);
  return (
    <>
      {slots?.aboveLines?.(file, (name) => isTable && isReachable(hunks, name, canShowLines(file)))}
      {isTable ? (
        <DiffTable {...{ file, hunks, view, whole, line, wantedLines, slots }} />
      ) : (
        <InWords {...{ file, whitespace }} />
      )}
    </>
  );
}

interface ChangeProps extends FileBodyProps {
  wantedLines: readonly LineName[];
}

function isTableOf(file: FileDiff, hunks: readonly Hunk[]): boolean {
  if (file.kind === "submodule" || file.binary || file.patch === null) return false;
  return file.patch.length <= maxChars && hunks.length > 0;
}

/** Something that has no lines to show. */
function InWords({ file, whitespace }: Pick<FileBodyProps, "file" | "whitespace">) {
  if (file.kind === "submodule") return <Note words={submoduleChange(file)} />;
  if (isImageChange(file)) return <ImageChange file={file} />;
  if (file.binary) return <Note words={`${text.binary} ${sizesOf(file)}`} />;
  if (file.patch === null || file.patch.length > maxChars) return <TooLarge file={file} />;
  return <Note words={withoutLines(file, whitespace)} />;
}

function Note({ words }: { words: string }) {
  return <div className={styles.note}>{words}</div>;
}

function TooLarge({ file }: { file: FileDiff }) {
  const { raw_url: after, previous_raw_url: before } = file;
  return (
    <div className={styles.note}>
      <span>{text.tooLarge}</span>
      {before === null ? null : <a href={pathOf(before)}>{text.rawBefore}</a>}
      {after === null ? null : <a href={pathOf(after)}>{text.rawAfter}</a>}
    </div>
  );
}

function submoduleChange({ previous_sha: before, sha: after }: FileDiff): string {
  return text.submodule(before && shortName(before), after && shortName(after));
}

function sizesOf({ previous_size: before, size: after }: FileDiff): string {
  return text.sizes(before === null ? null : formatBytes(before), after === null ? null : formatBytes(after));
}

function withoutLines(file: FileDiff, whitespace: FileBodyProps["whitespace"]): string {
  const { status, size, sha, previous_sha: previous } = file;
  if (sha !== previous) {
    if (status === "added" && size === 0) return text.emptyFile;
    return whitespace === "ignore" ? text.onlyWhitespace : text.noLineChanged;
  }
  if (status === "renamed" || status === "copied") return text.sameContent;
  return changedMode(file) ? text.onlyMode : text.noLineChanged;
}
